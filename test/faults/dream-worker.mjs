/**
 * Dreams once, after a plan, and says so only once it is over. Everything is loaded and warmed up on another folder first,
 * so that what a tracer sees after READY is the dream itself.
 */

import { mkdirSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { basename } from 'node:path';

const facts = JSON.parse(process.argv[2]);
const load = (path) => import(new URL(path, facts.dist).href);
const { runDream } = await load('session/run-dream.js');
const { scriptedModel } = await load('model/scripted.js');
const { findPlace } = await load('settings/place.js');

await dream(warmPlace());
writeSync(1, `READY ${basename(await readlink('/proc/thread-self'))}\n`);
readSync(0, Buffer.alloc(1));
const report = await dream(facts.place);
writeSync(1, `ACK ${JSON.stringify(report.kind === 'ended' ? report.record.status : report)}\n`);
process.exit(0);

function dream(place) {
  return runDream({ ...place, by: 'hand', model: scriptedModel({ answer: answerOf }), settings: facts.settings });
}

function answerOf({ messages }) {
  const text = JSON.stringify(messages);
  const copy = /Work on a copy: (.+?)\\n/.exec(text)?.[1] ?? '';
  const step = facts.steps[messages.filter(({ role }) => role === 'assistant').length];
  if (step === undefined) return { text: 'Done.' };
  const placed = (value) => (typeof value === 'string' ? value.replaceAll('{{copy}}', copy) : value);
  const tools = step.calls.map(([name, input]) => {
    return { name, input: Object.fromEntries(Object.entries(input).map(([key, value]) => [key, placed(value)])) };
  });
  return { tools };
}

/** The same memories in another home. */
function warmPlace() {
  const root = `${facts.warmFolder}/warm-${process.pid}`;
  const place = { cwd: `${root}/project`, home: `${root}/home`, env: facts.place.env };
  mkdirSync(place.cwd, { recursive: true });
  const folder = findPlace(place).folders[0].path;
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(facts.memories)) writeFileSync(`${folder}/${file}`, text);
  return place;
}
