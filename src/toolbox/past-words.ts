/** Finds sentences that the user typed in earlier sessions of the project: a lexical look over what of their transcripts was typed. */

import { fold } from '../base/text/fold.ts';
import { stripInvisible } from '../base/text/visible-text.ts';
import { toolUsesOf } from '../conversation/message.ts';
import { typedText } from '../conversation/typed-text.ts';
import { type TranscriptFile, transcriptsOf } from '../disk/sessions/sessions.ts';
import { linesBackwards, openBytes } from '../disk/transcript/lines.ts';
import { entryOf, parseRecord } from '../disk/transcript/record.ts';
import type { Limits } from '../limits.ts';
import { isOptOut } from '../memory/gate/phrases.ts';
import { findSecret } from '../memory/gate/secret.ts';
import { keysOf, overlap, type Terms, termsOf } from '../memory/gate/terms.ts';
import { readTyped } from '../memory/gate/typed.ts';

export interface PastSentence {
  readonly text: string;
  /** ISO time. */
  readonly at: string;
  readonly session: string;
}

export interface PastWords {
  /** The best first; among equals the newest. */
  readonly found: readonly PastSentence[];
  /** Whether the time or the bytes ran out before all sessions were looked at. */
  readonly isCut: boolean;
}

export interface PastSearch {
  readonly home: string;
  readonly slug: string;
  /** The session that asks. */
  readonly except: string | null;
  readonly most: number;
  /** What the user has taken back since: forgotten, or replaced by what they said later. */
  readonly isTakenBack?: (sentence: string) => boolean;
  readonly limits: Pick<Limits, 'pastSearch' | 'transcripts'>;
}

export async function searchPastWords(query: string, search: PastSearch): Promise<PastWords> {
  const { pastSearch: limits } = search.limits;
  const terms = termsOf(query);
  if (terms.length === 0) return { found: [], isCut: false };
  const sessions = transcriptsOf({ home: search.home, slug: search.slug }).filter(({ id }) => id !== search.except);
  const looking: Looking = {
    ...{ terms, limits: search.limits, found: new Map() },
    isTakenBack: search.isTakenBack ?? (() => false),
    untilMs: performance.now() + limits.milliseconds,
    bytesLeft: limits.bytes,
  };
  let isCut = sessions.length > limits.sessions;
  for (const session of sessions.slice(0, limits.sessions)) {
    if (isSpent(looking)) break;
    await lookThrough(session, looking).catch(() => {});
  }
  isCut ||= isSpent(looking);
  const ranked = [...looking.found.values()].sort(
    (one, other) => other.share - one.share || (one.sentence.at < other.sentence.at ? 1 : -1),
  );
  return { found: ranked.slice(0, search.most).map(({ sentence }) => sentence), isCut };
}

interface Looking {
  readonly terms: Terms;
  readonly limits: PastSearch['limits'];
  /** By what it says: whoever repeats a sentence said it once, the last time. */
  readonly found: Map<string, { readonly sentence: PastSentence; readonly share: number }>;
  readonly isTakenBack: (sentence: string) => boolean;
  readonly untilMs: number;
  bytesLeft: number;
}

function isSpent({ untilMs, bytesLeft }: Looking): boolean {
  return bytesLeft <= 0 || performance.now() >= untilMs;
}

/** From its end, a chunk at a time: whoever types meanwhile waits for one chunk at most. */
async function lookThrough({ id, path }: TranscriptFile, looking: Looking): Promise<void> {
  const source = await openBytes(path);
  if (source === null) return;
  try {
    const { transcripts, pastSearch } = looking.limits;
    const span = { chunkBytes: transcripts.listedBytes, recordBytes: pastSearch.recordBytes };
    const hush: Hush = { messages: 0, quotes: new Set() };
    for await (const { text, start, end } of linesBackwards(source, span)) {
      if (isSpent(looking)) return;
      looking.bytesLeft -= end - start;
      if (!text?.startsWith(MESSAGE)) continue;
      if (text.includes(OF_USER)) lookAt(text, { session: id, looking, hush });
      else if (text.includes(FORGET)) for (const quote of forgetQuotes(text)) hush.quotes.add(quote);
    }
  } finally {
    await source.close();
  }
}

/** As a transcript writes it: most lines need not be parsed. */
const MESSAGE = '{"type":"message"';
const OF_USER = '"role":"user"';
const FORGET = '"name":"Forget"';

/** What is not to be shown, met from a session's end on: messages that an opt-out follows, and words that asked to forget. */
interface Hush {
  messages: number;
  readonly quotes: Set<string>;
}

/** Messages before the one that an opt-out stands in: "don't save that" is said a moment later. */
const OPT_OUT_REACH = 2;

function forgetQuotes(line: string): readonly string[] {
  const parsed = parseRecord(line);
  if (parsed.kind !== 'record' || parsed.record.type !== 'message') return [];
  return toolUsesOf(entryOf(parsed.record).message.content).flatMap(({ name, input }) =>
    name === 'Forget' && typeof input.quote === 'string' ? [fold(input.quote)] : [],
  );
}

/** A transcript keeps what was typed; a secret in it is told to no other session. Its name may be in the line before. */
function givesSecret(sentence: string, before: string): boolean {
  if (findSecret(sentence) !== null) return true;
  return before !== '' && findSecret(before) === null && findSecret(`${before}\n${sentence}`) !== null;
}

function lookAt(
  line: string,
  { session, looking, hush }: { readonly session: string; readonly looking: Looking; readonly hush: Hush },
): void {
  const parsed = parseRecord(line);
  if (parsed.kind !== 'record' || parsed.record.type !== 'message') return;
  const entry = entryOf(parsed.record);
  const { messageCharacters, sentenceCharacters, leastShare } = looking.limits.pastSearch;
  const typed = stripInvisible(typedText(entry).slice(0, messageCharacters)).text;
  const { sentences } = readTyped(typed);
  if (sentences.length === 0) return;
  const isOptedOut = sentences.some(({ text }) => isOptOut(text));
  const isHushed = isOptedOut || hush.messages > 0;
  hush.messages = isOptedOut ? OPT_OUT_REACH : Math.max(0, hush.messages - 1);
  if (isHushed) return;
  for (const [at, { text }] of sentences.entries()) {
    if (text.length > sentenceCharacters) continue;
    const { share } = overlap(looking.terms, keysOf(text));
    if (share < leastShare || givesSecret(text, sentences[at - 1]?.text ?? '')) continue;
    const key = fold(text);
    if ([...hush.quotes].some((quote) => key.includes(quote)) || looking.isTakenBack(text)) continue;
    const known = looking.found.get(key)?.sentence.at ?? '';
    if (known < entry.at) looking.found.set(key, { sentence: { text, at: entry.at, session }, share });
  }
}
