/** Whatever was done, by whatever way: taking it back brings the exact bytes of every file and of MEMORY.md back. */

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/memory/memory.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { inTemporaryFolder, inThisRun, say } from './fault-run.ts';
import { type Files, readUserFiles } from './folder-facts.ts';

const SEQUENCES = inThisRun({ short: 60, long: 600 });

/** Blanks, line ends, brackets and letters of other scripts: what people type, not what programs expect. */
const text = fc
  .array(fc.constantFrom('a', 'Zoë', ' ', '-', '#', '[x](y.md)', ':', '"', '日本', 'e\u0301', '—', '\t', '1'), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => `t${parts.join('')}`);
const body = fc.array(fc.constantFrom('line\n', '\n', 'windows\r\n', '---\n', '- [a](b.md)\n', 'end'), {
  maxLength: 6,
});
const target = fc.nat({ max: 20 });
const indexText = fc
  .array(
    fc.constantFrom('# Memory\n', '\n', 'my own line\n', '- a plain item\n', '<!-- note -->\n', 'dos\r\n', 'last'),
    {
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(''));

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('save'), name: text, description: text, body }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('update'), target, description: text, body }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rename'), target, name: text }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('forget'), target }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pin'), target }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit'), target, body }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('create'), name: fc.nat({ max: 9 }), body }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove'), target }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('edit-index'), text: indexText, target }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo-again') }) },
);
type Step = typeof step extends fc.Arbitrary<infer Kind> ? Kind : never;

const start = fc.record({
  index: fc.option(indexText),
  files: fc.array(body, { maxLength: 2 }),
});

describe('undo', () => {
  it('restores the exact bytes, one change at a time and all of them', { timeout: 480_000 }, async () => {
    const tally = { sequences: 0, changes: 0, undone: 0 };
    await fc.assert(
      fc.asyncProperty(start, fc.array(step, { minLength: 1, maxLength: 12 }), async (begin, steps) => {
        tally.sequences += 1;
        await inTemporaryFolder((folder) => goThereAndBack({ folder, begin, steps, tally }));
      }),
      { numRuns: SEQUENCES, seed: inThisRun({ short: 41, long: 42 }) },
    );
    say(
      `undo: ${tally.sequences} sequences, ${tally.changes} changes made, ${tally.undone} taken back, every byte compared`,
    );
  });
});

async function goThereAndBack(facts: {
  readonly folder: string;
  readonly begin: { readonly index: string | null; readonly files: readonly (readonly string[])[] };
  readonly steps: readonly Step[];
  readonly tally: { changes: number; undone: number };
}): Promise<void> {
  const { folder, begin, steps, tally } = facts;
  const directory = join(folder, 'memory');
  const reopen = () => openMemory({ directory, home: join(folder, 'home'), cwd: folder });
  mkdirSync(directory, { mode: 0o700 });
  if (begin.index !== null) writeFileSync(join(directory, 'MEMORY.md'), begin.index, { mode: 0o600 });
  for (const [position, parts] of begin.files.entries()) {
    writeFileSync(join(directory, `old-${position}.md`), parts.join(''), { mode: 0o600 });
  }
  // Finding files in the folder is a change too; before it there was only the index.
  const atFirst: Files = new Map([...readUserFiles(directory)].filter(([file]) => file === 'MEMORY.md'));

  /** What was on disk before each change; edits by hand count from before the hand. */
  const before = new Map<string, Files>();
  let memory = await reopen();
  await noteNewChanges(memory, before, atFirst);
  for (const each of steps) {
    const files = readUserFiles(directory);
    if (isByHand(each)) {
      editByHand(directory, each);
      await memory.close();
      memory = await reopen();
      await noteNewChanges(memory, before, files);
    } else {
      await perform(memory, each, directory);
      await noteNewChanges(memory, before, files);
      if (each.do === 'undo') await expectUndone(memory, before, directory);
    }
  }
  tally.changes += before.size;

  const inForce = (await memory.log()).filter((entry) => entry.kind !== 'undo' && entry.undoneBy === undefined);
  for (const [position, entry] of inForce.entries()) {
    await memory.undo(entry.id);
    tally.undone += 1;
    // One edit by hand may be several changes; only the first of them has the folder as it was before.
    const isFirstOfItsStep = before.get(entry.id) !== before.get(inForce[position + 1]?.id ?? '');
    if (isFirstOfItsStep) expectSame(readUserFiles(directory), before.get(entry.id)!, `undo of ${entry.kind}`);
  }
  expectSame(readUserFiles(directory), atFirst, 'undo of everything');
  expect(memory.problems()).toEqual([]);
  await memory.close();
}

async function noteNewChanges(memory: Memory, before: Map<string, Files>, files: Files): Promise<void> {
  for (const entry of await memory.log()) if (!before.has(entry.id)) before.set(entry.id, files);
}

/** A single undo: the folder is as it was before the change that was taken back, if nothing else came in between. */
async function expectUndone(memory: Memory, before: Map<string, Files>, directory: string): Promise<void> {
  const [newest, second, third] = await memory.log({ limit: 3 });
  if (newest?.kind !== 'undo' || newest.undoes === undefined || second?.id !== newest.undoes) return;
  const isAlone = before.get(second.id) !== before.get(third?.id ?? '');
  if (isAlone) expectSame(readUserFiles(directory), before.get(second.id)!, `single undo of ${second.kind}`);
}

type ByHand = Extract<Step, { do: 'edit' | 'create' | 'remove' | 'edit-index' }>;

function isByHand(each: Step): each is ByHand {
  return ['edit', 'create', 'remove', 'edit-index'].includes(each.do);
}

function topicsOf(directory: string): string[] {
  return [...readUserFiles(directory).keys()].filter((file) => file !== 'MEMORY.md').sort();
}

function editByHand(directory: string, each: Step): void {
  const topics = topicsOf(directory);
  const chosen = 'target' in each && topics.length > 0 ? join(directory, topics[each.target % topics.length]!) : null;
  const write = (path: string, content: string) => writeFileSync(path, content, { mode: 0o600 });
  if (each.do === 'edit' && chosen !== null) write(chosen, (each as { body: string[] }).body.join(''));
  if (each.do === 'remove' && chosen !== null) rmSync(chosen);
  if (each.do === 'create') {
    const { name, body: parts } = each as { name: number; body: string[] };
    const path = join(directory, `hand-${name}.md`);
    if (!existsSync(path)) write(path, parts.join(''));
  }
  if (each.do === 'edit-index') {
    // The user's own lines come first or last; the entries stay.
    const present = readUserFiles(directory).get('MEMORY.md')?.toString('utf8');
    if (present === undefined || !existsSync(join(directory, '.reverie/journal/index-as-left.md'))) return;
    const { text: own, target: where } = each as { text: string; target: number };
    const isLast = where % 2 === 0;
    write(
      join(directory, 'MEMORY.md'),
      isLast ? `${present}${own}` : `${own}${own.endsWith('\n') ? '' : '\n'}${present}`,
    );
  }
}

async function perform(memory: Memory, each: Step, directory: string): Promise<void> {
  const step = each as Record<string, unknown> & { target?: number };
  const topics = topicsOf(directory);
  const file = topics[(step.target ?? 0) % Math.max(1, topics.length)];
  const words = { name: String(step.name), description: String(step.description) };
  const newBody = Array.isArray(step.body) ? step.body.join('') : '';
  try {
    if (each.do === 'save') await memory.save({ type: 'project', ...words, body: newBody });
    if (each.do === 'undo' || each.do === 'undo-again') await undoSomething(memory, each.do);
    if (file === undefined) return;
    if (each.do === 'update') await memory.update(file, { description: words.description, body: newBody });
    if (each.do === 'rename') await memory.update(file, { name: words.name });
    if (each.do === 'forget') await memory.forget(file);
    if (each.do === 'pin') await memory.pin(file);
  } catch (error) {
    // Some texts cannot be edited safely, some changes not taken back over later ones: refused is an answer.
    if (!['refused', 'not-found'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}

/** The newest change, or the newest undo: that is a change like any other. */
async function undoSomething(memory: Memory, what: 'undo' | 'undo-again'): Promise<void> {
  if (what === 'undo') {
    const newest = (await memory.log()).find((entry) => entry.kind !== 'undo' && entry.undoneBy === undefined);
    await memory.undo(newest?.id);
  } else {
    const [newest] = await memory.log({ limit: 1 });
    if (newest?.kind === 'undo') await memory.undo(newest.id);
  }
}

function expectSame(present: Files, wanted: Files, what: string): void {
  const shown = (files: Files) => Object.fromEntries([...files].map(([file, bytes]) => [file, bytes.toString('utf8')]));
  expect(shown(present), what).toEqual(shown(wanted));
}
