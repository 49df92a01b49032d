/** The operations that are struck, each with the folder it begins from. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { MemoryChanges, SaveRequest } from '../../src/memory/memory.ts';
import { openMemory } from '../../src/session/open-memory.ts';

export type Operation =
  | { readonly name: 'save'; readonly request: SaveRequest }
  | { readonly name: 'update'; readonly file: string; readonly changes: MemoryChanges }
  | { readonly name: 'pin' | 'forget' | 'purge'; readonly file: string }
  | { readonly name: 'undo'; readonly change?: string }
  | { readonly name: 'import'; readonly source: string }
  | { readonly name: 'open' };

export interface Case {
  readonly title: string;
  readonly operation: Operation;
  /** A folder whose `memory` is as it is before; undefined where there is none yet. */
  readonly template?: string;
  /** Whether it is one change that can be taken back. */
  readonly undoable: boolean;
}

export const PROSE = 'A line that I wrote myself, between the entries.';

const NEW_MEMORY: SaveRequest = {
  type: 'project',
  name: 'Release on the ninth',
  description: 'Version 2 ships on 2031-05-09',
  body: 'Version 2 ships on 2031-05-09.\n\n**Why:** the fair.\n\n**How to apply:** freeze a week before.',
};

/** Builds the folders once; every strike works on a copy. */
export async function prepareCases(folder: string): Promise<Case[]> {
  const template = `${folder}/template`;
  await buildTemplate({ directory: `${template}/memory`, home: `${folder}/home`, cwd: folder });
  const edited = `${folder}/template-edited`;
  copyFolder(template, edited);
  editByHand(`${edited}/memory`);
  const source = `${folder}/import-source`;
  writeSource(source);
  const update = { name: 'update', file: 'feedback_tabs.md', changes: { description: 'Tabs, never spaces' } } as const;
  const updateNested = { name: 'update', file: 'people/anna.md', changes: { body: 'Anna left in May.\n' } } as const;
  const undoable = true;
  return [
    { title: 'save into nothing', operation: { name: 'save', request: NEW_MEMORY }, undoable },
    { title: 'save', operation: { name: 'save', request: NEW_MEMORY }, template, undoable },
    { title: 'update', operation: update, template, undoable },
    { title: 'update in a subfolder', operation: updateNested, template, undoable },
    { title: 'forget', operation: { name: 'forget', file: 'reference_board.md' }, template, undoable },
    { title: 'undo', operation: { name: 'undo' }, template, undoable },
    { title: 'import', operation: { name: 'import', source }, template, undoable },
    { title: 'import into nothing', operation: { name: 'import', source }, undoable },
    { title: 'purge', operation: { name: 'purge', file: 'reference_board.md' }, template, undoable: false },
    { title: 'notice edits', operation: { name: 'open' }, template: edited, undoable: false },
  ];
}

async function buildTemplate(place: { directory: string; home: string; cwd: string }): Promise<void> {
  const { directory } = place;
  mkdirSync(`${directory}/people`, { recursive: true, mode: 0o700 });
  writeFileSync(`${directory}/MEMORY.md`, `# Memory\n\n${PROSE}\n`, { mode: 0o600 });
  const anna = '---\nname: Anna\ndescription: runs the release\ntype: project\nteam: blue # kept\n---\nAnna runs it.\n';
  writeFileSync(`${directory}/people/anna.md`, anna, { mode: 0o600 });
  const memory = await openMemory(place);
  await memory.log();
  const save = (type: SaveRequest['type'], name: string, description: string) =>
    memory.save({ type, name, description, body: `${description}, at length.\n` });
  await save('feedback', 'Tabs', 'Tabs rather than spaces');
  await save('reference', 'Board', 'Tickets are on the blue board');
  await save('user', 'Cook', 'Cooks on Sundays');
  await memory.update('user_cook.md', { body: 'Cooks on Sundays, bakes on Mondays.\n' });
  await memory.forget('user_cook.md');
  await memory.close();
}

/** Edits one file, adds one, removes one, and changes the words of the index. */
function editByHand(directory: string): void {
  writeFileSync(`${directory}/people/anna.md`, 'No front matter any more.\n', { mode: 0o600 });
  const added = '---\nname: By hand\ndescription: written in an editor\ntype: user\n---\nBody.\n';
  writeFileSync(`${directory}/by-hand.md`, added, { mode: 0o600 });
  rmSync(`${directory}/reference_board.md`);
  execFileSync('sed', ['-i', 's/^A line that I wrote/Another line I wrote/', `${directory}/MEMORY.md`]);
}

function writeSource(source: string): void {
  mkdirSync(source);
  const memory = (name: string) =>
    `---\nname: ${name}\ndescription: all about ${name}\ntype: reference\n---\n${name}.\n`;
  for (const name of ['red', 'green', 'blue']) writeFileSync(`${source}/${name}.md`, memory(name));
  const lines = ['red', 'green', 'blue'].map((name) => `- [${name}](${name}.md) — my own words on ${name}`);
  writeFileSync(`${source}/MEMORY.md`, `# Colours\n\n${PROSE}\n\n${lines.join('\n')}\n`);
}

/** With times and modes as they are. */
export function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}
