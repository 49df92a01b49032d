/** What code finds out for a dreamer before it begins: cheap to find here, expensive to find by reading. */

import { join } from 'node:path';
import { inTurns, mapInTurns, type Steps } from '../../../base/async/in-turns.ts';
import { namedDay } from '../../../base/dates/local-time.ts';
import { fillPrompt } from '../../../base/prompt-file.ts';
import { escapeMarkup, stripInvisible } from '../../../base/text/visible-text.ts';
import { listSessions } from '../../../disk/sessions/sessions.ts';
import { DREAMING_LIMITS, INDEX_LIMITS, type Limits } from '../../../limits.ts';
import { type DayLog, logsSince } from '../../../memory/daily-log/read.ts';
import { parseMemoryFile } from '../../../memory/files/memory-file.ts';
import { normalise } from '../../../memory/gate/normalise.ts';
import { parseIndex } from '../../../memory/index/index-file.ts';
import { isUnlisted } from '../../../memory/index/upkeep.ts';
import { manifestLine } from '../../../memory/shown/manifest.ts';
import { commonAliasesIn } from '../../../search/aliases/common-aliases.ts';
import { claimsIn, verifyClaims } from '../../../search/verify/verify.ts';
import { whenOf } from '../check-drop.ts';
import { type BaseMemory, type DreamWorkshop, dreamDirective, planQuestion } from '../index.ts';
import { resolved } from '../numbers.ts';
import { sentencesIn } from '../sentences.ts';

/** Sessions that the dreamer is told of by name. */
const NAMED_SESSIONS = 20;
/** Names in one list of things worth a look, and characters of a description there. */
const MOST_HINTS = 20;
const DESCRIPTION_CHARACTERS = 120;

export interface HintFacts {
  readonly workshop: DreamWorkshop;
  readonly memoryFolder: string;
  /** Null when what a memory names cannot be looked up: global memory belongs to no project. */
  readonly projectRoot: string | null;
  readonly home: string;
  readonly slug: string;
  /** Memory folders the dreamer may read. */
  readonly readableFolders: readonly string[];
  /** Whether the repository has a team memory, for which memories can be suggested. */
  readonly hasTeam?: boolean;
  /** When the last dream began: what arrived while it ran is offered again. */
  readonly sinceMs: number | null;
  /** The session that is dreaming. */
  readonly except: string | null;
  readonly now: Date;
  readonly limits: Pick<Limits, 'dailyLog' | 'dreaming' | 'index' | 'recall' | 'transcripts'>;
}

export async function directiveFor(facts: HintFacts): Promise<string> {
  const { workshop, limits, now } = facts;
  const all = newestFirst(workshop);
  const named = all.slice(0, limits.dreaming.namedMemories);
  const logs = logsSince(facts.memoryFolder, { sinceMs: facts.sinceMs ?? 0, limits: limits.dailyLog });
  const sections = [
    { heading: 'Daily logs since the last dream began:', lines: logLines(logs, facts) },
    { heading: 'Memory folders, for reading:', lines: facts.readableFolders.map(plain) },
    listOf(all, { named, elsewhere: '; Glob finds them' }),
    ...(await worthALook(all, { named, facts })),
    { heading: 'Sessions since the last dream began (for narrow Greps):', lines: await sessionLines(facts) },
  ];
  return dreamDirective({ copy: workshop.copy, today: namedDay(now), sections, hasLogs: logs.length > 0 });
}

/** Characters of all texts that are shown to a model without tools. */
const SHOWN_CHARACTERS = 60_000;

/** For a model without tools: what code found comes first among the texts, then the newest, each whole. */
export async function planQuestionFor(facts: HintFacts): Promise<string> {
  const all = newestFirst(facts.workshop);
  const named = all.slice(0, facts.limits.dreaming.namedMemories);
  const found = await worthALook(all, { named, facts });
  const lines = found.flatMap((section) => section.lines).join('\n');
  const isFound = ({ file }: BaseMemory) => lines.includes(file);
  const ordered = [...all.filter(isFound), ...all.filter((memory) => !isFound(memory))];
  let characters = 0;
  const memories = ordered.filter(({ text }) => {
    if (characters + text.length > SHOWN_CHARACTERS) return false;
    characters += text.length;
    return true;
  });
  const sections = [listOf(all, { named, elsewhere: '' }), ...found];
  return planQuestion({ today: namedDay(facts.now), sections, memories, count: all.length });
}

interface Section {
  readonly heading: string;
  readonly lines: readonly string[];
}

function newestFirst({ base }: DreamWorkshop): readonly BaseMemory[] {
  return [...base.values()].sort((one, other) => (one.modified < other.modified ? 1 : -1));
}

function listOf(
  all: readonly BaseMemory[],
  { named, elsewhere }: { readonly named: readonly BaseMemory[]; readonly elsewhere: string },
): Section {
  return { heading: `The ${all.length} memories, newest first:`, lines: manifestOf(named, { all, elsewhere }) };
}

async function worthALook(
  all: readonly BaseMemory[],
  { named, facts }: { readonly named: readonly BaseMemory[]; readonly facts: HintFacts },
): Promise<readonly Section[]> {
  const { workshop, limits } = facts;
  return [
    { heading: 'The index:', lines: indexLines(workshop, all, limits) },
    {
      heading: 'Relative dates, and the days they come to, counted from when each was said:',
      lines: bounded((await mapInTurns(named, datedLines)).flat()),
    },
    { heading: 'Paths that are gone (recheck before you act on it):', lines: await goneLines(named, facts) },
    { heading: 'Alike:', lines: bounded(await duplicatesAmong(named)) },
    { heading: 'Team memory:', lines: facts.hasTeam === true ? [fillPrompt('dream-team')] : [] },
  ];
}

/** By full path, for reading; as evidence they are named from `logs/` on. */
function logLines(logs: readonly DayLog[], { memoryFolder, limits }: HintFacts): readonly string[] {
  const named = logs.slice(-limits.dreaming.namedLogs);
  const more = logs.length - named.length;
  const older = more === 0 ? [] : [`(${more} older days with new lines are not listed here; Glob finds them)`];
  return [...older, ...named.map(({ file, lines }) => `${plain(join(memoryFolder, file))} (${lines.length} lines)`)];
}

const fileOf = ({ file }: BaseMemory) => file;

function manifestOf(
  named: readonly BaseMemory[],
  { all, elsewhere }: { readonly all: readonly BaseMemory[]; readonly elsewhere: string },
): readonly string[] {
  const lines = named.map((memory) => {
    const line = manifestLine(
      { ...memory, modified: memory.modified.slice(0, 10) },
      { descriptionCharacters: DESCRIPTION_CHARACTERS },
    );
    const marks = [memory.source, ...(memory.pinned ? ['pinned'] : []), ...(memory.isListed ? [] : ['no line'])];
    return `${line.replace(/^- /, '')} {${marks.join(', ')}}`;
  });
  const more = all.length - named.length;
  return more === 0 ? lines : [...lines, `(${more} older ones are not listed here${elsewhere})`];
}

function indexLines(
  { index, base }: DreamWorkshop,
  all: readonly BaseMemory[],
  limits: HintFacts['limits'],
): readonly string[] {
  const { lines, bytes } = limits.index;
  const text = index.split(/\r?\n/);
  const { entries } = parseIndex(index);
  const size = { lines: text.filter((line) => line.trim() !== '').length, bytes: Buffer.byteLength(index) };
  const isOver = size.lines > lines * INDEX_LIMITS.shrinkToShare || size.bytes > bytes * INDEX_LIMITS.shrinkToShare;
  const advice = isOver ? `; aim for ${Math.floor(lines * INDEX_LIMITS.shrinkToShare)} lines` : '';
  const long = entries
    .filter(({ line }) => (text[line]?.length ?? 0) > INDEX_LIMITS.entryCharacters)
    .map(({ file }) => file);
  const dangling = entries.filter(({ file }) => !base.has(file)).map(({ file }) => file);
  const missing = all.filter(({ isListed, text: own }) => !isListed && !isUnlisted(Buffer.from(own))).map(fileOf);
  const named = (what: string, files: readonly string[]) =>
    files.length === 0 ? [] : [`${what}: ${bounded(files).join(', ')}`];
  return [
    `${size.lines} of ${lines} lines and ${size.bytes} of ${bytes} bytes are used${advice}.`,
    ...named(`Lines over ${INDEX_LIMITS.entryCharacters} characters`, long),
    ...named('Lines without a memory', dangling),
    ...named('Memories without a line', missing),
  ];
}

/** A model that counts them itself is often a few days off. */
function datedLines(memory: BaseMemory): readonly string[] {
  const day = whenOf(memory);
  const dated = sentencesIn(memory).flatMap(({ text }) => {
    const now = resolved({ text, day });
    return now === text ? [] : [plain(now)];
  });
  return dated.length === 0 ? [] : [`${memory.file}: ${dated.join(' ')}`];
}

/** One quick search for all of them: what it does not find out is left unsaid. */
async function goneLines(named: readonly BaseMemory[], facts: HintFacts): Promise<readonly string[]> {
  const { projectRoot, limits } = facts;
  if (projectRoot === null) return [];
  const claimed = await mapInTurns(named, (memory) => ({ memory, paths: claimsIn(memory.body, limits.recall).paths }));
  const paths = [...new Set(claimed.flatMap((each) => each.paths))];
  const { gone } = await verifyClaims(
    { paths, identifiers: [] },
    {
      projectRoot,
      budgetMs: DREAMING_LIMITS.verifyMs,
      now: () => performance.now(),
      except: [facts.memoryFolder],
      limits: limits.recall,
    },
  );
  const isGone = new Set(gone);
  const lines = claimed.flatMap(({ memory, paths: own }) => {
    const lost = own.filter((path) => isGone.has(path));
    return lost.length === 0 ? [] : [`${memory.file}: ${lost.map(plain).join(', ')}`];
  });
  return bounded(lines);
}

async function sessionLines({ home, slug, sinceMs, except, limits }: HintFacts): Promise<readonly string[]> {
  const sessions = await listSessions({ home, slug, limits: limits.transcripts, most: NAMED_SESSIONS });
  return sessions
    .filter(({ id, modified }) => id !== except && Date.parse(modified) > (sinceMs ?? 0))
    .map(({ file, title, modified }) => `${modified.slice(0, 10)} ${plain(title) || '(no title)'}: ${file}`);
}

function bounded(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST_HINTS;
  return more <= 0 ? lines : [...lines.slice(0, MOST_HINTS), `and ${more} more`];
}

/** One line, without anything that could pass for part of the directive. */
function plain(text: string): string {
  return escapeMarkup(stripInvisible(text.replace(/\s+/g, ' ')).text).trim();
}

// Memories that say the same, or nearly: found by their words alone, for a dreamer to look at.

/** Share of the words of both that they have in common. */
const ALIKE_SHARE = 0.55;
/** Texts with fewer words are alike by chance. */
const LEAST_WORDS = 5;

/** One line per pair, the most alike first. In steps: a conversation may be running alongside. */
export function duplicatesAmong(memories: readonly BaseMemory[]): Promise<readonly string[]> {
  return inTurns(comparing(memories));
}

function* comparing(memories: readonly BaseMemory[]): Steps<readonly string[]> {
  const read: { readonly file: string; readonly body: string; readonly words: ReadonlySet<string> }[] = [];
  for (const { file, text, name, description, body } of memories) {
    const aliases = parseMemoryFile(Buffer.from(text)).aliases.join(' ');
    const said = `${name} ${aliases} ${description} ${body}`;
    read.push({ file, body: normalise(body), words: wordsOf([said, ...commonAliasesIn(said)].join(' ')) });
    yield;
  }
  const pairs: { readonly share: number; readonly line: string }[] = [];
  for (const [position, one] of read.entries()) {
    yield;
    for (const other of read.slice(position + 1)) {
      const isSame = one.body !== '' && one.body === other.body;
      const share = isSame ? 1 : shareOf(one.words, other.words);
      if (share >= ALIKE_SHARE) pairs.push({ share, line: lineOf([one.file, other.file], { isSame, share }) });
    }
  }
  return pairs.toSorted((one, other) => other.share - one.share).map(({ line }) => line);
}

function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  // Too short to tell, or too different in length to reach the share.
  if (few.size < LEAST_WORDS || few.size / many.size < ALIKE_SHARE) return 0;
  const common = countCommon(few, many);
  return common / (few.size + many.size - common);
}

/** Gives up once too many words differ: the first words decide most pairs. */
function countCommon(few: ReadonlySet<string>, many: ReadonlySet<string>): number {
  const least = (ALIKE_SHARE * (few.size + many.size)) / (1 + ALIKE_SHARE);
  const mayMiss = few.size - least;
  let common = 0;
  let missed = 0;
  for (const word of few) {
    if (many.has(word)) common += 1;
    else missed += 1;
    if (missed > mayMiss) return 0;
  }
  return common;
}

function lineOf(files: readonly string[], { isSame, share }: { readonly isSame: boolean; readonly share: number }) {
  return `${files.join(' and ')}: ${isSame ? 'the same text' : `${Math.round(share * 100)} % of their words`}`;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(normalise(text).match(/[\p{L}\p{N}_]{2,}/gu) ?? []);
}
