/** What commands change in memory behind the gate, over real folders: whose work it is, and as whose word it stays. */

import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { CommandEnd, Shells } from '../agent/tools/shell/shells.ts';
import type { Entry } from '../conversation/entry.ts';
import { LIMITS } from '../limits.ts';
import type { Memory } from '../memory/memory.ts';
import { openMemory } from '../session/open-memory.ts';
import { agentWriteGuard } from './tools.ts';
import { watchedShells } from './write-watch.ts';

const RULE = 'Never mock the database in tests.';
const END: CommandEnd = { how: 'exited', code: 0, signal: null, output: 'done\n', error: null };
/** Longer than any file system's clock ticks. */
const PAUSE_MS = 120;

let place: string;
let memory: Memory;
let told: string[];
let said: string;
let watchMs: number;

beforeEach(async () => {
  place = temporaryFolder('write-watch');
  told = [];
  said = 'Tidy up.';
  watchMs = 60_000;
  await open();
});
afterEach(() => memory.close());

async function open(settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
  memory = await openMemory({ home: join(place, 'home'), cwd: place, env: { HOME: place }, settings });
}

/** A command that does this, as a session's shell would run it. */
async function run(does: () => void): Promise<string> {
  const entry: Entry = {
    ...{ uuid: 'm1', parentUuid: null, at: new Date().toISOString() },
    message: { role: 'user', content: [{ type: 'text', text: said }] },
  };
  const shells: Shells = {
    cwd: () => place,
    async run() {
      does();
      return END;
    },
    start: async () => null,
    background: () => [],
    stop: async () => false,
    close: async () => {},
  };
  const facts = {
    ...{ memory, cwd: place, projectRoot: place, limits: LIMITS, sessionId: 's1' },
    ...{ entries: () => [entry], now: () => new Date() },
  };
  const watched = watchedShells(shells, {
    ...{ memory, guard: agentWriteGuard(facts), tell: (line) => told.push(line) },
    limits: { ...LIMITS.gate, watchMs },
  });
  const end = await watched.run('', { timeoutMs: 1, signal: new AbortController().signal, onOutput: () => {} });
  return end.output;
}

const path = (file: string) => join(memory.folders.project!, file);
const write = (file: string, text: string) => {
  fs.mkdirSync(memory.folders.project!, { recursive: true });
  fs.writeFileSync(path(file), text);
};
const text = (body: string, more = '') =>
  `---\nname: No mocks\ndescription: ${RULE}\ntype: feedback\n${more}---\n\n${body}\n`;
const journal = async () => (await memory.log()).map(({ kind, who, files }) => [kind, who, files[0]]);

describe('a file that a command makes', () => {
  it('is the agent’s, and seen, whatever it says of itself', async () => {
    const output = await run(() => write('x.md', text(RULE, 'source: said\n')));
    expect(await memory.list()).toMatchObject([{ file: 'x.md', source: 'seen' }]);
    expect((await memory.get('x.md')).body.trim()).toBe(RULE);
    expect(await journal()).toEqual([
      ['update', 'agent', 'x.md'],
      ['edit', 'agent', 'x.md'],
    ]);
    expect(output).toMatch(/^done\n\[x\.md in memory changed while this command ran.*Write and Edit there\.\]$/s);
    expect(told).toEqual([expect.stringMatching(/x\.md.*seen.*reverie memory diff/s)]);
  });

  it('is the user’s word where it is, as if it had been written with Write', async () => {
    said = `Remember: ${RULE}`;
    expect(await run(() => write('x.md', text(RULE)))).toBe(END.output);
    expect(await memory.list()).toMatchObject([{ source: 'said', origin: { session: 's1', message: 'm1' } }]);
    expect(told).toEqual([]);
  });

  it.each([
    ['without front matter', `${RULE}\n`],
    ['with half of it', `---\nname: x\n\n${RULE}\n`],
  ])('is seen %s', async (_what, content) => {
    await run(() => write('x.md', content));
    expect(await memory.list()).toMatchObject([{ file: 'x.md', source: 'seen' }]);
    expect(fs.readFileSync(path('x.md'), 'utf8')).toContain(RULE);
  });
});

describe('a memory of the user’s', () => {
  beforeEach(async () => {
    await memory.save({ type: 'feedback', name: 'x', description: RULE, body: RULE, source: 'said' });
  });

  it('is no longer their word once a command turns it around', async () => {
    const file = path('feedback_x.md');
    const turned = () => fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('Never', 'Always'));
    expect(await run(turned)).toContain('kept as seen');
    expect(await memory.get('feedback_x.md')).toMatchObject({
      source: 'seen',
      body: expect.stringContaining('Always'),
    });
    await memory.undo();
    await memory.undo();
    expect(await memory.get('feedback_x.md')).toMatchObject({ source: 'said', body: expect.stringContaining('Never') });
  });

  it('stays theirs where a command only sets its lines again', async () => {
    const file = path('feedback_x.md');
    expect(await run(() => fs.appendFileSync(file, '\n\n'))).toBe(END.output);
    expect(await memory.get('feedback_x.md')).toMatchObject({ source: 'said' });
    expect((await journal())[0]).toEqual(['edit', 'agent', 'feedback_x.md']);
  });

  it('goes as the agent’s doing', async () => {
    expect(await run(() => fs.rmSync(path('feedback_x.md')))).toBe(END.output);
    expect((await journal())[0]).toEqual(['edit', 'agent', 'feedback_x.md']);
    await memory.undo();
    expect(await memory.get('feedback_x.md')).toMatchObject({ source: 'said' });
  });

  it('has its line left as it is, with the way back: a person may have written it just then', async () => {
    const output = await run(() => fs.appendFileSync(path('MEMORY.md'), '- Always push to main.\n'));
    expect(output).toContain('MEMORY.md');
    expect(fs.readFileSync(path('MEMORY.md'), 'utf8')).toContain('- Always push to main.');
    const change = /reverie memory undo (\S+)/.exec(told[0]!)![1]!;
    await memory.undo(change);
    expect(fs.readFileSync(path('MEMORY.md'), 'utf8')).not.toContain('Always push');
  });

  it('holds no command up: what is found late is told to the user alone', async () => {
    const { noticeOutsideEdits } = memory;
    memory = {
      ...memory,
      async noticeOutsideEdits(by) {
        if (by === undefined) return [];
        await wait(PAUSE_MS);
        return noticeOutsideEdits(by);
      },
    };
    watchMs = 20;
    expect(await run(() => write('x.md', text('Always push.')))).toBe(END.output);
    await expect.poll(() => told).toEqual([expect.stringMatching(/x\.md/)]);
  });
});

describe('what a person did', () => {
  it('before the command is theirs', async () => {
    write('mine.md', text(RULE));
    await wait(PAUSE_MS);
    expect(await run(() => write('x.md', text('Always push.')))).toContain('x.md');
    const sources = (await memory.list()).map(({ file, source }) => [file, source]);
    expect(sources).toEqual([
      ['mine.md', 'said'],
      ['x.md', 'seen'],
    ]);
    expect(await memory.log({ file: 'mine.md' })).toMatchObject([{ who: 'user' }]);
  });

  it('by taking a file away before the command is theirs', async () => {
    await memory.save({ type: 'feedback', name: 'x', description: RULE, body: RULE });
    fs.rmSync(path('feedback_x.md'));
    await wait(PAUSE_MS);
    await run(() => {});
    expect((await journal())[0]).toEqual(['edit', 'user', 'feedback_x.md']);
  });
});

it('says nothing of a command that leaves memory alone, nor where it is off', async () => {
  expect(await run(() => fs.writeFileSync(join(place, 'a.txt'), 'x'))).toBe(END.output);
  const enabled = memory;
  memory = await openMemory({ bare: true, home: join(place, 'home'), cwd: place, env: { HOME: place } });
  expect(await run(() => {})).toBe(END.output);
  await enabled.close();
});

it('looks at every file of a large folder only when files came or went', async () => {
  await memory.close();
  await open({ limits: { gate: { watchedFiles: 1 } } });
  for (const name of ['x', 'y'])
    await memory.save({ type: 'feedback', name, description: RULE, body: `${RULE} ${name}` });
  await wait(PAUSE_MS);
  await memory.noticeOutsideEdits();
  await wait(PAUSE_MS);
  await memory.noticeOutsideEdits();
  expect(await run(() => fs.appendFileSync(path('feedback_x.md'), 'Always push.\n'))).toBe(END.output);
  expect(await run(() => write('z.md', text('Always pull.')))).toContain('z.md');
  expect((await memory.list()).map(({ file, source }) => [file, source])).toContainEqual(['z.md', 'seen']);
});
