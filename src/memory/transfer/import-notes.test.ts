import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { parseMemoryFile } from '../files/memory-file.ts';
import { readBasicMemory } from './from/basic-memory.ts';
import { readCodexMemories } from './from/codex.ts';
import { readCopilotInstructions } from './from/copilot.ts';
import { readCursorRules } from './from/cursor.ts';
import type { SourceReading } from './import-source.ts';

function folder(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder('notes');
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  return root;
}

/** File name, name and description of each memory that was found. */
function headlines({ candidates }: SourceReading): (string | undefined)[][] {
  return candidates.map(({ file, bytes }) => {
    const { meta } = parseMemoryFile(bytes);
    return [file, meta.name, meta.description];
  });
}
const textOf = (reading: SourceReading, at: number) => Buffer.from(reading.candidates[at]!.bytes).toString('utf8');

describe('basic-memory', () => {
  const NOTE =
    '---\ntitle: Coffee Brewing\ntype: note\ntags: [coffee, brewing]\npermalink: coffee/brewing\n---\n\n# Coffee Brewing\n\n' +
    '## Observations\n- [method] Pour over is clearer #taste (tried)\n\n## Relations\n- relates_to [[Coffee Beans]]\n';

  it('keeps paths, tags, observations and relations, and adds only what recall looks at', () => {
    const root = folder({ 'coffee/Coffee Brewing.md': NOTE });
    const reading = readBasicMemory(root);
    expect(reading.problems).toEqual([]);
    expect(headlines(reading)).toEqual([
      ['coffee/Coffee Brewing.md', 'Coffee Brewing', '[method] Pour over is clearer #taste (tried)'],
    ]);
    const lines = textOf(reading, 0).split('\n');
    expect(NOTE.split('\n').filter((line) => !lines.includes(line))).toEqual([]);
    expect(parseMemoryFile(reading.candidates[0]!.bytes).type).toBeNull();
    expect(reading.candidates[0]?.from).toBe(join(root, 'coffee/Coffee Brewing.md'));
  });

  it.each([
    ['a quoted title', '---\ntitle: "Plans: 2025"\n---\ntext\n', 'Plans: 2025'],
    ['no title', '---\ntags: []\n---\ntext\n', 'note'],
    ['no front matter', 'title: not a header\n', 'note'],
    ['a name of its own', '---\ntitle: One\nname: Two\n---\ntext\n', 'Two'],
  ])('reads a note with %s', (_what, text, name) => {
    expect(headlines(readBasicMemory(folder({ 'note.md': text })))[0]?.[1]).toBe(name);
  });
});

describe('Cursor rules', () => {
  it('reads rules in all folders and the old file, and keeps globs that are no YAML', () => {
    const root = folder({
      '.cursor/rules/typescript.mdc':
        '---\ndescription: Strict types\nglobs: **/*.ts, *.tsx\nalwaysApply: false\n---\n# TypeScript\n- No any.\n',
      '.cursor/rules/api/errors.mdc': '---\ndescription:\nglobs: *.mdc\nalwaysApply: true\n---\nAnswer with a code.\n',
      '.cursor/rules/notes.txt': 'no rule',
      '.cursorrules': 'Always write tests.\n',
    });
    const reading = readCursorRules(root);
    expect(headlines(reading)).toEqual([
      ['api/errors.md', 'errors', 'Answer with a code.'],
      ['typescript.md', 'typescript', 'Strict types'],
      ['cursorrules.md', 'Cursor rules', 'Always write tests.'],
    ]);
    expect(textOf(reading, 1)).toContain('globs: **/*.ts, *.tsx\n');
    expect(reading.problems).toEqual([]);
  });

  it('finds nothing where there are none', () => {
    expect(readCursorRules(folder({}))).toEqual({ candidates: [], problems: [] });
  });

  it('follows no link out of the project', () => {
    const outside = folder({ 'secret.mdc': 'hidden' });
    const root = folder({ '.cursor/rules/own.mdc': 'Own.' });
    symlinkSync(join(outside, 'secret.mdc'), join(root, '.cursor/rules/link.mdc'));
    symlinkSync(join(outside, 'secret.mdc'), join(root, '.cursorrules'));
    const reading = readCursorRules(root);
    expect(reading.candidates.map(({ file }) => file)).toEqual(['own.md']);
    expect(reading.problems.map(({ file }) => file)).toEqual(['link.mdc', '.cursorrules']);
  });
});

describe('Copilot instructions', () => {
  it('reads the file for all and those for some files', () => {
    const reading = readCopilotInstructions(
      folder({
        '.github/copilot-instructions.md': '# Project\n\nWe use pnpm.\n',
        '.github/instructions/tests.instructions.md': '---\napplyTo: "**/*.test.ts"\n---\nUse vitest.\n',
        '.github/instructions/README.md': 'not for Copilot',
        '.github/workflows/ci.md': 'not for Copilot',
      }),
    );
    expect(headlines(reading)).toEqual([
      ['copilot-instructions.md', 'Copilot instructions', 'We use pnpm.'],
      ['tests.instructions.md', 'tests', 'Use vitest.'],
    ]);
    expect(textOf(reading, 1)).toContain('applyTo: "**/*.test.ts"\n');
  });
});

describe('Codex memories', () => {
  const HANDBOOK = [
    '# Task Group: shop / release',
    'scope: releasing the shop',
    'applies_to: cwd=/code/shop/api; reuse_rule=this checkout',
    '## Task 1: tag and publish',
    '### keywords',
    '- release, tag',
    '# Task Group: blog',
    'applies_to: cwd=/code/blog; reuse_rule=there',
    '- posts are in content/',
    '# Task Group: reviews',
    'applies_to: cwd=any repository; reuse_rule=always',
    '- look at the tests first',
  ].join('\n');
  const SUMMARY = [
    'v1',
    '',
    '## User Profile',
    'Works on shops.',
    '## User preferences',
    '- short answers',
    '## General Tips',
    '- run the tests',
    "## What's in Memory",
    '### shop',
  ].join('\n');

  it('reads a memory for each block of this project or of none, and tells the others', () => {
    const root = folder({ 'MEMORY.md': HANDBOOK, 'raw_memories.md': 'raw', 'rollout_summaries/a.md': 'a' });
    const { candidates, problems } = readCodexMemories(root, { projectRoot: '/code/shop' });
    expect(candidates.map(({ file, scope, from }) => [file, scope, from])).toEqual([
      ['shop-release.md', 'project', `${join(root, 'MEMORY.md')}#1`],
      ['reviews.md', 'global', `${join(root, 'MEMORY.md')}#10`],
    ]);
    expect(parseMemoryFile(candidates[0]!.bytes).body).toBe(HANDBOOK.split('\n').slice(1, 6).join('\n'));
    expect(problems).toMatchObject([{ line: 7, problem: 'not imported: "blog" is about /code/blog' }]);
  });

  it('does not take a sibling for the project', () => {
    const root = folder({ 'MEMORY.md': '# Task Group: x\napplies_to: cwd=/code/shop-old; r=1\ntext\n' });
    expect(readCodexMemories(root, { projectRoot: '/code/shop' }).candidates).toEqual([]);
  });

  it('reads what the summary says of the user, not its table of contents', () => {
    const { candidates } = readCodexMemories(folder({ 'memory_summary.md': SUMMARY }), { projectRoot: '/code/shop' });
    expect(candidates.map(({ file, scope }) => `${file} ${scope}`)).toEqual([
      'user_user-profile.md global',
      'user_user-preferences.md global',
      'general-tips.md global',
    ]);
    expect(parseMemoryFile(candidates[0]!.bytes)).toMatchObject({ type: 'user', body: 'Works on shops.' });
  });

  it('takes a handbook without blocks as one', () => {
    const { candidates } = readCodexMemories(folder({ 'MEMORY.md': 'Just notes.\n' }), { projectRoot: '/code/shop' });
    expect(candidates.map(({ file }) => file)).toEqual(['codex-handbook.md']);
  });
});
