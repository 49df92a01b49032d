/** Appending to a transcript: whatever was said comes back as it was, and a failing disk does not stop the conversation. */

import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { unicodeText } from '../../../test/support/unicode-text.ts';
import type { Entry } from '../../conversation/entry.ts';
import type { Message } from '../../conversation/message.ts';
import type { ReverieError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { messageRecord, type SessionRecord, serializeRecord, type TranscriptRecord } from './record.ts';
import { createTranscript, openTranscript, readConversation, type TranscriptOptions } from './transcript.ts';

const AT = '2026-01-02T03:04:05.000Z';

async function inHome(work: (options: TranscriptOptions, problems: ReverieError[]) => Promise<void>): Promise<void> {
  const home = temporaryFolder('transcript');
  const problems: ReverieError[] = [];
  const place = { home, slug: 'project-00000000', sessionId: randomUUID() };
  await work({ ...place, onProblem: (problem) => problems.push(problem) }, problems);
}

function firstRecord(options: { readonly sessionId: string }): SessionRecord {
  return {
    type: 'session',
    at: AT,
    version: 1,
    sessionId: options.sessionId,
    cwd: '/project',
    model: 'test-model',
    rendered: { system: [{ text: 'Be brief.' }], tools: [] },
  };
}

function said(text: string, parentUuid: string | null): Entry {
  return { uuid: randomUUID(), parentUuid, at: AT, message: { role: 'user', content: [{ type: 'text', text }] } };
}

function chained(messages: readonly Message[]): Entry[] {
  const uuids = messages.map(() => randomUUID());
  return messages.map((message, at) => ({ uuid: uuids[at]!, parentUuid: uuids[at - 1] ?? null, at: AT, message }));
}

/** Any text at all, halves of surrogate pairs among it. */
const text = fc.oneof(
  unicodeText(),
  fc.string({ unit: fc.integer({ min: 0xd7f0, max: 0xe00f }).map((code) => String.fromCharCode(code)) }),
);
const object = fc.dictionary(text, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }) as fc.Arbitrary<
  Record<string, unknown>
>;
const block = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('thinking' as const), thinking: text, signature: text }),
  fc.record({ type: fc.constant('tool_use' as const), id: text, name: text, input: object }),
  fc.record({ type: fc.constant('opaque' as const), wire: object }),
);
const message = fc.record({
  role: fc.constantFrom('user' as const, 'assistant' as const),
  content: fc.array(block, { maxLength: 4 }),
});

describe('a transcript', () => {
  it('gives back what was appended, deep-equal and to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 8 }), object, async (messages, rendered) => {
        await inHome(async (options, problems) => {
          const first = { ...firstRecord(options), rendered };
          const entries = chained(messages);
          const transcript = createTranscript({ ...options, first });
          for (const entry of entries) transcript.append(messageRecord(entry));
          transcript.append({ type: 'state', at: AT, layer: 'notes', state: rendered });
          await transcript.close();

          const found = await readConversation(transcript.file);
          // What JSON makes of the values (−0 becomes 0) is what the wire would carry too.
          expect(found.entries).toStrictEqual(JSON.parse(JSON.stringify(entries)));
          expect(found.first).toStrictEqual(JSON.parse(JSON.stringify(first)));
          expect(found.damaged).toEqual([]);
          expect(problems).toEqual([]);
          const again: TranscriptRecord[] = [
            found.first!,
            ...found.entries.map(messageRecord),
            { type: 'state', at: AT, layer: 'notes', state: found.states.get('notes') },
          ];
          expect(again.map(serializeRecord).join('')).toBe(fs.readFileSync(transcript.file, 'utf8'));
        });
      }),
      { numRuns: 60 },
    );
  });

  it('is for the user alone, under any umask', async () => {
    await inHome(async (options) => {
      const transcript = createTranscript({ ...options, first: firstRecord(options) });
      await transcript.close();
      const modeOf = (path: string) => fs.statSync(path).mode & 0o777;
      expect(modeOf(transcript.file)).toBe(0o600);
      expect(modeOf(dirname(transcript.file))).toBe(0o700);
      expect(transcript.file).toBe(join(options.home, 'projects', options.slug, `${options.sessionId}.jsonl`));
    });
  });

  it('goes on behind a torn tail without losing the next record', async () => {
    await inHome(async (options) => {
      const transcript = createTranscript({ ...options, first: firstRecord(options) });
      const [one, two] = [said('one', null), said('two', null)];
      transcript.append(messageRecord(one));
      await transcript.close();
      fs.appendFileSync(transcript.file, '{"type":"state","at":"20');
      const again = openTranscript(options);
      again.append(messageRecord({ ...two, parentUuid: one.uuid }));
      await again.close();
      const found = await readConversation(transcript.file);
      expect(found.entries.map(({ uuid }) => uuid)).toEqual([one.uuid, two.uuid]);
      expect(found.damaged).toHaveLength(1);
      expect(found.bridged).toBe(0);
    });
  });

  it('never takes the place of another one', async () => {
    await inHome(async (options, problems) => {
      const transcript = createTranscript({ ...options, first: firstRecord(options) });
      await transcript.close();
      const before = fs.readFileSync(transcript.file);
      const second = createTranscript({ ...options, first: firstRecord(options) });
      second.append(messageRecord(said('lost', null)));
      await second.close();
      expect(fs.readFileSync(transcript.file)).toEqual(before);
      expect(problems).toHaveLength(1);
    });
  });

  it('goes on in a new file when someone removed it', async () => {
    await inHome(async (options, problems) => {
      const transcript = createTranscript({ ...options, first: firstRecord(options) });
      fs.rmSync(transcript.file);
      const entry = said('later', null);
      transcript.append(messageRecord(entry));
      await transcript.close();
      expect((await readConversation(transcript.file)).entries).toEqual([entry]);
      expect(problems).toEqual([]);
    });
  });

  it('refuses an id that would lead to another folder', () => {
    for (const sessionId of ['memory', '..', 'a/b', '']) {
      const options = { home: '/nowhere', slug: 'slug', sessionId, onProblem: () => undefined };
      expect(() => openTranscript(options)).toThrow('is no session id');
    }
  });

  it('tells of a value that is no JSON, and goes on', async () => {
    await inHome(async (options, problems) => {
      const transcript = createTranscript({ ...options, first: firstRecord(options) });
      const circle: Record<string, unknown> = {};
      circle.self = circle;
      transcript.append({ type: 'state', at: AT, layer: 'notes', state: circle });
      transcript.append(messageRecord(said('still here', null)));
      await transcript.close();
      expect(problems.map(({ code }) => code)).toEqual(['damaged']);
      expect((await readConversation(transcript.file)).entries).toHaveLength(1);
    });
  });
});

/** A disk that takes so many bytes; what is beyond them is cut off, as a full one does. */
function diskWithRoom(room: { bytes: number }) {
  return (descriptor: number, bytes: Uint8Array): number => {
    const taken = Math.min(room.bytes, bytes.length);
    if (taken === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    room.bytes -= taken;
    return fs.writeSync(descriptor, bytes.subarray(0, taken));
  };
}

describe('a full disk', () => {
  it('is told once, and what it refused is written when there is room again', async () => {
    await inHome(async (options, problems) => {
      const room = { bytes: Number.POSITIVE_INFINITY };
      const transcript = createTranscript({ ...options, write: diskWithRoom(room), first: firstRecord(options) });
      const words = ['one', 'two', 'three', 'four'];
      const entries = chained(words.map((word) => said(word, null).message));
      transcript.append(messageRecord(entries[0]!));
      room.bytes = 30;
      transcript.append(messageRecord(entries[1]!));
      transcript.append(messageRecord(entries[2]!));
      expect(problems.map(({ message: told }) => told)).toEqual([expect.stringContaining('the disk is full')]);
      room.bytes = Number.POSITIVE_INFINITY;
      transcript.append(messageRecord(entries[3]!));
      await transcript.close();
      const found = await readConversation(transcript.file);
      expect(found.entries).toEqual(entries);
      // The thirty bytes that went in are a line of their own.
      expect(found.damaged).toHaveLength(1);
      expect(problems).toHaveLength(1);
    });
  });

  it('costs the oldest waiting records once too many wait', async () => {
    await inHome(async (options) => {
      const room = { bytes: Number.POSITIVE_INFINITY };
      const limits = { ...LIMITS.transcripts, waitingBytes: 1_000 };
      const write = diskWithRoom(room);
      const transcript = createTranscript({ ...options, limits, write, first: firstRecord(options) });
      room.bytes = 0;
      for (let count = 0; count < 50; count += 1) {
        transcript.append({ type: 'note', at: AT, reason: `note ${count}` });
      }
      room.bytes = Number.POSITIVE_INFINITY;
      await transcript.close();
      const { notes } = await readConversation(transcript.file);
      expect(notes.at(-1)?.reason).toBe('note 49');
      expect(notes.length).toBeGreaterThan(5);
      expect(notes.length).toBeLessThan(20);
    });
  });

  it('lets a conversation begin that has no transcript yet', async () => {
    await inHome(async (options, problems) => {
      fs.writeFileSync(join(options.home, 'projects'), 'in the way');
      const transcript = createTranscript({ ...options, first: firstRecord(options) });
      const entry = said('hello', null);
      transcript.append(messageRecord(entry));
      expect(problems).toHaveLength(1);
      fs.rmSync(join(options.home, 'projects'));
      await transcript.close();
      const found = await readConversation(transcript.file);
      expect(found.first?.sessionId).toBe(options.sessionId);
      expect(found.entries).toEqual([entry]);
    });
  });
});
