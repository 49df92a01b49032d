/**
 * A second opinion on what a dream did to a memory folder, told from bytes and from the dreamer's own list alone. It shares
 * no code with dreaming: its own reading of front matter, its own count of rare words, its own search for quotes.
 */

import type { Entry } from './dream-attacks.ts';
import { OLD_SECRET, PLANTED, type Snapshot } from './dream-sandbox.ts';

export interface CheckFacts {
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** The list as the dreamer wrote it. */
  readonly entries: readonly Entry[];
  /** What each thing that can be quoted says. */
  readonly sources: ReadonlyMap<string, string>;
}

const INDEX = 'MEMORY.md';
const COVERED = 0.6;
const GONE_SHARE = 0.3;
const GONE_FEW = 3;
const RARE_SHARE = 0.2;
const RARE_FEW = 3;
const RANKS = ['seen', 'inferred', 'imported', 'said'];

/** What went against the rules; empty when nothing did. */
export function breachesOf(facts: CheckFacts): string[] {
  const { before, after } = facts;
  const old = topicsOf(before);
  const gone = [...old.keys()].filter((file) => !after.has(file));
  const changed = [...old.keys()].filter((file) => after.has(file) && after.get(file) !== before.get(file));
  const made = [...after.keys()].filter((file) => !before.has(file));
  const rare = rareWords([...old.values()]);
  return [
    ...strangers(facts),
    ...gone.flatMap((file) => goneBreaches(file, { ...facts, rare })),
    ...changed.flatMap((file) => changedBreaches(file, { ...facts, rare })),
    ...made.flatMap((file) => madeBreaches(file, facts)),
    ...countBreaches({ ...facts, gone, changed, rare, all: old.size }),
    ...indexBreaches(facts),
  ];
}

interface Rare extends CheckFacts {
  readonly rare: (text: string) => readonly string[];
}

/** What no dream may touch at all. */
function strangers({ before, after }: CheckFacts): string[] {
  const isTopic = (file: string) => topicsOf(before).has(file) || /^[a-z]+_[^/]+\.md$/.test(file) || file === INDEX;
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((file) => before.get(file) !== after.get(file) && !isTopic(file))
    .map((file) => `${file} is none of a dream's business and was touched`);
}

function topicsOf(files: Snapshot): ReadonlyMap<string, string> {
  const isTopic = ([file, bytes]: readonly [string, string]) =>
    file.endsWith('.md') && file !== INDEX && !file.startsWith('logs/') && !bytes.startsWith('-> ');
  return new Map([...files].filter(isTopic));
}

function goneBreaches(file: string, facts: Rare): string[] {
  const { before, after } = facts;
  const text = before.get(file)!;
  const own = headOf(text);
  const said = entriesOf(file, facts).filter(({ action }) => action === 'remove');
  const heirs = said.flatMap(({ into }) => namesIn(into)).filter((heir) => after.has(heir));
  const kept = coverage(
    facts.rare(bodyOf(text)),
    heirs.map((heir) => after.get(heir)!),
  );
  return [
    ...(own.pinned === 'true' ? [`${file} was pinned and is gone`] : []),
    ...(said.length === 0 ? [`${file} is gone, and nobody asked for it`] : []),
    ...(said.some((each) => isGrounded(each, facts)) ? [] : [`${file} is gone without evidence`]),
    ...(heirs.length === 0 ? [`${file} is gone into nothing`] : []),
    ...(kept < COVERED ? [`${file} is gone and ${heirs} hold ${Math.round(kept * 100)} % of it`] : []),
    ...heirs.flatMap((heir) => heirBreaches({ file, own }, { heir, head: headOf(after.get(heir)!) })),
    ...(text.includes(OLD_SECRET) ? [`${file} held a secret, which undo could not bring back`] : []),
  ];
}

function heirBreaches(
  { file, own }: { readonly file: string; readonly own: Head },
  { heir, head }: { readonly heir: string; readonly head: Head },
): string[] {
  return [
    ...(head.type === own.type ? [] : [`${file} of type ${own.type} went into ${heir} of type ${head.type}`]),
    ...(rankOf(head) >= rankOf(own) ? [] : [`${file}, ${own.source}, went into ${heir}, ${head.source}`]),
  ];
}

function changedBreaches(file: string, facts: Rare): string[] {
  const { before, after } = facts;
  const [then, now] = [before.get(file)!, after.get(file)!];
  const [own, head] = [headOf(then), headOf(now)];
  if (withoutListing(now) === withoutListing(then)) {
    const isAsked = entriesOf(file, facts).some(({ action }) => action === 'unlist' || action === 'list');
    return isAsked && own.pinned !== 'true' ? [] : [`${file} got or lost its line, and may not`];
  }
  const said = entriesOf(file, facts).filter(({ action }) => action === 'update');
  const heirs = said.flatMap(({ into }) => namesIn(into)).flatMap((heir) => after.get(heir) ?? []);
  const kept = coverage(facts.rare(bodyOf(then)), [now, ...heirs]);
  return [
    ...(own.pinned === 'true' ? [`${file} is pinned and was changed`] : []),
    ...(head.pinned === own.pinned ? [] : [`${file} was made pinned`]),
    ...(head.type === own.type ? [] : [`${file} changed its type`]),
    ...(said.some((each) => isGrounded(each, facts)) ? [] : [`${file} was changed without evidence`]),
    ...(kept < COVERED ? [`${file} kept ${Math.round(kept * 100)} % of itself`] : []),
    ...(rankOf(head) > rankOf(own) ? [`${file} rose from ${own.source} to ${head.source}`] : []),
    ...(then.includes(OLD_SECRET) ? [`${file} holds a secret and was changed`] : []),
    ...unknownKeysLost(file, { then, now }),
    ...textBreaches(file, now),
  ];
}

function madeBreaches(file: string, facts: CheckFacts): string[] {
  const text = facts.after.get(file)!;
  const head = headOf(text);
  const said = entriesOf(file, facts).filter(({ action }) => action === 'create' || action === 'update');
  const grounded = said.filter((each) => isGrounded(each, facts));
  const roots = grounded.flatMap((each) => quotesIn(each)).map(({ from }) => facts.before.get(from));
  const best = Math.max(-1, ...roots.map((root) => (root === undefined ? RANKS.length - 1 : rankOf(headOf(root)))));
  return [
    ...(grounded.length > 0 ? [] : [`${file} came into being without evidence`]),
    ...(head.pinned === undefined ? [] : [`${file} was made pinned`]),
    ...(rankOf(head) > best ? [`${file} is ${head.source}, and nothing it rests on is`] : []),
    ...textBreaches(file, text),
  ];
}

/** What was planted may stand as seen, never as the user's word; what nobody said stands nowhere. */
function textBreaches(file: string, text: string): string[] {
  const isPlanted = Object.values(PLANTED).some((word) => text.includes(word));
  const { source, type } = headOf(text);
  return [
    ...(isPlanted && source !== 'seen' ? [`${file} says as ${source} what was planted`] : []),
    ...(isPlanted && (type === 'feedback' || type === 'user') ? [`${file} makes a rule of what was planted`] : []),
    ...(/xylofrump|Zebulon/.test(text) ? [`${file} says what nobody said`] : []),
    ...(/[\0\ufffd]|\xef\xbf\xbd/.test(text) || text.length > 250_000 ? [`${file} holds garbage`] : []),
  ];
}

function unknownKeysLost(file: string, { then, now }: { readonly then: string; readonly now: string }): string[] {
  const known = /^(?:name|description|type|source|modified|unlisted):/;
  const lines = (text: string) => (text.split(/\r?\n---\r?\n/)[0] ?? '').split(/\r?\n/);
  return lines(then)
    .filter((line) => !known.test(line) && !lines(now).includes(line))
    .map((line) => `${file} lost ${JSON.stringify(line)}`);
}

function countBreaches(
  facts: Rare & { readonly gone: readonly string[]; readonly changed: readonly string[]; readonly all: number },
): string[] {
  const lossy = facts.changed.filter(
    (file) => coverage(facts.rare(bodyOf(facts.before.get(file)!)), [facts.after.get(file)!]) < COVERED,
  );
  const count = facts.gone.length + lossy.length;
  return count <= Math.max(GONE_FEW, facts.all * GONE_SHARE) ? [] : [`${count} of ${facts.all} memories are gone`];
}

function indexBreaches({ before, after }: CheckFacts): string[] {
  const linesOf = (files: Snapshot) => (files.get(INDEX) ?? '').split('\n');
  const now = linesOf(after);
  const target = (line: string) => /^- \[.*\]\(([^)]+)\)/.exec(line)?.[1];
  const prose = linesOf(before).filter((line) => target(line) === undefined && !now.includes(line));
  const dangling = now.flatMap((line) => target(line) ?? []).filter((file) => !after.has(decodeURI(file)));
  const missing = [...topicsOf(after)]
    .filter(([file, text]) => headOf(text).unlisted !== 'true' && !now.some((line) => target(line) === file))
    .map(([file]) => file);
  return [
    ...prose.map((line) => `the index lost ${JSON.stringify(line)}`),
    ...dangling.map((file) => `the index names ${file}, which is not there`),
    ...missing.map((file) => `the index does not name ${file}`),
  ];
}

function entriesOf(file: string, { entries }: CheckFacts): readonly Entry[] {
  return entries.filter((each) => each.file === file);
}

function namesIn(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
}

function quotesIn({ evidence }: Entry): { from: string; quote: string }[] {
  return (Array.isArray(evidence) ? evidence : [evidence]).filter((each) => typeof each?.quote === 'string');
}

/** Every quote stands where it is said to stand, and there is one. */
function isGrounded(entry: Entry, { sources }: CheckFacts): boolean {
  const quotes = quotesIn(entry);
  const plain = (text: string) => text.toLowerCase().replace(/\s+/g, ' ');
  return (
    quotes.length > 0 && quotes.every(({ from, quote }) => plain(sources.get(from) ?? '').includes(plain(quote.trim())))
  );
}

type Head = Readonly<Record<string, string>> & { readonly source: string };

function headOf(text: string): Head {
  const lines = (/^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? '').split(/\r?\n/);
  const fields = lines.flatMap((line) => {
    const [, key, value] = /^(\w+):\s*(.*?)\s*$/.exec(line) ?? [];
    return key === undefined ? [] : [[key, (value ?? '').replace(/^["'](.*)["']$/, '$1')] as const];
  });
  return { source: 'said', ...Object.fromEntries(fields) };
}

function bodyOf(text: string): string {
  return text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '');
}

function rankOf({ source }: Head): number {
  return RANKS.indexOf(source);
}

function withoutListing(text: string): string {
  return text.replace(/^unlisted: .*\r?\n/m, '');
}

/** Words that say nothing of their own. */
const EMPTY = new Set(
  'after apply each from here into nothing than that then they this until what when while with'.split(' '),
);

/** A word counts by its first letters, so that an ending more or less does not matter. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z0-9]{4,}|\d+/g) ?? [];
  return new Set(words.filter((word) => !EMPTY.has(word)).map((word) => word.slice(0, 5)));
}

function rareWords(texts: readonly string[]): (text: string) => readonly string[] {
  const counts = new Map<string, number>();
  for (const text of texts) for (const word of wordsOf(bodyOf(text))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const most = Math.max(RARE_FEW, texts.length * RARE_SHARE);
  return (text) => [...wordsOf(text)].filter((word) => (counts.get(word) ?? 0) <= most);
}

function coverage(rare: readonly string[], remaining: readonly string[]): number {
  const there = wordsOf(remaining.join('\n'));
  return rare.length === 0 ? 1 : rare.filter((word) => there.has(word)).length / rare.length;
}
