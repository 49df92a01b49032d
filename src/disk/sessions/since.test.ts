/** Which sessions count for a dream. */

import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { atOnce } from '../../base/async/in-turns.ts';
import { countingSessionsSince, type SessionsSince } from './since.ts';

const idOf = (start: string) => `${start.padEnd(8, '0')}-0000-4000-8000-000000000000`;
const minute = (number: number) => Date.UTC(2026, 0, 1, 0, number);

let home: string;
beforeAll(() => {
  home = temporaryFolder('sessions-since');
  const put = (path: string, atMinute: number) => {
    const file = join(home, 'projects', path);
    fs.mkdirSync(join(file, '..'), { recursive: true });
    fs.writeFileSync(file, '{}\n');
    fs.utimesSync(file, new Date(minute(atMinute)), new Date(minute(atMinute)));
  };
  put(`one/${idOf('a')}.jsonl`, 10);
  put(`one/${idOf('b')}.jsonl`, 20);
  put(`one/${idOf('c')}.jsonl`, 30);
  put(`two/${idOf('d')}.jsonl`, 30);
  // None of these is a session of its own.
  put(`one/${idOf('a')}/agents/${idOf('e')}.jsonl`, 30);
  put(`one/${idOf('a')}/${idOf('f')}.jsonl`, 30);
  put('one/project.json', 30);
  put('one/agent-1.jsonl', 30);
  put('one/memory/MEMORY.md', 30);
  put('stray.jsonl', 30);
  fs.mkdirSync(join(home, 'projects', 'one', `${idOf('9')}.jsonl`));
  fs.symlinkSync(join(home, 'projects', 'stray.jsonl'), join(home, 'projects', 'one', `${idOf('8')}.jsonl`));
});

const one: SessionsSince['projects'] = { slug: 'one' };

describe('countingSessionsSince', () => {
  it.each<[string, Partial<SessionsSince>, number]>([
    ['all of a project', {}, 3],
    ['all of every project', { projects: 'all' }, 4],
    ['without the one that asks', { except: idOf('b') }, 2],
    ['those touched later', { sinceMs: minute(10) }, 2],
    ['those of every project touched later', { projects: 'all', sinceMs: minute(20) }, 2],
    ['none after the last', { sinceMs: minute(30) }, 0],
    ['no further than asked', { most: 2 }, 2],
    ['of a project without sessions', { projects: { slug: 'three' } }, 0],
  ])('%s', (_, given, expected) => {
    expect(
      atOnce(countingSessionsSince({ home, projects: one, sinceMs: null, except: null, most: 100, ...given })),
    ).toBe(expected);
  });

  it('is none where there is no home yet', () => {
    const nowhere = join(home, 'nowhere');
    expect(
      atOnce(countingSessionsSince({ home: nowhere, projects: 'all', sinceMs: null, except: null, most: 5 })),
    ).toBe(0);
  });
});
