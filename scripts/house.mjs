// Prints how easy the house is to find one's way in: sizes, the fullest folder, files that only one other imports, and how many
// files a session of one scripted turn runs through. `npm run build` first: the turn runs on dist/.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');
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

function print(what, value) {
  process.stdout.write(`${what.padEnd(34)} ${typeof value === 'number' ? value.toLocaleString('en') : value}\n`);
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

/** Files of which a named function ran, from the opening of a session to its first answer. */
async function filesOfOneTurn() {
  const dist = join(root, 'dist');
  const load = (file) => import(pathToFileURL(join(dist, file)).href);
  const { openAgent } = await load('session/open-agent.js');
  const { scriptedModel } = await load('model/scripted.js');
  const place = mkdtempSync(join(tmpdir(), 'reverie-house-'));
  mkdirSync(join(place, 'project'));
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
