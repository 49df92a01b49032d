/** What the documents promise exists: commands, scripts, files; and the examples run. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { MemoryType } from '../src/base/taxonomy.ts';
import { COMMANDS } from '../src/cli/catalog.ts';
import { openMemory } from '../src/session/open-memory.ts';
import { SETTINGS } from '../src/settings/settings.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'AGENTS.md', 'CHANGELOG.md'];
/** Joined to the table in main.ts, because they bring another surface with them. */
const JOINED_IN_MAIN = ['mcp', 'install'];

describe('the documents', () => {
  it('name commands that exist', () => {
    const names = new Set([...COMMANDS.map(({ name }) => name), ...JOINED_IN_MAIN]);
    for (const name of JOINED_IN_MAIN) expect(read('src/main.ts')).toContain(`'${name}'`);
    const named = [...read('README.md').matchAll(/(?:npx |`)reverie ([a-z]+)(?: ([a-z]+))?/g)].map(
      ([, first, second]) => (names.has(`${first} ${second}`) ? `${first} ${second}` : first!),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !names.has(name) && name !== 'memory')).toEqual([]);
  });

  it('name every setting, and every variable that stands for one', () => {
    const readme = read('README.md');
    const isNamed = (key: string) => readme.includes(`\`${key}\``) || readme.includes(`\`.${key.split('.').at(-1)}\``);
    expect(Object.keys(SETTINGS).filter((key) => !isNamed(key))).toEqual([]);
    // Each layer can be switched off by a variable; the README says how they are called.
    const variables = Object.entries(SETTINGS).flatMap(([key, row]) =>
      'env' in row && !key.startsWith('layers.') ? [row.env] : [],
    );
    expect(variables.filter((name) => !readme.includes(name))).toEqual([]);
  });

  it('ask what the memories beside the question answer for certain', async () => {
    const readme = read('README.md');
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
        [/npx reverie recall "([^"]+)"/.exec(readme)![1]!, typed.file],
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

  it.each(DOCUMENTS)('%s names scripts that exist', (document) => {
    const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
    const named = [...read(document).matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
    expect(named.filter((name) => !scripts.includes(name!))).toEqual([]);
  });

  it.each(['ARCHITECTURE.md', 'AGENTS.md'])('%s names source files that exist', (document) => {
    const named = [
      ...read(document).matchAll(
        /(?<![\w/-])(?:src\/)?((?:cli|mcp|hooks|embed|session|reports|recall|layers|toolbox|agent|memory|search|settings|model|disk|conversation|base)\/[\w/-]+\.ts)\b/g,
      ),
    ];
    const missing = named.map(([, path]) => path!).filter((path) => !existsSync(join(root, 'src', path)));
    expect(missing).toEqual([]);
  });
});

describe('the examples', () => {
  const examples = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.mjs'));

  it.each(examples)('%s runs without a key', (name) => {
    const output = execFileSync(process.execPath, [join(root, 'examples', name)], {
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect(output.trim()).not.toBe('');
  });

  it('show undo, and silence where nothing matters', () => {
    const run = (name: string) => execFileSync(process.execPath, [join(root, 'examples', name)], { encoding: 'utf8' });
    expect(run('01-remember.mjs')).toContain('undone:  Integration tests use the real database');
    expect(run('02-recall.mjs')).toMatch(/--- 1 certain[\s\S]*INGEST[\s\S]*--- 0 certain\nHow high is Mont Blanc\?\n/);
    expect(run('03-memory-tool.mjs')).toContain('left after undo: 0');
  });
});
