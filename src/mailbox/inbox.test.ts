/** Files that cannot be read, files that appear while a listing runs, and more of them than are held at once. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createFolder, type Folder } from '../disk/folder.ts';
import { storageError } from '../disk/storage-error.ts';
import { batchName, letterLine, sealBatch } from './batch.ts';
import { openInbox, waitingPage } from './inbox.ts';

const KEY = Buffer.alloc(32, 7);

function place() {
  const root = createFolder(temporaryFolder('inbox'));
  const boxes = new Map<string, Folder>();
  for (const name of ['ann', 'bob', 'eve']) {
    boxes.set(name, root.sub(name, { create: true })!);
    writeFileSync(join(root.path, name, 'key'), KEY.toString('hex'));
  }
  const inbox = boxes.get('bob')!.sub('inbox', { create: true })!;
  const put = (from: string, stamp: number, messages: readonly string[]) => {
    const envelope = { from, to: 'bob', stamp };
    const lines = messages.map((message) => letterLine({ message, at: '2031-05-08T10:00:00.000Z' }));
    writeFileSync(join(inbox.path, batchName(envelope)), sealBatch(envelope, lines, KEY));
  };
  return { root, box: boxes.get('bob')!, inbox, put };
}

/** A folder below which one file cannot be read. */
function withUnreadable(box: Folder, unreadable: Set<string>): Folder {
  return {
    ...box,
    sub(name, options) {
      const folder = box.sub(name, options);
      if (folder === null || name !== 'inbox') return folder;
      return {
        ...folder,
        read(file, maxBytes) {
          const error = Object.assign(new Error('denied'), { code: 'EACCES' });
          if (unreadable.has(file)) throw storageError({ path: file, doing: 'read', error });
          return folder.read(file, maxBytes);
        },
      };
    },
  };
}

async function readAll(inbox: ReturnType<typeof openInbox>): Promise<string[]> {
  const messages: string[] = [];
  for (let message = await inbox.next(); message !== null; message = await inbox.next()) {
    messages.push(message.message);
    inbox.acknowledge(message);
  }
  return messages;
}

describe('an inbox', () => {
  it('holds back a sender whose file cannot be read, and nobody else, until it can be', async () => {
    const { root, box, put } = place();
    put('ann', 1, ['first']);
    put('eve', 2, ['from eve']);
    put('ann', 3, ['second']);
    const unreadable = new Set([batchName({ from: 'ann', stamp: 1 })]);
    const problems: string[] = [];
    const onProblem = (problem: Error) => void problems.push(problem.message);
    const inbox = openInbox({ root, name: 'bob', box: withUnreadable(box, unreadable), now: Date.now, onProblem });
    expect(await readAll(inbox)).toEqual(['from eve']);
    expect(await readAll(inbox)).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(/Cannot read .*permission denied/)]);
    unreadable.clear();
    expect(await readAll(inbox)).toEqual(['first', 'second']);
  });

  it('reads more files than it holds names of, in order', async () => {
    const { root, box, put, inbox: folder } = place();
    const expected: string[] = [];
    for (let stamp = 1; stamp <= 300; stamp += 1) {
      put(stamp % 3 === 0 ? 'eve' : 'ann', stamp, [`message ${stamp}`, `and ${stamp}`]);
      expected.push(`message ${stamp}`, `and ${stamp}`);
    }
    const onProblem = (problem: Error) => expect.fail(problem.message);
    const inbox = openInbox({ root, name: 'bob', box, now: Date.now, onProblem, pageFiles: 20 });
    expect(await readAll(inbox)).toEqual(expected);
    expect(folder.entries()).toEqual([]);
  });

  it('does not hand out a message twice that nobody acknowledged yet', async () => {
    const { root, box, put } = place();
    put('ann', 1, ['one', 'two']);
    put('ann', 2, ['three']);
    const inbox = openInbox({ root, name: 'bob', box, now: Date.now, onProblem: () => undefined });
    const taken = [await inbox.next(), await inbox.next(), await inbox.next(), await inbox.next()];
    expect(taken.map((message) => message?.message)).toEqual(['one', 'two', 'three', undefined]);
    put('ann', 3, ['four']);
    expect((await inbox.next())?.message).toBe('four');
    for (const message of taken.slice(0, 2)) inbox.acknowledge(message!);
    inbox.close();
    const again = openInbox({ root, name: 'bob', box, now: Date.now, onProblem: () => undefined });
    expect(await readAll(again)).toEqual(['three', 'four']);
  });

  it('waits with a file that only the second listing shows: one before it may be missing from the first', () => {
    const { inbox, put } = place();
    put('ann', 2, ['two']);
    let listings = 0;
    const appearing: Folder = {
      ...inbox,
      at(name) {
        if (name === '.' && listings++ === 1) {
          put('ann', 1, ['one']);
          put('ann', 3, ['three']);
        }
        return inbox.at(name);
      },
    };
    const page = waitingPage(appearing, { most: 10, isLeftOut: () => false });
    expect(page.map(({ stamp }) => stamp)).toEqual([1, 2]);
  });
});
