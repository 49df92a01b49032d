// Prints how easy the house is to find one's way in: sizes, the fullest folder, files that only one other imports, and how many
// files a session of one scripted turn runs through. `npm run build` first: the turn runs on dist/.

import { createHook, executionAsyncId } from 'node:async_hooks';
import fs, { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');
const dist = join(root, 'dist');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => join(source, file));

const lines = files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
const folders = countBy(files, dirname);
const [fullest, most] = [...folders].sort(([, one], [, other]) => other - one)[0];
const importers = countBy(files.flatMap(importsOf), (file) => file);
const single = files.filter((file) => importers.get(file) === 1).length;

print('source lines', lines);
print('source files', files.length);
print('folders', folders.size);
print('fullest folder', `${relative(root, fullest)}, ${most} files`);
print('files with one importer', single);
print('files run by one turn', await filesOfOneTurn());
print('rooms on the way of an extracted write', (await roomsOfAnExtractedWrite()).join(' '));

function print(what, value) {
  process.stdout.write(`${what.padEnd(40)} ${typeof value === 'number' ? value.toLocaleString('en') : value}\n`);
}

function countBy(items, keyOf) {
  const counts = new Map();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

function importsOf(file) {
  const found = readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g);
  return [...new Set([...found].map(([, path]) => normalize(join(dirname(file), path))))];
}

/** The built agent, and a new folder with an empty project. */
async function scene() {
  const load = (file) => import(pathToFileURL(join(dist, file)).href);
  const { openAgent } = await load('session/open-agent.js');
  const { scriptedModel } = await load('model/scripted.js');
  const place = mkdtempSync(join(tmpdir(), 'reverie-house-'));
  mkdirSync(join(place, 'project'));
  return { openAgent, scriptedModel, place };
}

/** Files of which a named function ran, from the opening of a session to its first answer. */
async function filesOfOneTurn() {
  const { openAgent, scriptedModel, place } = await scene();
  const answers = [{ tools: [{ name: 'Glob', input: { pattern: '*' } }] }, { text: 'Done.' }];
  const model = scriptedModel({ answer: () => answers.shift() ?? { text: 'nothing' } });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const agent = await openAgent({
    cwd: join(place, 'project'),
    home: join(place, 'home'),
    env: { HOME: place },
    model,
  });
  for await (const _event of agent.send('Please look at what is in this folder, and tell me.'));
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  await agent.close();
  rmSync(place, { recursive: true, force: true });
  const ours = result.filter(({ url }) => url.startsWith(pathToFileURL(dist).href));
  return ours.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0),
  ).length;
}

/**
 * The rooms that the calls pass which bring an extracted memory from the loop of its fork to the disk, by the stack at the moment
 * its file is put in place and the stacks of the promises that led there.
 */
async function roomsOfAnExtractedWrite() {
  const { openAgent, scriptedModel, place } = await scene();
  const memory = (path) => ({
    file_path: join(path, 'pnpm.md'),
    content: `---\nname: pnpm\ndescription: pnpm, not npm\ntype: feedback\nquote: From now on always use pnpm, never npm.\n---\nUse pnpm.\n`,
  });
  let agent = null;
  let asked = 0;
  const model = scriptedModel({
    answer(request) {
      const isFork = JSON.stringify(request.messages).includes('<fork-directive>');
      if (!isFork || asked++ > 0) return { text: 'Done.' };
      return { tools: [{ name: 'Write', input: memory(agent.memory.folders.project) }] };
    },
  });
  agent = await openAgent({ cwd: join(place, 'project'), home: join(place, 'home'), env: { HOME: place }, model });
  const stacks = [];
  const begun = new Map();
  const hook = createHook({
    init(id, _type, cause) {
      begun.set(id, { cause, stack: new Error().stack });
    },
  });
  /** The newest call first. */
  function stackOfAll() {
    const all = [new Error().stack];
    for (let id = executionAsyncId(); begun.has(id); id = begun.get(id).cause) all.push(begun.get(id).stack);
    return all.join('\n');
  }
  Error.stackTraceLimit = 200;
  const { linkSync, renameSync } = fs;
  const noted = (call) => (from, to) => {
    if (String(to).endsWith('pnpm.md')) stacks.push(stackOfAll());
    return call(from, to);
  };
  Object.assign(fs, { linkSync: noted(linkSync), renameSync: noted(renameSync) });
  syncBuiltinESMExports();
  hook.enable();
  for await (const _event of agent.send('From now on always use pnpm, never npm.'));
  await agent.close();
  hook.disable();
  Object.assign(fs, { linkSync, renameSync });
  rmSync(place, { recursive: true, force: true });
  const frames = stacks[0]?.matchAll(/\/dist\/([^/]+)\//g) ?? [];
  return [...new Set([...frames].map(([, room]) => room))].reverse();
}
