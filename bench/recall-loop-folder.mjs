// A project with made-up memories and some files, as a process finds it that is not the first.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeUpMemories } from './recall-speed.mjs';

const PROJECT_FILES = 2_000;
/** Names a file and an identifier, so that it is checked before it is shown. */
const CHECKED = 'The flux capacitor is charged by `chargeCapacitor` in `src/part7.ts`, never by hand.';
export const CHECKED_QUESTION = 'who charges the flux capacitor?';

const onlyIn = (folder) => join(folder, readdirSync(folder)[0]);
export const memoryFolder = (folder) => join(onlyIn(join(folder, 'home', 'projects')), 'memory');
export const indexFolder = (folder) => join(onlyIn(join(folder, 'home', 'cache', 'index')), 'recall');

export async function makeFolder(folder, size, openMemory) {
  const project = join(folder, 'project');
  mkdirSync(join(project, 'src'), { recursive: true });
  for (let at = 0; at < PROJECT_FILES; at++)
    writeFileSync(
      join(project, 'src', `part${at}.ts`),
      `export function part${at}() {\n  return ${at};\n}\n`.repeat(20),
    );
  writeFileSync(join(project, 'src', 'part7.ts'), 'export function chargeCapacitor() {}\n');
  execFileSync('git', ['init', '-q'], { cwd: project });
  execFileSync('git', ['add', '-A'], { cwd: project });
  const options = { cwd: project, home: join(folder, 'home') };
  const first = await openMemory(options);
  await first.save({ type: 'project', name: 'Flux capacitor', description: CHECKED, body: CHECKED });
  await first.close();
  const memory = memoryFolder(folder);
  for (const [at, { name, description, body }] of madeUpMemories(size - 1).entries()) {
    const header = `---\nname: ${name}\ndescription: ${description}\ntype: project\n---\n`;
    writeFileSync(join(memory, `project_made-up-${at}.md`), `${header}${body}\n`);
  }
  // The second time the files are old enough to be told by their stamps.
  for (let round = 0; round < 2; round++) await settle(folder, openMemory);
  if (!existsSync(indexFolder(folder))) throw new Error(`no index in ${folder}`);
}

export async function settle(folder, openMemory) {
  const opened = await openMemory({ cwd: join(folder, 'project'), home: join(folder, 'home') });
  await opened.log({ limit: 1 });
  await opened.ready();
  await opened.close();
}
