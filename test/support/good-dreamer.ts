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
const sentenceOf = (memory: MadeUpMemory) => /^.*?\.(?=\s|$)/.exec(firstLine(memory))![0];
const quoting = (memory: MadeUpMemory) => ({ from: memory.file, quote: firstLine(memory) });

const same = (words: string, file: string, quote: string) => ({
  quote: words,
  because: 'duplicate',
  of: { file, quote },
});

/** The last of a group says most, and the others go into it. */
function mergeCopies(folder: MadeUpFolder, { reads, entries }: Work): void {
  for (const { files } of folder.copies) {
    const memories = files.map((file) => memoryOf(folder, file));
    const fullest = memories.at(-1)!;
    reads.push(...files);
    for (const other of memories.slice(0, -1)) {
      entries.push({
        ...{ action: 'remove', file: other.file, into: [fullest.file], reason: `It stands in ${fullest.file}, too.` },
        drops: [same(`${other.name}\n${other.description}`, fullest.file, sentenceOf(fullest))],
      });
    }
  }
}

/** What was said later counts; the older memory goes into the newer one. */
function settleContradictions(folder: MadeUpFolder, { reads, entries }: Work): void {
  for (const pair of folder.contradictions) {
    const [older, newer] = [memoryOf(folder, pair.older), memoryOf(folder, pair.newer)];
    const meets = firstLine(newer).slice(sentenceOf(newer).length).trim();
    reads.push(older.file, newer.file);
    entries.push({
      ...{ action: 'remove', file: older.file, into: [newer.file], reason: 'The room changed; the later word counts.' },
      drops: [
        same(`${older.name}\n${older.description}`, newer.file, sentenceOf(newer)),
        {
          quote: firstLine(older).slice(sentenceOf(older).length).trim(),
          ...{ because: 'superseded', by: { file: newer.file, quote: meets } },
        },
      ],
    });
  }
}

function countDatesOut(folder: MadeUpFolder, { reads, edits, entries }: Work): void {
  for (const { file, words, day } of folder.relativeDates) {
    reads.push(file);
    edits.push(replace(file, words, `on ${day}`));
    const memory = memoryOf(folder, file);
    const dated = firstLine(memory).slice(sentenceOf(memory).length).trim();
    entries.push({
      ...{ action: 'update', file, reason: `“${words}” was counted from the day it was written.` },
      evidence: [quoting(memory)],
      drops: [same(dated, file, dated.replace(words, `on ${day}`))],
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
      drops: [{ quote: sentence.trim(), because: 'gone', path }],
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
      drops: [same(description, file, sentenceOf(memoryOf(folder, file)))],
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
