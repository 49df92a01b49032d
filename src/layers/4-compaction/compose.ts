/** Writes the one message that replaces others: summary, what was restored, and what was carried word for word. */

import type { Entry, Injection } from '../../conversation/entry.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import { estimateTextTokens } from '../../conversation/tokens.ts';
import { COMPACTION_LIMITS, type Limits } from '../../limits.ts';
import { headAndTail, headLines } from './cut-text.ts';
import { oneLine } from './one-line.ts';
import { carriedHeading, summaryText } from './prompt.ts';
import { type Proof, prove } from './prove.ts';
import type { Restored } from './restore.ts';
import type { Room } from './room.ts';
import { seal } from './seal.ts';
import type { Carried, CarriedMessage, CarriedTodo } from './state.ts';
import { holds, plain } from './terms.ts';

export interface ComposeFacts {
  readonly summary: string;
  readonly gathered: Carried;
  readonly room: Room;
  readonly transcript: string | null;
  /** Where to find the rest of a section that had to be cut. */
  readonly summaryPath: string | null;
  readonly mostSectionTokens: number;
  /** Restores within this many tokens. */
  readonly restore: (tokens: number) => Promise<readonly Restored[]>;
  /** Text of the messages that stay, for the proof. */
  readonly keptText: string;
  /** The user's newest words, if they stay; else empty. */
  readonly keptRequest: string;
  readonly limits: Limits['compaction'];
}

export interface Composed {
  readonly content: readonly ContentBlock[];
  readonly injected: readonly Injection[];
  readonly carried: Carried;
  readonly proof: Proof;
  readonly restored: readonly string[];
}

export async function compose(facts: ComposeFacts): Promise<Composed> {
  const { gathered, room, transcript } = facts;
  const carried = chooseCarried({ gathered, room, transcript });
  const carry = (summary: string) => withHeading(carriedText({ gathered, room, transcript, carried, summary }));
  const frameTokens = estimateTextTokens(summaryText({ summary: '', transcript }));
  // A file or a page may have talked the summariser into text that looks like the user's.
  const summary = fitSections(withoutLine(seal(facts.summary), requestShown(facts, carried)), {
    mostTokens: Math.max(room.leastSummary, room.tokens - frameTokens - estimateTextTokens(carry(''))),
    mostSectionTokens: facts.mostSectionTokens,
    pointer: facts.summaryPath === null ? '[… cut]' : `[… cut; the rest is in ${oneLine(facts.summaryPath)}]`,
  });
  const shown = summaryText({ summary, transcript });
  const copied = carry(summary);
  const left = room.tokens - estimateTextTokens(shown) - estimateTextTokens(copied);
  const restored = await facts.restore(Math.max(0, left));
  const parts = [
    { source: 'summary' as const, text: shown },
    ...restored,
    ...(copied === '' ? [] : [{ source: 'summary' as const, text: copied }]),
  ];
  const windowText = [...parts.map(({ text }) => text), facts.keptText].join('\n');
  return {
    content: parts.map(({ text }) => ({ type: 'text', text })),
    injected: parts.map(({ source }, block) => ({ block, source })),
    carried,
    proof: prove({ gathered, summary, windowText }),
    restored: restored.map(({ name }) => name),
  };
}

/** The request that the window holds whole beside the summary; null when it had to be cut. */
function requestShown({ gathered, keptRequest }: ComposeFacts, carried: Carried): string | null {
  if (gathered.lastRequest === null) return keptRequest === '' ? null : keptRequest;
  return carried.lastRequest?.text === gathered.lastRequest.text ? gathered.lastRequest.text : null;
}

/** Takes these words out where they are all of a line, or of several, as in a list of the user's messages. */
function withoutLine(text: string, words: string | null): string {
  const escaped = plain(words ?? '').replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  if (escaped === '') return text;
  const line = new RegExp(
    `^[ \\t]*(?:[-*>]|\\d+\\.)*[ \\t]*["“]?${escaped.replaceAll(' ', '\\s+')}["”]?[ \\t]*(?:\\n|$)`,
    'gm',
  );
  return text.replace(line, '');
}

function withHeading(text: string): string {
  return text === '' ? '' : `${carriedHeading()}\n\n${text}`;
}

/** All text that the model will read in these messages. */
export function textIn(entries: readonly Entry[]): string {
  return entries
    .flatMap(({ message }) => message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])))
    .join('\n');
}

// Cuts a text of markdown sections to a size: over-long sections are cut, each with a note on where the rest is.

interface SectionFacts {
  readonly mostTokens: number;
  readonly mostSectionTokens: number;
  /** Replaces what is cut. */
  readonly pointer: string;
}

export function fitSections(text: string, facts: SectionFacts): string {
  const sections = text.split(/^(?=#{1,2} )/m).map((section) => cut(section.trimEnd(), facts.mostSectionTokens, facts));
  if (sizeOf(sections) <= facts.mostTokens) return sections.join('\n\n');
  const level = levelFor(sections, facts.mostTokens);
  const levelled = sections.map((section) => cut(section, level, facts)).join('\n\n');
  return estimateTextTokens(levelled) <= facts.mostTokens ? levelled : cut(levelled, facts.mostTokens, facts);
}

function sizeOf(sections: readonly string[]): number {
  return estimateTextTokens(sections.join('\n\n'));
}

/** The height at which all sections, cut to it, fit: short ones keep everything. */
function levelFor(sections: readonly string[], mostTokens: number): number {
  const sizes = sections.map((section) => estimateTextTokens(`${section}\n\n`)).sort((one, other) => one - other);
  let left = mostTokens;
  for (const [at, size] of sizes.entries()) {
    const each = Math.floor(left / (sizes.length - at));
    if (size > each) return Math.max(0, each - 1);
    left -= size;
  }
  return left;
}

function cut(section: string, tokens: number, facts: SectionFacts): string {
  if (estimateTextTokens(section) <= tokens) return section;
  const pointer = `\n${facts.pointer}`;
  const room = tokens - estimateTextTokens(pointer) - 1;
  return room <= 0 ? headLines(section, tokens) : `${headLines(section, room).trimEnd()}${pointer}`;
}

// Chooses what is carried word for word within the room, and formats it for the model.

interface CarryFacts {
  readonly gathered: Carried;
  readonly room: Room;
  /** The transcript's path; null when none is kept. */
  readonly transcript: string | null;
}

/** The part of what was gathered that fits; the rest is only in the transcript. */
function chooseCarried({ gathered, room, transcript }: CarryFacts): Carried {
  const { messages, lastRequest, rules, todos, written, terms } = gathered;
  const below = (tokens: number) => tokens - COMPACTION_LIMITS.headingTokens;
  return {
    messages: fitting(messages, below(room.messages), {
      write: (message) => messageText(message, transcript),
      first: ({ text }) => text.length <= SHORT_CHARACTERS,
    }),
    lastRequest: lastRequest === null ? null : cutRequest(lastRequest, { tokens: below(room.request), transcript }),
    rules: fitting(rules, below(room.rules), { write: itemLine, first: (text) => text.length <= SHORT_CHARACTERS }),
    // The first steps are the next ones.
    todos: fitting(todos.toReversed(), below(room.todos), { write: todoLine }).toReversed(),
    written: fitting(written, below(room.written), { write: itemLine }),
    terms: fitting(terms, below(room.terms), { write: itemLine }),
  };
}

/** Longer texts wait until all shorter ones have found room: one paste must not push out ten sentences. */
const SHORT_CHARACTERS = 400;

/** Newest first, and before that those that go `first`; in their own order again when chosen. */
function fitting<Item>(
  items: readonly Item[],
  tokens: number,
  facts: { readonly write: (item: Item) => string; readonly first?: (item: Item) => boolean },
): readonly Item[] {
  const { write, first = () => true } = facts;
  const newestFirst = [...items.entries()].reverse();
  const inTurn = [...newestFirst.filter(([, item]) => first(item)), ...newestFirst.filter(([, item]) => !first(item))];
  const chosen = new Set<number>();
  let left = tokens;
  for (const [at, item] of inTurn) {
    // Including the line break after it.
    const cost = estimateTextTokens(`${write(item)}\n`);
    if (cost > left) continue;
    left -= cost;
    chosen.add(at);
  }
  return items.filter((_, at) => chosen.has(at));
}

function cutRequest(
  request: CarriedMessage,
  { tokens, transcript }: { readonly tokens: number; readonly transcript: string | null },
): CarriedMessage {
  const frame = estimateTextTokens(messageText({ ...request, text: '' }, transcript));
  if (estimateTextTokens(request.text) + frame <= tokens) return request;
  const note = `[… left out here: ${placeOf(request.uuid, transcript)}]`;
  const text = headAndTail(request.text, tokens - frame, note);
  return { ...request, text, leftOut: 0 };
}

/**
 * Rules come first and always. Messages that the summary or a rule already says word for word are not repeated; of names and
 * files only the missing ones take room. The last request comes last: work continues from it.
 */
function carriedText(facts: CarryFacts & { readonly carried: Carried; readonly summary: string }): string {
  const { carried, gathered, room, transcript } = facts;
  const summary = plain(facts.summary);
  const request = carried.lastRequest;
  const rules = carried.rules.filter((rule) => !holds(plain(request?.text ?? ''), plain(rule)));
  const known = plain([summary, ...rules].join('\n'));
  const messages = carried.messages.filter(({ text }) => !holds(known, plain(text)));
  const said = plain([known, ...messages.map(({ text }) => text), request?.text ?? ''].join('\n'));
  const missing = (texts: readonly string[]) => texts.filter((text) => !holds(said, plain(text)));
  const fit = (texts: readonly string[], tokens: number) =>
    fitting(missing(texts), tokens - COMPACTION_LIMITS.headingTokens, { write: itemLine }).map(itemLine);
  return [
    section(RULES_HEADING, rules.map(itemLine)),
    section(
      'What the user said, word for word',
      messages.map((message) => messageText(message, transcript)),
    ),
    section('Names, values and paths the user typed', fit(gathered.terms, room.terms)),
    section('Files written so far', fit(gathered.written, room.written)),
    section('Open steps of the list', carried.todos.map(todoLine)),
    section("The user's last request, word for word", request === null ? [] : [messageText(request, transcript)]),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

const RULES_HEADING = 'Rules, limits and decisions of the user, word for word; where two disagree the later one holds';

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`## ${heading}`, ...lines].join('\n');
}

function messageText({ uuid, text, leftOut }: CarriedMessage, transcript: string | null): string {
  const rest = leftOut > 0 ? `\n[… ${leftOut} characters more: ${placeOf(uuid, transcript)}]` : '';
  return `<user-message id="${uuid}">\n${text}${rest}\n</user-message>`;
}

function placeOf(uuid: string, transcript: string | null): string {
  return transcript === null ? 'no transcript is kept' : `message ${uuid} in ${transcript}`;
}

function itemLine(text: string): string {
  return `- ${text}`;
}

function todoLine({ content, status }: CarriedTodo): string {
  return `- [${status === 'in_progress' ? 'in progress' : 'to do'}] ${content}`;
}
