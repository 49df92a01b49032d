/** A folder of 300 memories as years leave it, and a dreamer that knows its work: what a dream is for, from end to end. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DreamRecord } from '../../src/layers/6-dreaming/records/record.ts';
import { LIMITS } from '../../src/limits.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { runDream } from '../../src/session/run-dream.ts';
import { findPlace } from '../../src/settings/place.ts';
import { type MadeUpFolder, madeUpFolder } from '../support/dream-folder.ts';
import { filesIn } from '../support/dream-story.ts';
import { scriptedDreamer } from '../support/dreamers.ts';
import { goodDreamer } from '../support/good-dreamer.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Seven tenths of what the index may hold, as the directive asks for. */
const WANTED_LINES = 165;

describe('a folder of 300 memories', () => {
  let root: string;
  let folder: string;
  let made: MadeUpFolder;
  let before: Record<string, string>;
  let after: Record<string, string>;
  let record: DreamRecord;
  const place = () => ({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH },
  });

  beforeAll(async () => {
    root = temporaryFolder('consolidates');
    made = madeUpFolder();
    const put = (path: string, text: string) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    };
    for (const [path, text] of Object.entries(made.project)) put(join(root, 'project', path), text);
    folder = findPlace(place()).folders[0]!.path;
    for (const { file, text } of made.memories.values()) put(join(folder, file), text);
    put(join(folder, 'MEMORY.md'), made.index);
    const memory = await openMemory(place());
    await memory.noticeOutsideEdits();
    await memory.close();
    before = filesIn(folder);
    const model = scriptedDreamer(goodDreamer(made, { lines: WANTED_LINES }));
    const began = performance.now();
    // All of it in one dream; a script leaves nothing in a cache.
    const settings = { 'limits.dreaming.equivalentTokens': 600_000 };
    const report = await runDream({ ...place(), by: 'hand', model, settings });
    if (report.kind !== 'ended') throw new Error(report.reason);
    record = report.record;
    after = filesIn(folder);
    tell(performance.now() - began);
  }, 120_000);

  function tell(milliseconds: number): void {
    const count = (state: string) => record.changes.filter((change) => change.state === state).length;
    const index = after['MEMORY.md']!;
    process.stdout.write(
      `dream: ${Object.keys(before).length - 1} memories became ${Object.keys(after).length - 1}; index ${lineCount(before['MEMORY.md']!)} to ${lineCount(index)} lines, ` +
        `${Buffer.byteLength(before['MEMORY.md']!)} to ${Buffer.byteLength(index)} bytes; ${count('landed')} landed, ${count('waiting')} wait, ${count('refused')} refused; ` +
        `${record.rounds} rounds, ${record.toolCalls} tool calls, ${Math.round(record.equivalentTokens)} tokens, ${Math.round(milliseconds)} ms\n`,
    );
  }

  it('is what it is said to be', () => {
    expect(made.memories.size).toBe(300);
    expect(lineCount(made.index)).toBeGreaterThan(LIMITS.index.lines);
  });

  it('has every honest change land', () => {
    expect(record.problem).toBeNull();
    const held = record.changes.filter(({ state }) => state !== 'landed');
    expect(held.map(({ action, file, state, why }) => `${action} ${file} ${state}: ${why}`)).toEqual([]);
  });

  it('fits its index, each memory with a line or without one by its own word, and none that leads nowhere', () => {
    const index = after['MEMORY.md']!;
    expect(lineCount(index)).toBeLessThanOrEqual(LIMITS.index.lines);
    expect(Buffer.byteLength(index)).toBeLessThanOrEqual(LIMITS.index.bytes);
    const linked = [...index.matchAll(/^- \[.*\]\(([^)]+)\)/gm)].map((match) => match[1]!);
    expect(linked.filter((file) => !(file in after))).toEqual([]);
    const topics = Object.keys(after).filter((file) => file !== 'MEMORY.md');
    const unnamed = topics.filter((file) => !linked.includes(file) && !/^unlisted: /m.test(after[file]!));
    expect(unnamed).toEqual([]);
  });

  it('has merged the copies and lost no fact', () => {
    const gone = made.copies.flatMap(({ files }) => files.slice(0, -1));
    expect(gone.filter((file) => file in after)).toEqual([]);
    const all = Object.entries(after)
      .filter(([file]) => file !== 'MEMORY.md')
      .map(([, text]) => text)
      .join('\n');
    const facts = [...made.memories.values()].flatMap((memory) => memory.facts);
    expect(new Set(facts).size).toBeGreaterThan(250);
    expect(facts.filter((fact) => !all.includes(fact))).toEqual([]);
  });

  it('says the later word where two disagreed', () => {
    for (const { older, newer } of made.contradictions) {
      expect(older in after, older).toBe(false);
      expect(after[newer], newer).toMatch(/Since 2026-06-\d\d the team meets in/);
    }
  });

  it('has dates in place of days that have gone by, and no path that is gone', () => {
    for (const { file, words, day } of made.relativeDates) {
      expect(after[file], file).toContain(day);
      expect(after[file], file).not.toContain(words);
    }
    for (const { file, path } of made.deadPaths) expect(after[file], file).not.toContain(path);
    for (const { file, short } of made.longDescriptions) expect(after[file], file).toContain(short);
  });

  it('left the pinned alone, and all that needed no change', () => {
    const touched = new Set(record.changes.map(({ file }) => file));
    const others = Object.keys(before).filter((file) => !touched.has(file) && file !== 'MEMORY.md');
    expect(others.filter((file) => after[file] !== before[file])).toEqual([]);
    const pinned = [...made.memories.values()].filter(({ ailment }) => ailment === 'pinned');
    expect(pinned).toHaveLength(6);
    for (const { file } of pinned) expect(after[file]).toBe(before[file]);
  });

  it('comes back byte for byte with one command', async () => {
    const memory = await openMemory(place());
    await memory.undo(record.change!);
    await memory.close();
    expect(filesIn(folder)).toEqual(before);
    expect(readFileSync(join(folder, 'MEMORY.md'), 'utf8')).toBe(before['MEMORY.md']);
  });
});

function lineCount(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '').length;
}
