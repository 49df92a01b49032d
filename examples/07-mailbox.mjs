// Two agents talk: one asks, the other answers, and the first learns that it was answered. Run it: node examples/07-mailbox.mjs
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMailbox } from 'reverie';

// Without `home` it is ~/.reverie, where every agent of yours finds the others. Here both are in one process.
const home = mkdtempSync(join(tmpdir(), 'reverie-'));
const leader = await openMailbox({ name: 'leader', home });
const tester = await openMailbox({ name: 'tester', home });

// Resolves when the message is on the disk.
const question = await leader.send({ to: 'tester', message: 'Do the tests pass?', summary: 'a question' });
console.log('sent:   ', leader.receipt(question).state);

// Asking for the next message acknowledges the one before.
for await (const { id, from, message } of tester.receive({ until: 'empty' })) {
  console.log('read:   ', `${from}: ${message}`);
  await tester.send({ to: from, message: 'All of them.', answers: id });
}
for await (const { message } of leader.receive({ until: 'empty' })) console.log('answer: ', message);
console.log('now:    ', leader.receipt(question).state);

// Nobody is written to in vain.
await leader.send({ to: 'writer', message: 'Hello?' }).catch((error) => console.log('error:  ', error.message));
await Promise.all([leader.close(), tester.close()]);
