/** The ladder: a file imports from its own folder and from lower rungs only. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** Highest first; what stands on one rung are strangers to one another. */
const LADDER = [
  ['index.ts', 'main.ts'],
  ['cli', 'mcp', 'inspector'],
  ['hooks', 'embed'],
  ['session', 'reports'],
  ['recall', 'layers'],
  ['toolbox', 'team'],
  ['agent', 'memory'],
  ['search'],
  ['settings', 'mailbox'],
  ['model', 'disk'],
  ['conversation'],
  ['base', 'limits', 'limits.ts', 'errors.ts'],
];
const LONGEST_SOURCE_LINES = 300;
const LONGEST_TEST_LINES = 500;
const MOST_FILES = 30;

function rungOf(path: string): number {
  return LADDER.findIndex((rooms) => rooms.includes(path.split('/')[0] ?? ''));
}

/** Layers are strangers to one another. */
function roomOf(path: string): string {
  const [first, second] = path.split('/');
  return first === 'layers' ? `${first}/${second}` : (first ?? '');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const files = filesBelow(source).filter((path) => path.endsWith('.ts'));
const sources = files.filter((path) => !path.endsWith('.test.ts'));

function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) =>
    normalize(join(dirname(path), match[1]!)),
  );
}

/** What keeps an import from being allowed, or null. */
function objection(from: string, to: string): string | null {
  const [fromRung, toRung] = [rungOf(from), rungOf(to)];
  if (toRung === -1) return `${to} is on no rung`;
  if (toRung < fromRung) return `${from} reaches up to ${to}`;
  const isSameRoom = roomOf(from) === roomOf(to);
  // The two files of the top rung and the two of the lowest are rooms of their own and may know lib and each other.
  const isFileRung = fromRung === 0 || fromRung === LADDER.length - 1;
  return toRung === fromRung && !isSameRoom && !isFileRung ? `${from} reaches sideways to ${to}` : null;
}

describe('the ladder', () => {
  it('has a rung for every file', () => {
    expect(sources.map((path) => relative(source, path)).filter((path) => rungOf(path) === -1)).toEqual([]);
  });

  it('is never climbed by an import', () => {
    const objections = sources.flatMap((path) =>
      importsOf(path).map((target) => objection(relative(source, path), relative(source, target))),
    );
    expect(objections.filter((each) => each !== null)).toEqual([]);
  });

  it('would object to an import that climbs', () => {
    expect(objection('disk/lock.ts', 'memory/key.ts')).toBe('disk/lock.ts reaches up to memory/key.ts');
    expect(objection('disk/lock.ts', 'model/metered.ts')).toBe('disk/lock.ts reaches sideways to model/metered.ts');
    expect(objection('layers/snip/join.ts', 'layers/collapse/index.ts')).toMatch('reaches sideways');
    expect(objection('memory/key.ts', 'disk/folder.ts')).toBeNull();
  });
});

/** Where programs are started: by ours, and what the user allowed, configured or was asked about. */
const STARTERS = [
  'disk/programs.ts',
  'agent/sandbox/find-sandbox.ts',
  'agent/tools/shell/process-group.ts',
  'agent/tools/shell/death-watch.ts',
  'agent/mcp-client/server-process.ts',
  'agent/user-hooks/run-command.ts',
  // The text of a plugin that runs in another program.
  'hooks/hosts/opencode-plugin.ts',
  // Only names it, as a module to load late.
  'hooks/program.ts',
  // The same hook once more, in a process that may be ended.
  'hooks/heavy.ts',
];

describe('programs', () => {
  it('are started in few places', () => {
    const starting = sources.filter((path) => readFileSync(path, 'utf8').includes('child_process'));
    expect(starting.map((path) => relative(source, path)).toSorted()).toEqual(STARTERS.toSorted());
  });
});

describe('every file', () => {
  it('is one of few in its folder', () => {
    const counts = new Map<string, number>();
    for (const path of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    const full = [...counts].filter(([, count]) => count > MOST_FILES);
    expect(full.map(([folder, count]) => `${relative(source, folder)}: ${count} files`)).toEqual([]);
  });

  it('is short enough to read in one go', () => {
    const long = files.flatMap((path) => {
      const lines = readFileSync(path, 'utf8').split('\n').length;
      const most = path.endsWith('.test.ts') ? LONGEST_TEST_LINES : LONGEST_SOURCE_LINES;
      return lines > most + 1 ? [`${relative(source, path)}: ${lines} lines`] : [];
    });
    expect(long).toEqual([]);
  });

  it('says in its first line what it is for', () => {
    const silent = sources.filter((path) => !/^(#!.*\n)?\/\*\*/.test(readFileSync(path, 'utf8')));
    expect(silent.map((path) => relative(source, path))).toEqual([]);
  });

  it('imports only what exists', () => {
    const missing = files.flatMap(importsOf).filter((path) => !statSync(path, { throwIfNoEntry: false })?.isFile());
    expect(missing).toEqual([]);
  });
});
