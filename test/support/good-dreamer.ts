/** A dreamer that does its work well, as a good model would: it reads through the tools, edits the copy, and lists what it did with quotes. */

import type { MadeUpFolder, MadeUpMemory } from './dream-folder.ts';
import { type Call, COPY, listing, type Plan, read, type Step, write } from './dreamers.ts';

interface Work {
  /** Files to read before. */
  readonly reads: string[];
  readonly edits: Call[];
  readonly entries: Record<string, unknown>[];
}

/** Calls of one round. */
const AT_ONCE = 40;

/** `lines`: how many the index is to have at most. */
export function goodDreamer(folder: MadeUpFolder, { lines }: { readonly lines: number }): Plan {
  const work: Work = { reads: [], edits: [], entries: [] };
  mergeCopies(folder, work);
  settleContradictions(folder, work);
  countDatesOut(folder, work);
  takePathsOut(folder, work);
  shortenDescriptions(folder, work);
  pruneIndex(folder, work, lines);
  const look: Step = {
    says: 'I look at the index and for what has drifted.',
    calls: [
      ['Read', { file_path: `${COPY}/MEMORY.md` }],
      ['Glob', { pattern: '*.md', path: COPY }],
      ['Grep', { pattern: 'next (Friday|Thursday)|tomorrow|yesterday', path: COPY, output_mode: 'files_with_matches' }],
      ['Grep', { pattern: 'src/legacy', path: COPY, output_mode: 'files_with_matches' }],
      ['Bash', { command: 'ls src' }],
    ],
  };
  return {
    title: 'a good dreamer',
    after: 'end',
    steps: [look, ...rounds(work.reads.map(read)), ...rounds(work.edits), { calls: [listing(work.entries)] }],
  };
}

function rounds(calls: readonly Call[]): Step[] {
  return Array.from({ length: Math.ceil(calls.length / AT_ONCE) }, (_, at) => ({
    calls: calls.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  }));
}

const memoryOf = ({ memories }: MadeUpFolder, file: string): MadeUpMemory => memories.get(file)!;
const firstLine = ({ body }: MadeUpMemory) => body.split('\n')[0]!;
const quoting = (memory: MadeUpMemory) => ({ from: memory.file, quote: firstLine(memory) });

/** The last of a group says most; what it has of its own goes into the first. */
function mergeCopies(folder: MadeUpFolder, { reads, edits, entries }: Work): void {
  for (const { files } of folder.copies) {
    const [kept, ...others] = files.map((file) => memoryOf(folder, file));
    const fullest = others.at(-1)!;
    reads.push(...files);
    edits.push(replace(kept!.file, firstLine(kept!), firstLine(fullest)));
    entries.push({
      ...{ action: 'update', file: kept!.file, reason: 'Three memories say the same; this one now says all of it.' },
      evidence: [quoting(kept!), quoting(fullest)],
    });
    for (const other of others) {
      entries.push({
        ...{ action: 'remove', file: other.file, into: [kept!.file], reason: `It stands in ${kept!.file} now.` },
        evidence: [quoting(other)],
      });
    }
  }
}

/** What was said later counts, and stays in the file that everybody knows. */
function settleContradictions(folder: MadeUpFolder, { reads, edits, entries }: Work): void {
  for (const pair of folder.contradictions) {
    const [older, newer] = [memoryOf(folder, pair.older), memoryOf(folder, pair.newer)];
    reads.push(older.file, newer.file);
    edits.push(replace(older.file, firstLine(older), firstLine(newer)));
    entries.push(
      {
        ...{ action: 'update', file: older.file, reason: 'The room changed; the later word counts.' },
        evidence: [quoting(older), quoting(newer)],
      },
      {
        ...{ action: 'remove', file: newer.file, into: [older.file], reason: `${older.file} says it now.` },
        evidence: [quoting(newer)],
      },
    );
  }
}

function countDatesOut(folder: MadeUpFolder, { reads, edits, entries }: Work): void {
  for (const { file, words, day } of folder.relativeDates) {
    reads.push(file);
    edits.push(replace(file, words, `on ${day}`));
    entries.push({
      ...{ action: 'update', file, reason: `“${words}” was counted from the day it was written.` },
      evidence: [quoting(memoryOf(folder, file))],
    });
  }
}

function takePathsOut(folder: MadeUpFolder, { reads, edits, entries }: Work): void {
  for (const { file, path, sentence } of folder.deadPaths) {
    reads.push(file);
    edits.push(replace(file, sentence, ''));
    entries.push({
      ...{ action: 'update', file, reason: `${path} is gone.` },
      evidence: [quoting(memoryOf(folder, file)), { from: path, quote: path }],
    });
  }
}

function shortenDescriptions(folder: MadeUpFolder, { reads, edits, entries }: Work): void {
  for (const { file, short } of folder.longDescriptions) {
    const { description, text } = memoryOf(folder, file);
    reads.push(file);
    edits.push(write(file, text.replace(JSON.stringify(description), JSON.stringify(short))));
    entries.push({
      ...{ action: 'update', file, reason: 'A line of the index names subject and point.' },
      evidence: [{ from: file, quote: short }],
    });
  }
}

/** References are found by recall; they leave the index first. */
function pruneIndex(folder: MadeUpFolder, { entries }: Work, lines: number): void {
  const taken = new Set(entries.map(({ file }) => file));
  const gone = entries.filter(({ action }) => action === 'remove').length;
  const others = [...folder.memories.values()].filter(({ file, ailment }) => !taken.has(file) && ailment === 'none');
  const order = ['reference_', 'user_', 'project_', 'feedback_'];
  const rank = ({ file }: MadeUpMemory) => order.findIndex((type) => file.startsWith(type));
  const rarest = others.toSorted((one, other) => rank(one) - rank(other));
  for (const memory of rarest.slice(0, folder.memories.size - gone - lines)) {
    entries.push({
      ...{ action: 'unlist', file: memory.file, reason: 'Rarely needed; recall finds it.' },
      evidence: [quoting(memory)],
    });
  }
  for (const file of folder.staleLines) {
    const line = folder.index.split('\n').find((each) => each.includes(`](${file})`))!;
    entries.push({
      ...{ action: 'unlist', file, reason: 'The line leads nowhere.' },
      evidence: [{ from: 'MEMORY.md', quote: line }],
    });
  }
}

function replace(file: string, before: string, after: string): Call {
  return ['Edit', { file_path: `${COPY}/${file}`, old_string: before, new_string: after }];
}
