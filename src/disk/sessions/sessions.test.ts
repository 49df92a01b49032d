/** The list of sessions, and which one a few letters mean. */

import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { LIMITS } from '../../limits.ts';
import { messageRecord, serializeRecord, type TranscriptRecord } from '../transcript/record.ts';
import { titleOf } from './ends.ts';
import { listSessions, newestSession, resolveSession } from './sessions.ts';

const SLUG = 'project-00000000';
const LIMITS_HERE = { ...LIMITS.transcripts, listedBytes: 2_000 };

type Lines = readonly (TranscriptRecord | string)[];

function idOf(start: string): string {
  return `${start.padEnd(8, '0')}-0000-4000-8000-000000000000`;
}

function atMinute(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
}

function session(start: string, minute: number, rendered: unknown = 'prefix'): TranscriptRecord {
  const facts = { version: 1, sessionId: idOf(start), cwd: '/here', model: 'm', rendered };
  return { type: 'session', at: atMinute(minute), ...facts };
}

function prompt(text: string, minute: number): TranscriptRecord {
  const content = [
    { type: 'text', text: '<context>' },
    { type: 'text', text },
  ] as const;
  const injected = [{ block: 0, source: 'context' }] as const;
  const message = { role: 'user', content } as const;
  return messageRecord({ uuid: `u${minute}`, parentUuid: null, at: atMinute(minute), message, injected });
}

async function withSessions(
  sessions: Readonly<Record<string, Lines>>,
  work: (options: { home: string; slug: string; limits: typeof LIMITS_HERE }) => Promise<void>,
): Promise<void> {
  const home = temporaryFolder('sessions');
  const folder = join(home, 'projects', SLUG);
  fs.mkdirSync(folder, { recursive: true });
  for (const [index, [start, lines]] of Object.entries(sessions).entries()) {
    const path = join(folder, `${idOf(start)}.jsonl`);
    fs.writeFileSync(path, lines.map((line) => (typeof line === 'string' ? line : serializeRecord(line))).join(''));
    // The list goes by these times when it chooses which files to open.
    const time = new Date(Date.UTC(2026, 0, 1, 0, index));
    fs.utimesSync(path, time, time);
  }
  await work({ home, slug: SLUG, limits: LIMITS_HERE });
}

const LONG = 'x'.repeat(50_000);

describe('the list', () => {
  it('has the newest first, with what was asked first and last', async () => {
    const sessions = {
      aaaa: [
        session('aaaa', 1),
        prompt('Mend the tests\nplease', 1),
        { type: 'meta', at: atMinute(2), title: 'Mend the tests', lastPrompt: 'and the docs', messages: 7 },
        { type: 'state', at: atMinute(3), layer: 'notes', state: {} },
      ],
      bbbb: [session('bbbb', 4), prompt('First prompt\nsecond line', 4), prompt('Another prompt', 5)],
      cccc: [session('cccc', 6)],
    } satisfies Record<string, Lines>;
    await withSessions(sessions, async (options) => {
      const bytes = (start: string) => fs.statSync(join(options.home, 'projects', SLUG, `${idOf(start)}.jsonl`)).size;
      expect(await listSessions(options)).toEqual([
        {
          ...{ id: idOf('bbbb'), file: expect.stringContaining(idOf('bbbb')), title: 'First prompt' },
          ...{ lastPrompt: 'Another prompt', started: atMinute(4), modified: atMinute(5), messages: 2 },
          ...{ bytes: bytes('bbbb'), forkedFrom: null, member: null },
        },
        {
          ...{ id: idOf('aaaa'), file: expect.stringContaining(idOf('aaaa')), title: 'Mend the tests' },
          ...{ lastPrompt: 'and the docs', started: atMinute(1), modified: atMinute(3), messages: 7 },
          ...{ bytes: bytes('aaaa'), forkedFrom: null, member: null },
        },
      ]);
      expect((await newestSession(options))?.id).toBe(idOf('bbbb'));
    });
  });

  it('is made from the ends of long files', async () => {
    const meta = { type: 'meta', at: atMinute(3), title: 'Title', lastPrompt: 'Last', messages: 9 } as const;
    const sessions = {
      aaaa: [session('aaaa', 1, LONG), prompt('First', 1), prompt(LONG, 2), meta],
      bbbb: [session('bbbb', 1, LONG), prompt('First', 1), prompt(LONG, 2), prompt('Last', 3)],
      cccc: [session('cccc', 1), prompt('First', 1), meta, prompt(LONG, 2)],
    } satisfies Record<string, Lines>;
    await withSessions(sessions, async (options) => {
      const list = await listSessions(options);
      const shown = list.map(({ title, lastPrompt, started, messages }) => [title, lastPrompt, started, messages]);
      expect(shown).toHaveLength(3);
      expect(shown).toContainEqual(['Title', 'Last', atMinute(1), 9]);
      expect(shown).toContainEqual(['First', 'Last', atMinute(1), null]);
      expect(shown).toContainEqual(['First', '', atMinute(1), null]);
    });
  });

  it('bears what is damaged, and leaves out what is no session', async () => {
    const sessions = {
      aaaa: ['{"type":"session","at"\n', prompt('Still here', 1)],
      bbbb: ['\0\0\0\0'],
    } satisfies Record<string, Lines>;
    await withSessions(sessions, async (options) => {
      const folder = join(options.home, 'projects', SLUG);
      fs.writeFileSync(join(folder, 'notes.jsonl'), serializeRecord(prompt('no session', 1)));
      fs.mkdirSync(join(folder, `${idOf('dddd')}.jsonl`));
      expect((await listSessions(options)).map(({ title, started }) => [title, started])).toEqual([
        ['Still here', null],
      ]);
    });
  });

  it('of a project without any is empty', async () => {
    const options = { home: '/nowhere', slug: SLUG };
    expect([await listSessions(options), await newestSession(options)]).toEqual([[], null]);
  });
});

describe('an id', () => {
  const sessions = {
    aaaa1: [session('aaaa1', 1), prompt('One', 1)],
    aaaa2: [session('aaaa2', 2), prompt('Two', 2)],
    bbbb: [session('bbbb', 3), prompt('Three', 3)],
  } satisfies Record<string, Lines>;

  it.each([
    [idOf('bbbb'), 'bbbb'],
    ['bb', 'bbbb'],
    [' AAAA1 ', 'aaaa1'],
  ])('%j means one session', async (id, expected) => {
    await withSessions(sessions, async (options) => {
      expect(await resolveSession({ ...options, id })).toBe(idOf(expected));
    });
  });

  it('of another project is said to be that, with the way there', async () => {
    await withSessions(sessions, async (options) => {
      const [known] = await listSessions(options);
      const wanted = { ...options, slug: 'another-project', id: known!.id };
      await expect(resolveSession(wanted)).rejects.toMatchObject({
        code: 'not-found',
        message: expect.stringContaining('another project'),
        fix: expect.stringMatching(/^Go on with it there: cd .+ && reverie --resume /),
      });
      await expect(resolveSession({ ...wanted, id: known!.id.slice(0, 8) })).rejects.toMatchObject({
        message: expect.stringContaining('This project has no session'),
      });
    });
  });

  it('that means several, or none, names those there are and the way on', async () => {
    await withSessions(sessions, async (options) => {
      await expect(resolveSession({ ...options, id: 'aaaa' })).rejects.toMatchObject({
        code: 'ambiguous',
        message: expect.stringContaining(idOf('aaaa2')),
      });
      for (const id of ['cccc', '', '../../x']) {
        await expect(resolveSession({ ...options, id })).rejects.toMatchObject({
          code: 'not-found',
          message: expect.stringContaining(`${idOf('bbbb')}  Three`),
          fix: expect.stringContaining(`reverie --resume ${idOf('bbbb')}`),
        });
      }
    });
  });
});

describe('a title', () => {
  it.each([
    ['  Mend\tit   all \nplease', 'Mend it all'],
    ['', ''],
    ['abcdefghijklmnop', 'abcdefghij…'],
    ['👍🏽'.repeat(3), '👍🏽'.repeat(3)],
    ['abcdefghi jk', 'abcdefghi…'],
  ])('of %j', (text, title) => {
    expect(titleOf(text, 11)).toBe(title);
  });
});
