/** One holder at a time, none that is dead; and the copy that a second one gets. */

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { LIMITS } from '../../limits.ts';
import { type SessionPlace, sessionLayout } from '../home.ts';
import { thisProcess } from '../process-identity.ts';
import { type MessageRecord, messageRecord, type TranscriptRecord } from '../transcript/record.ts';
import { createTranscript, readConversation } from '../transcript/transcript.ts';
import { holdSession, isSessionHeld } from './hold.ts';
import { forkSession } from './hold-fork.ts';

const AT = '2026-01-02T03:04:05.000Z';

async function inHome(work: (place: SessionPlace) => Promise<void>): Promise<void> {
  const home = temporaryFolder('hold');
  await work({ home, slug: 'project-00000000', sessionId: randomUUID() });
}

/** As another process would have left it. */
function leaveLock(place: SessionPlace, holder: object): void {
  const { lock } = sessionLayout(place);
  fs.mkdirSync(lock, { recursive: true });
  fs.writeFileSync(join(lock, '1'), JSON.stringify({ ...thisProcess(), token: 'token', at: Date.now(), ...holder }));
}

describe('holding a session', () => {
  it('is for one at a time, and open to the next after the release', async () => {
    await inHome(async (place) => {
      expect(isSessionHeld(place)).toBe(false);
      const first = await holdSession(place);
      expect(first.kind).toBe('held');
      expect(isSessionHeld(place)).toBe(true);
      expect(await holdSession(place)).toEqual({ kind: 'open-elsewhere', pid: process.pid, host: hostname() });
      if (first.kind !== 'held') return;
      expect(first.stillHeld()).toBe(true);
      await first.release();
      await first.release();
      expect([first.stillHeld(), isSessionHeld(place)]).toEqual([false, false]);
      const second = await holdSession(place);
      expect(second.kind).toBe('held');
      if (second.kind === 'held') await second.release();
    });
  });

  it('of two that ask at once is for one', async () => {
    await inHome(async (place) => {
      const holds = await Promise.all(Array.from({ length: 8 }, () => holdSession(place)));
      expect(holds.filter(({ kind }) => kind === 'held')).toHaveLength(1);
      for (const hold of holds) if (hold.kind === 'held') await hold.release();
    });
  });

  const gone = spawnSync('true').pid;

  it.each<[string, (gone: number) => object, 'held' | 'open-elsewhere']>([
    ['that has ended', (gone) => ({ pid: gone }), 'held'],
    ['of another start of the machine', () => ({ boot: 'another' }), 'held'],
    ['whose number went to another process', () => ({ started: '1' }), 'held'],
    ['that lives', () => ({}), 'open-elsewhere'],
    ['of another host', () => ({ host: 'elsewhere' }), 'open-elsewhere'],
    ['of another host, days ago', () => ({ host: 'elsewhere', at: Date.now() - 9 * 24 * 3_600_000 }), 'held'],
  ])('a holder %s', async (_, holder, expected) => {
    await inHome(async (place) => {
      leaveLock(place, holder(gone));
      expect(isSessionHeld(place)).toBe(expected === 'open-elsewhere');
      const hold = await holdSession({ ...place, limits: { ...LIMITS.transcripts, holdWaitMs: 5 } });
      expect(hold.kind).toBe(expected);
      if (hold.kind === 'held') await hold.release();
    });
  });
});

function message(uuid: string, parentUuid: string | null): MessageRecord {
  const content = [{ type: 'text', text: `words of ${uuid}` }] as const;
  return messageRecord({ uuid, parentUuid, at: AT, message: { role: 'user', content } });
}

const RECORDS: readonly TranscriptRecord[] = [
  message('a', null),
  message('b', 'a'),
  {
    ...{ type: 'boundary', at: AT, uuid: 'B', parentUuid: 'b', trigger: 'manual', tokensBefore: 1 },
    preserved: { head: 'b', anchor: 's', tail: 'b' },
  },
  { type: 'rendered', at: AT, rendered: 'again' },
  message('s', 'B'),
  { type: 'replacement', at: AT, toolUseId: 'one', decision: 'whole' },
  { type: 'cleared', at: AT, toolUseIds: ['two'], by: 'need' },
  { type: 'state', at: AT, layer: 'notes', state: { covered: 'b' } },
  message('c', 'b'),
  { type: 'meta', at: AT, title: 'Title', lastPrompt: 'Last', messages: 4 },
];

describe('a fork', () => {
  it('has the same conversation and states, and goes its own way', async () => {
    await inHome(async (from) => {
      const onProblem = (problem: Error) => expect.unreachable(problem.message);
      const first = { type: 'session', at: AT, version: 1, cwd: '/here', model: 'm', rendered: 'at first' } as const;
      const transcript = createTranscript({ ...from, onProblem, first: { ...first, sessionId: from.sessionId } });
      for (const record of RECORDS) transcript.append(record);
      await transcript.close();
      const { notesFile } = sessionLayout(from);
      fs.mkdirSync(dirname(notesFile), { recursive: true });
      fs.writeFileSync(notesFile, '# Notes');
      const before = fs.readFileSync(transcript.file, 'utf8');

      const sessionId = randomUUID();
      const fallback = { cwd: '/', model: 'none' };
      const { file } = await forkSession({ from, sessionId, at: AT, fallback });
      const [original, fork] = [await readConversation(transcript.file), await readConversation(file)];
      expect(fork.first).toEqual({ ...first, sessionId, forkedFrom: from.sessionId, rendered: 'again' });
      expect(fork.entries.map(({ uuid }) => uuid)).toEqual(['s', 'b', 'c']);
      expect(fork.entries.map((each) => each.message)).toEqual(original.entries.map((each) => each.message));
      expect(fork.states).toEqual(original.states);
      expect(fork.replacements).toEqual(original.replacements);
      expect(fork.cleared).toEqual(original.cleared);
      expect(fork.meta).toEqual(original.meta);
      expect([fork.damaged, fork.bridged]).toEqual([[], 0]);
      expect(fs.readFileSync(sessionLayout({ ...from, sessionId }).notesFile, 'utf8')).toBe('# Notes');
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
      expect(fs.readFileSync(transcript.file, 'utf8')).toBe(before);
      expect(fs.readdirSync(dirname(file)).sort()).toEqual(
        [from.sessionId, `${from.sessionId}.jsonl`, sessionId, `${sessionId}.jsonl`].sort(),
      );
      await expect(forkSession({ from, sessionId, at: AT, fallback })).rejects.toMatchObject({ code: 'refused' });
    });
  });

  it('of nothing says what is missing', async () => {
    await inHome(async (from) => {
      const fork = forkSession({ from, sessionId: randomUUID(), at: AT, fallback: { cwd: '/', model: 'm' } });
      await expect(fork).rejects.toMatchObject({ code: 'not-found' });
    });
  });
});
