/**
 * A second opinion on what a dream did to a memory folder, told from bytes and from the dreamer's own list alone. It shares
 * no code with dreaming: its own reading of front matter, its own sentences, its own search for quotes.
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
const GONE_SHARE = 0.3;
const GONE_FEW = 3;
const RANKS = ['seen', 'inferred', 'imported', 'said'];

/** What went against the rules; empty when nothing did. */
export function breachesOf(facts: CheckFacts): string[] {
  const { before, after } = facts;
  const old = topicsOf(before);
  const gone = [...old.keys()].filter((file) => !after.has(file));
  const changed = [...old.keys()].filter((file) => after.has(file) && after.get(file) !== before.get(file));
  const made = [...after.keys()].filter((file) => !before.has(file));
  return [
    ...strangers(facts),
    ...gone.flatMap((file) => goneBreaches(file, facts)),
    ...changed.flatMap((file) => changedBreaches(file, facts)),
    ...made.flatMap((file) => madeBreaches(file, facts)),
    ...countBreaches({ gone, all: old.size }),
    ...indexBreaches(facts),
  ];
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

function goneBreaches(file: string, facts: CheckFacts): string[] {
  const { before, after } = facts;
  const text = before.get(file)!;
  const own = headOf(text);
  const said = entriesOf(file, facts).filter(({ action }) => action === 'remove');
  const heirs = said.flatMap(({ into }) => namesIn(into)).filter((heir) => after.has(heir));
  return [
    ...(own.pinned === 'true' ? [`${file} was pinned and is gone`] : []),
    ...(said.length === 0 ? [`${file} is gone, and nobody asked for it`] : []),
    ...(said.some((each) => isGrounded(each, facts)) ? [] : [`${file} is gone without evidence`]),
    ...lostSentences(file, { ...facts, entries: said, remaining: heirs.map((heir) => after.get(heir)!) }),
    ...heirs.flatMap((heir) => heirBreaches({ file, own }, { heir, head: headOf(after.get(heir)!) })),
    ...(text.includes(OLD_SECRET) ? [`${file} held a secret, which undo could not bring back`] : []),
  ];
}

function heirBreaches(
  { file, own }: { readonly file: string; readonly own: Head },
  { heir, head }: { readonly heir: string; readonly head: Head },
): string[] {
  return isConfirmed(own) && rankOf(head) < rankOf(own)
    ? [`${file}, ${own.source}, went into ${heir}, ${head.source}`]
    : [];
}

/** What nobody confirmed about the user, or how to work, has no line. */
function isIndexed(head: Head): boolean {
  const isRule = head.type === 'user' || head.type === 'feedback';
  return head.unlisted !== 'true' && (!isRule || isConfirmed(head));
}

function isConfirmed({ source }: Head): boolean {
  return source === 'said' || source === 'imported';
}

/** Sentences that stand nowhere in what remains, and have no reason that is true. */
function lostSentences(file: string, facts: CheckFacts & { readonly remaining: readonly string[] }): string[] {
  const text = facts.before.get(file)!;
  const remaining = facts.remaining.map(plain);
  const drops = facts.entries.flatMap(({ drops: given }) => (Array.isArray(given) ? given : [given]) as Drop[]);
  const isExplained = (sentence: string) =>
    drops.some(
      (drop) => plain(String(drop?.quote)).includes(plain(sentence)) && isTrue(drop, { ...facts, file, sentence }),
    );
  return sentencesOf(text)
    .filter((sentence) => !remaining.some((each) => each.includes(plain(sentence))) && !isExplained(sentence))
    .map((sentence) => `${file} lost “${sentence}”`);
}

interface Drop {
  readonly quote?: unknown;
  readonly because?: unknown;
  readonly of?: { readonly file: string; readonly quote: string };
  readonly by?: { readonly file: string; readonly quote: string };
  readonly day?: string;
  readonly path?: string;
}

function isTrue(
  drop: Drop,
  { file, sentence, before, after }: CheckFacts & { readonly file: string; readonly sentence: string },
): boolean {
  const text = before.get(file)!;
  const own = headOf(text);
  const holds = (held: Drop['of']) => {
    const other = held === undefined ? undefined : after.get(held.file);
    if (held === undefined || other === undefined || held.quote.length < 5) return false;
    return plain(other).includes(plain(held.quote)) && (!isConfirmed(own) || rankOf(headOf(other)) >= rankOf(own));
  };
  switch (drop.because) {
    case 'duplicate':
      return holds(drop.of);
    case 'superseded':
      return holds(drop.by) && drop.by!.file !== file;
    case 'expired':
      return `${own.description}\n${bodyOf(text)}`.includes(drop.day!) && drop.day! < new Date().toISOString();
    case 'gone':
      return drop.path!.includes('/') && sentence.includes(drop.path!) && drop.path !== 'src/a.ts';
  }
  return false;
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9/]+/g, ' ')
    .trim();

/** Name and description too; a name whose words all stand in the text is a label. */
function sentencesOf(text: string): readonly string[] {
  const { name = '', description = '' } = headOf(text);
  const body = bodyOf(text).replace(/\*\*[^*]+\*\*/g, '\n');
  const isLabel = plain(name.replace(/^The /, ''))
    .split(' ')
    .every((word) => plain(`${description} ${body}`).includes(word));
  const all = [...(isLabel ? [] : [name]), description, body].flatMap((each) => each.split(/\r?\n|(?<=[.!?;])\s+/));
  return all.filter((sentence) => plain(sentence) !== '');
}

function changedBreaches(file: string, facts: CheckFacts): string[] {
  const { before, after } = facts;
  const [then, now] = [before.get(file)!, after.get(file)!];
  const [own, head] = [headOf(then), headOf(now)];
  if (withoutListing(now) === withoutListing(then)) {
    const isAsked = entriesOf(file, facts).some(({ action }) => action === 'unlist' || action === 'list');
    return isAsked && own.pinned !== 'true' ? [] : [`${file} got or lost its line, and may not`];
  }
  const said = entriesOf(file, facts).filter(({ action }) => action === 'update');
  const heirs = said.flatMap(({ into }) => namesIn(into)).flatMap((heir) => after.get(heir) ?? []);
  return [
    ...(own.pinned === 'true' ? [`${file} is pinned and was changed`] : []),
    ...(head.pinned === own.pinned ? [] : [`${file} was made pinned`]),
    ...(head.type === own.type ? [] : [`${file} changed its type`]),
    ...(said.some((each) => isGrounded(each, facts)) ? [] : [`${file} was changed without evidence`]),
    ...lostSentences(file, { ...facts, entries: said, remaining: [now, ...heirs] }),
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

function countBreaches({ gone, all }: { readonly gone: readonly string[]; readonly all: number }): string[] {
  return gone.length <= Math.max(GONE_FEW, all * GONE_SHARE) ? [] : [`${gone.length} of ${all} memories are gone`];
}

function indexBreaches({ before, after }: CheckFacts): string[] {
  const linesOf = (files: Snapshot) => (files.get(INDEX) ?? '').split('\n');
  const now = linesOf(after);
  const target = (line: string) => /^- \[.*\]\(([^)]+)\)/.exec(line)?.[1];
  const prose = linesOf(before).filter((line) => target(line) === undefined && !now.includes(line));
  const dangling = now.flatMap((line) => target(line) ?? []).filter((file) => !after.has(decodeURI(file)));
  const missing = [...topicsOf(after)]
    .filter(([file, text]) => isIndexed(headOf(text)) && !now.some((line) => target(line) === file))
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
  const spaced = (text: string) => text.toLowerCase().replace(/\s+/g, ' ');
  return (
    quotes.length > 0 &&
    quotes.every(({ from, quote }) => spaced(sources.get(from) ?? '').includes(spaced(quote.trim())))
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
