/** What the documents promise exists: commands, scripts, files, settings; the tutorial and the examples run. */

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { MemoryType } from '../src/base/taxonomy.ts';
import { COMMANDS } from '../src/cli/catalog.ts';
import { SLASH_COMMANDS } from '../src/cli/chat/slash/commands.ts';
import { openMemory } from '../src/session/open-memory.ts';
import { SETTINGS } from '../src/settings/settings.ts';
import { allSettings } from '../src/settings/table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const PAGES = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const GUIDES = ['README.md', 'CONTRIBUTING.md', 'llms.txt', ...PAGES];
const DOCUMENTS = [...GUIDES, 'ARCHITECTURE.md', 'AGENTS.md', 'CHANGELOG.md'];
/** Joined to the table in main.ts, because they bring another surface with them. */
const JOINED_IN_MAIN = ['mcp', 'install', 'uninstall', 'serve'];
const NAMES = new Set([...COMMANDS.map(({ name }) => name), ...JOINED_IN_MAIN]);
const MAIN = join(root, 'dist', 'main.js');

/** A program beside others, with nothing to read. */
function runProgram(
  program: string,
  words: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const child = spawn(program, words, options);
  child.stdin.end();
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text) => {
      printed[name] += text;
    });
  }
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, ...printed }));
  });
}

describe('the documents', () => {
  it('are found', () => {
    for (const name of JOINED_IN_MAIN) expect(read('src/main.ts')).toContain(`'${name}'`);
    expect(PAGES.length).toBeGreaterThan(12);
  });

  it.each(GUIDES)('%s names commands that exist', (document) => {
    const found = [...read(document).matchAll(/(?:^|`)reverie ([a-z]+)(?: ([a-z]+))?/gm)];
    const isGroup = (first: string) => !NAMES.has(first) && [...NAMES].some((name) => name.startsWith(`${first} `));
    const isKnown = (first: string, second: string | undefined) =>
      isGroup(first) ? second === undefined || NAMES.has(`${first} ${second}`) : NAMES.has(first);
    const unknown = found.filter(([, first, second]) => !isKnown(first!, second)).map(([text]) => text);
    expect(unknown).toEqual([]);
  });

  it('tell nobody to fetch the package from a registry, where it is not', () => {
    const told = [...DOCUMENTS, ...PAGES].filter((document) => /\b(?:npx|bunx|pnpx)\b(?! vitest)/.test(read(document)));
    expect(told).toEqual([]);
    const commands = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => /npx (?:--?\S+ )*reverie/.test(read(join('src', file))));
    expect(commands).toEqual([]);
  });

  it.each(GUIDES)('%s names slash commands that exist', (document) => {
    const names = new Set<string>(SLASH_COMMANDS.map(({ name }) => name));
    // Those of Codex, Gemini and Claude Code are named where their hooks are, Anthropic's folder where its tool is, `/reverie:…` where plugins are.
    const others = ['hooks', 'compress', 'branch', 'memories', 'reverie'];
    const named = [...read(document).matchAll(/`\/([a-z]+)\b(?!\/)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !names.has(name) && !others.includes(name))).toEqual([]);
  });

  it.each(DOCUMENTS)('%s names scripts that exist', (document) => {
    const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
    const named = [...read(document).matchAll(/npm run ([\w:]*\w)/g)].map(([, name]) => name);
    expect(named.filter((name) => !scripts.includes(name!))).toEqual([]);
  });

  it.each(DOCUMENTS)('%s links to files and headings that exist', (document) => {
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    const broken = links.filter(([, path, heading]) => {
      const file = path === '' ? document : normalize(join(dirname(document), path!));
      if (!existsSync(join(root, file))) return true;
      return heading !== undefined && !headingsOf(read(file)).includes(heading);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it.each(DOCUMENTS)('%s names files of the repository that exist', (document) => {
    const named = read(document).matchAll(
      /(?<![\w/.-])((?:src|test|scripts|examples|bench|prompts|models|docs)\/[\w/.-]+\.(?:ts|mjs|md|svg|json))\b/g,
    );
    expect([...named].map(([, path]) => path!).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it.each(['ARCHITECTURE.md', 'AGENTS.md', 'CONTRIBUTING.md'])('%s names source files that exist', (document) => {
    const named = [
      ...read(document).matchAll(
        /(?<![\w/-])(?:src\/)?((?:cli|mcp|hooks|embed|session|reports|recall|layers|toolbox|agent|memory|search|settings|model|disk|conversation|base)\/[\w/-]+\.ts)\b/g,
      ),
    ];
    const missing = named.map(([, path]) => path!).filter((path) => !existsSync(join(root, 'src', path)));
    expect(missing).toEqual([]);
  });

  it('name every page in the README and in llms.txt', () => {
    for (const map of ['README.md', 'llms.txt']) {
      expect(PAGES.filter((page) => !read(map).includes(`](${page})`))).toEqual([]);
    }
  });

  it('name every setting, and every variable that sets one', () => {
    const settings = read('docs/reference/settings.md');
    const last = (key: string) => key.split('.').at(-1);
    const isNamed = (key: string) => settings.includes(`\`${key.startsWith('limits.') ? last(key) : key}\``);
    expect([...allSettings().keys()].filter((key) => !isNamed(key))).toEqual([]);
    const variables = Object.values(SETTINGS).flatMap((row) => ('env' in row ? [row.env] : []));
    expect(variables.filter((name) => !settings.includes(name))).toEqual([]);
  });

  it('have reference pages as the program has them', async () => {
    const checked = await runProgram(process.execPath, [join(root, 'scripts/docs.mjs'), '--check']);
    expect(checked.stdout + checked.stderr).toBe('');
  });
});

describe('the README', () => {
  const readme = read('README.md');

  it('is short, and begins with a command', () => {
    const lines = readme.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(150);
    expect(lines.findIndex((line) => line.startsWith('npm install && npm start'))).toBeLessThan(25);
    expect(lines.findIndex((line) => line.startsWith('npm install && npm start'))).toBeGreaterThan(0);
  });

  it('proves each promise by a test', () => {
    const [, promises] = /\*\*What you can rely on\.\*\*.*\n\n((?:- .*\n)+)/.exec(readme)!;
    const proofs = promises!.trimEnd().split('\n');
    expect(proofs.length).toBe(5);
    for (const line of proofs) expect(line).toMatch(/\]\((?:test|src)\/[\w/-]+\.test\.ts\)/);
  });

  it('asks what the memories beside the question answer for certain', async () => {
    const place = mkdtempSync(join(tmpdir(), 'reverie-docs-'));
    const memory = await openMemory({
      directory: join(place, 'memory'),
      home: place,
      cwd: place,
      env: { HOME: place },
    });
    try {
      const [, type, name, description, body] =
        /memory save --type (\w+) --name "([^"]+)" \\\s+--description "([^"]+)" \\\s+--body "([^"]+)"/.exec(readme)!;
      const typed = await memory.save({
        type: type as MemoryType,
        name: name!,
        description: description!,
        body: body!,
      });
      const [, fields] = /await memory\.save\(\{([\s\S]+?)\}\)/.exec(readme)!;
      const field = (key: string) => new RegExp(`${key}: '([^']+)'`).exec(fields!)![1]!;
      const program = await memory.save({
        ...{ type: field('type') as MemoryType, name: field('name') },
        ...{ description: field('description'), body: field('body') },
      });
      const asked = [
        [/^reverie recall "([^"]+)"/m.exec(readme)![1]!, typed.file],
        [/memory\.recall\('([^']+)'\)/.exec(readme)![1]!, program.file],
      ] as const;
      for (const [question, file] of asked) {
        const hits = (await memory.recall(question)).filter(({ certain }) => certain);
        expect(hits.map((hit) => hit.file)).toEqual([file]);
      }
    } finally {
      await memory.close();
      rmSync(place, { recursive: true, force: true });
    }
  });
});

describe.concurrent('the tutorial', () => {
  const tutorial = read('docs/tutorial.md');
  const blocks = (language: string) =>
    [...tutorial.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text!);

  it('runs without a key, and prints what it says', { timeout: 60_000 }, async () => {
    const place = mkdtempSync(join(tmpdir(), 'reverie-tutorial-'));
    const project = join(place, 'project');
    mkdirSync(project);
    const commands = blocks('sh').filter((block) => block.startsWith('reverie '));
    expect(commands.length).toBeGreaterThan(5);
    // All of it in one shell, as a reader would; `reverie` is the build.
    const script = ['set -e', `reverie() { "${process.execPath}" "${MAIN}" "$@"; }`, ...commands].join('\n');
    try {
      const { status, stdout, stderr } = await runProgram('sh', ['-c', script], {
        cwd: project,
        env: { PATH: process.env.PATH, HOME: place, NO_COLOR: '1' },
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const promised = blocks('text').flatMap((block) => block.trimEnd().split('\n'));
      expect(promised.length).toBeGreaterThan(5);
      expect(promised.filter((line) => !prints(stdout, line))).toEqual([]);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });
});

/** `…` stands for whatever differs from time to time. */
function prints(output: string, line: string): boolean {
  const pattern = line
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^\\s*${pattern}$`, 'm').test(output);
}

/** As GitHub names them. */
function headingsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe.concurrent('the examples', () => {
  const examples = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.mjs'));

  /** What some of them show. */
  const SHOWN: Readonly<Record<string, RegExp>> = {
    '01-remember.mjs': /undone: {2}Integration tests use the real database/,
    '02-recall.mjs': /--- 1 certain[\s\S]*INGEST[\s\S]*--- 0 certain\nHow high is Mont Blanc\?\n/,
    '03-memory-tool.mjs': /left after undo: 0/,
  };

  it.each(examples)('%s runs without a key, and shows what it is about', { timeout: 60_000 }, async (name) => {
    const { status, stdout, stderr } = await runProgram(process.execPath, [join(root, 'examples', name)]);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout.trim()).not.toBe('');
    expect(stdout).toMatch(SHOWN[name] ?? /./);
  });

  it('that show something of their own exist', () => {
    expect(Object.keys(SHOWN).filter((name) => !examples.includes(name))).toEqual([]);
  });
});
