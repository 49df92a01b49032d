/** A mailbox that listens on a socket: who may speak to it, and where it may be. */

import { readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openMailbox } from './mailbox.ts';

async function pair() {
  const home = temporaryFolder('uds');
  const [ann, bob] = [await openMailbox({ name: 'ann', home }), await openMailbox({ name: 'bob', home, socket: true })];
  return { home, ann, bob, close: () => Promise.all([ann.close(), bob.close()]) };
}

describe('a socket', () => {
  it('takes messages from other sessions of the user, in order with those that come as files', async () => {
    const { home, ann, bob, close } = await pair();
    expect(bob.address).toBe(`uds:${join(home, 'sockets', 'bob.sock')}`);
    expect(statSync(join(home, 'sockets')).mode & 0o777).toBe(0o700);
    const sent = await Promise.all(
      ['one', 'two', 'three', 'four'].map((message, at) =>
        ann.send({ to: at % 2 === 0 ? bob.address! : 'bob', message }),
      ),
    );
    expect(sent[0]).toMatchObject({ to: 'bob', state: 'queued' });
    const received: string[] = [];
    for await (const { message } of bob.receive({ until: 'empty' })) received.push(message);
    expect(received).toEqual(['one', 'two', 'three', 'four']);
    expect(ann.receipt(sent[0]!).state).toBe('in-context');
    await close();
    expect(readdirSync(join(home, 'sockets'))).toEqual([]);
  });

  it('outside the folder, a link, a file or one that is gone is refused', async () => {
    const { home, ann, bob, close } = await pair();
    const elsewhere = join(temporaryFolder('out'), 'eve.sock');
    const server = createServer().listen(elsewhere);
    symlinkSync(elsewhere, join(home, 'sockets', 'eve.sock'));
    writeFileSync(join(home, 'sockets', 'file.sock'), '');
    const send = (path: string) => ann.send({ to: `uds:${path}`, message: 'hello' });
    await expect(send(elsewhere)).rejects.toThrow(/not a socket in your own folder/);
    await expect(send(join(home, 'sockets', '..', 'bob.sock'))).rejects.toThrow(/not a socket in your own folder/);
    await expect(send(join(home, 'sockets', 'eve.sock'))).rejects.toThrow(/is not a socket/);
    await expect(send(join(home, 'sockets', 'file.sock'))).rejects.toThrow(/is not a socket/);
    await expect(send(join(home, 'sockets', 'carl.sock'))).rejects.toThrow(/nobody listens there/);
    server.close();
    await bob.close();
    await close();
  });

  it('refuses whoever has not the token', async () => {
    const { home, ann, bob, close } = await pair();
    writeFileSync(join(home, 'sockets', 'bob.token'), 'f'.repeat(64));
    await expect(ann.send({ to: bob.address!, message: 'hello' })).rejects.toThrow(/the token is wrong/);
    await close();
  });
});
