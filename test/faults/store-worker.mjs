/**
 * Does one thing to one memory folder and says so only once it is done. Everything is loaded and warmed up on another
 * folder first, so that what a tracer sees after READY is the work itself.
 */

import { mkdtempSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { basename } from 'node:path';

const facts = JSON.parse(process.argv[2]);
const { importMemories, openMemory, ReverieError } = await import(new URL('index.js', facts.dist).href);

if (facts.warmFolder) await warmUp();
if (facts.umask !== undefined) process.umask(facts.umask);
if (facts.user !== undefined) {
  process.setgid(facts.user);
  process.setuid(facts.user);
}
// Asked of a pool thread, so the answer is that thread's own number.
writeSync(1, `READY ${basename(await readlink('/proc/thread-self'))}\n`);
readSync(0, Buffer.alloc(1));

let isDone = await attempt('');
for (let again = 2; !isDone && again <= (facts.attempts ?? 1); again += 1) isDone = await attempt(String(again));
writeSync(1, 'END\n');
process.exit(0);

async function attempt(suffix) {
  let memory = null;
  let isAcknowledged = false;
  try {
    if (facts.operation.name !== 'import') memory = await openMemory(facts.place);
    const result = await perform(memory, facts.operation);
    isAcknowledged = true;
    writeSync(1, `ACK${suffix} ${JSON.stringify(result)}\n`);
  } catch (error) {
    tell(`ERR${suffix}`, error);
  }
  try {
    await memory?.close();
  } catch (error) {
    tell(`CLOSING${suffix}`, error);
  }
  for (const problem of memory?.problems() ?? []) writeSync(1, `PROBLEM${suffix} ${problem}\n`);
  return isAcknowledged;
}

function tell(word, error) {
  const { code, message, fix, stack } = error;
  const isExpected = error instanceof ReverieError;
  writeSync(1, `${word} ${JSON.stringify({ isExpected, code, message, fix, ...(isExpected ? {} : { stack }) })}\n`);
}

async function perform(memory, operation) {
  switch (operation.name) {
    case 'save':
      return memory.save(operation.request);
    case 'update':
      return memory.update(operation.file, operation.changes);
    case 'pin':
      return memory.pin(operation.file);
    case 'forget':
      return memory.forget(operation.file);
    case 'undo':
      return memory.undo(operation.change);
    case 'purge':
      return memory.purge(operation.file);
    case 'import':
      return importMemories({ ...facts.place, source: operation.source });
    case 'open':
      return memory.log({ limit: 1 });
    default:
      throw new Error(`no operation ${operation.name}`);
  }
}

async function warmUp() {
  const folder = mkdtempSync(`${facts.warmFolder}/warm-`);
  const directory = `${folder}/memory`;
  const memory = await openMemory({ ...facts.place, directory });
  const request = { type: 'project', name: 'warm up', description: 'a harmless line', body: 'nothing of note' };
  const { file } = await memory.save(request);
  await memory.update(file, { description: 'another harmless line' });
  await memory.forget(file);
  await memory.undo();
  await memory.close();
  if (facts.operation.name === 'import') {
    writeFileSync(`${folder}/warm.md`, '---\nname: warm\ndescription: warm\ntype: project\n---\nwarm\n');
    await importMemories({ ...facts.place, directory, source: folder });
  }
  rmSync(folder, { recursive: true });
}
