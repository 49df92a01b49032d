import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { parseMemoryFile } from '../files/memory-file.ts';
import { readChatGptMemories } from './from/chatgpt.ts';
import { readMem0Export } from './from/mem0.ts';
import { candidatesOf, describeText, isoTime, nameFromText } from './import-record.ts';
import type { ImportCandidate } from './import-source.ts';

function file(name: string, content: string | Uint8Array): string {
  const folder = temporaryFolder('exports');
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const readBack = ({ bytes }: ImportCandidate) => parseMemoryFile(bytes);
const bodies = (candidates: readonly ImportCandidate[]) => candidates.map((each) => readBack(each).body);

describe('mem0', () => {
  const entry = {
    id: 'm-1',
    memory: 'Dev works at TechCorp as a senior engineer',
    user_id: 'dev',
    metadata: { type: 'professional' },
    categories: ['work'],
    created_at: '2025-02-03T04:05:06-08:00',
    updated_at: '2025-03-01T00:00:00Z',
  };

  it('reads text, times and id, keeps it for everywhere, and guesses no type', () => {
    const path = file('export.json', JSON.stringify({ count: 1, results: [entry] }));
    const { candidates, problems } = readMem0Export(path);
    expect(problems).toEqual([]);
    expect(candidates).toMatchObject([
      { file: 'dev-works-at-techcorp-as-a-senior-engineer.md', scope: 'global', from: `${path}#m-1` },
    ]);
    expect(readBack(candidates[0]!)).toMatchObject({
      type: null,
      body: entry.memory,
      meta: {
        name: entry.memory,
        description: entry.memory,
        created: '2025-02-03T12:05:06.000Z',
        modified: '2025-03-01T00:00:00.000Z',
      },
    });
  });

  it('takes a type that is one of ours', () => {
    const path = file('export.json', JSON.stringify([{ ...entry, metadata: { type: 'project' } }]));
    const [candidate] = readMem0Export(path).candidates;
    expect(candidate?.file).toMatch(/^project_/);
    expect(readBack(candidate!).type).toBe('project');
  });

  it.each([
    ['a bare list', JSON.stringify([entry])],
    ['memories', JSON.stringify({ memories: [entry] })],
    ['a value a line', `${JSON.stringify(entry)}\n\n`],
    ['a byte order mark', `\uFEFF${JSON.stringify([entry])}`],
    ['another word for the text', JSON.stringify([{ content: entry.memory }])],
  ])('reads %s', (_what, text) => {
    expect(bodies(readMem0Export(file('export.json', text)).candidates)).toEqual([entry.memory]);
  });

  it.each([
    ['no JSON', 'Dev works', 'it is not JSON'],
    ['no list', '{"full_name": "Dev"}', 'it holds no list of memories'],
    ['an entry without text', '[{"id": 1}, 7]', 'entry 1 has no text'],
    ['a broken line', '{"memory": "a"}\n{"memory":', 'the line is not valid JSON'],
  ])('says what is wrong with %s', (_what, text, problem) => {
    expect(readMem0Export(file('export.json', text)).problems[0]?.problem).toBe(`not imported: ${problem}`);
  });

  it('says that there is no such file', () => {
    expect(readMem0Export('/nowhere/at/all.json').problems[0]?.problem).toBe('not imported: there is no such file');
  });
});

describe('ChatGPT', () => {
  it('reads memory.json of an unpacked export and leaves out what was switched off', () => {
    const path = file(
      'memory.json',
      JSON.stringify([
        { id: 'a', content: 'User prefers short answers.', enabled: true, created_at: 1_740_000_000 },
        { id: 'b', content: 'User dislikes tea.', enabled: false },
      ]),
    );
    const { candidates, problems } = readChatGptMemories(join(path, '..'));
    expect(candidates).toMatchObject([{ file: 'user-prefers-short-answers.md', scope: 'global', from: `${path}#a` }]);
    expect(readBack(candidates[0]!).meta.created).toBe('2025-02-19T21:20:00.000Z');
    expect(problems).toMatchObject([{ problem: 'not imported: entry 2 was switched off in ChatGPT' }]);
  });

  it('reads a list copied into a text file, whatever stands before each line', () => {
    const path = file(
      'saved.txt',
      '# My memories\n\n[2025-03-04] - Likes tea.\n- Has two cats.\n3. Works at night.\nSpeaks Greek.\n---\n',
    );
    const { candidates } = readChatGptMemories(path);
    expect(bodies(candidates)).toEqual(['Likes tea.', 'Has two cats.', 'Works at night.', 'Speaks Greek.']);
    expect(readBack(candidates[0]!).meta.created).toBe('2025-03-04T00:00:00.000Z');
    expect(candidates[1]?.from).toBe(`${path}#4`);
  });

  it('reads a list of sentences', () => {
    expect(bodies(readChatGptMemories(file('m.json', '["Likes tea.", "Has cats."]')).candidates)).toHaveLength(2);
  });

  it('asks to unpack an archive, and says what a folder lacks', () => {
    expect(readChatGptMemories(file('e.zip', 'PK\u0003\u0004')).problems[0]?.fix).toContain('Unpack');
    const empty = join(file('x', ''), '..', 'empty');
    mkdirSync(empty);
    expect(readChatGptMemories(empty).problems[0]).toMatchObject({ file: join(empty, 'memory.json') });
  });
});

describe('records', () => {
  it('get file names that do not depend on their order', () => {
    const records = ['one', 'two', 'three'].map((text) => ({ title: 'Same', text, from: 'x' }));
    const names = (given: typeof records) =>
      candidatesOf(given)
        .map(({ file: name, bytes }) => `${name} ${parseMemoryFile(bytes).body}`)
        .sort();
    expect(new Set(candidatesOf(records).map(({ file: name }) => name)).size).toBe(3);
    expect(names(records.toReversed())).toEqual(names(records));
  });

  it('that say the same are one', () => {
    const twice = { text: 'Likes tea.', from: 'x' };
    expect(candidatesOf([twice, twice])).toHaveLength(1);
  });

  it('become files that read back as what they were', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'grapheme' }), (title, text) => {
        fc.pre(
          title.trim() !== '' &&
            !/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(title) &&
            !/[\p{C}\r\n]/u.test(text),
        );
        const [candidate] = candidatesOf([{ title, text, from: 'x' }]);
        const parsed = readBack(candidate!);
        expect(parsed.meta.name).toBe(title);
        expect(parsed.body.trim()).toBe(text.trim());
        expect(candidate?.file).toMatch(/\.md$/);
      }),
    );
  });

  it('are named and described by their own words', () => {
    expect(nameFromText('## The plan.\n\ntext')).toBe('The plan');
    expect(nameFromText(`${'word '.repeat(40)}`).length).toBeLessThanOrEqual(61);
    expect(describeText('# Title\n\n- [decision] Use JWT\n')).toBe('[decision] Use JWT');
    expect(describeText('# Title')).toBe('Title');
  });

  it.each([
    [1_740_000_000, '2025-02-19T21:20:00.000Z'],
    [1_740_000_000_000, '2025-02-19T21:20:00.000Z'],
    ['2025-01-02', '2025-01-02T00:00:00.000Z'],
    ['some day', undefined],
    [null, undefined],
  ])('have times: %j', (value, time) => {
    expect(isoTime(value)).toBe(time);
  });
});
