/** Collects from the removed messages what must not be lost: the user's words, rules, open steps, files written, names. */

import type { Entry } from '../../conversation/entry.ts';
import { toolUsesOf } from '../../conversation/message.ts';
import { type OwnMessage, ownMessages, typedParagraphs } from '../../conversation/own-words.ts';
import { typedText } from '../../conversation/typed-text.ts';
import { COMPACTION_LIMITS, type Limits } from '../../limits.ts';
import { headCharacters } from './cut-text.ts';
import { type ListedRule, rulesFrom } from './rules.ts';
import type { Carried, CarriedMessage, CarriedTodo } from './state.ts';
import { termsIn } from './terms.ts';

/** Characters repeated from one user message. */
const MESSAGE_CHARACTERS = 2_000;
/** How many names and values to look for, newest first. */
const MOST_TERMS = 2_000;

export interface GatherFacts {
  /** The messages that are summarised. */
  readonly entries: readonly Entry[];
  /** What earlier compactions carried, if their summaries are among these messages. */
  readonly earlier: Carried;
  /** Messages after them that stay: a list of steps in there is newer. */
  readonly later: readonly Entry[];
  /** Whether the user's newest words are among these messages, and not in what stays. */
  readonly hasLastRequest: boolean;
  /** What the summariser or the notes name as rules. */
  readonly listed: readonly ListedRule[];
  readonly limits: Limits['compaction'];
}

/** Not limited yet: how much of it is carried depends on the room. The last request is not among the messages. */
export function gather(facts: GatherFacts): Carried {
  const { entries, earlier, limits } = facts;
  const own = ownMessages(entries);
  const newestOwn = own.at(-1);
  const lastRequest = facts.hasLastRequest ? (requestOf(newestOwn) ?? earlier.lastRequest) : null;
  // A newer request turns the one before it into an ordinary message.
  const former = earlier.lastRequest === null || earlier.lastRequest === lastRequest ? [] : [earlier.lastRequest];
  const others = facts.hasLastRequest ? own.slice(0, -1) : own;
  const calls = succeededCalls(entries);
  return {
    messages: [...earlier.messages, ...[...former, ...others].map((message) => cutMessage(message))],
    lastRequest,
    rules: rulesFrom({ earlier: earlier.rules, typed: typedIn(facts), listed: facts.listed }),
    todos: openTodos(succeededCalls(facts.later)) === null ? (openTodos(calls) ?? earlier.todos) : [],
    written: newest([...earlier.written, ...writtenFiles(calls)]),
    terms: newest([...earlier.terms, ...own.flatMap((message) => typedTerms(message, limits))]).slice(-MOST_TERMS),
  };
}

/** Oldest first, also what earlier compactions carried. */
function typedIn({ entries, earlier }: GatherFacts): readonly string[] {
  const carried = [...earlier.messages, ...(earlier.lastRequest === null ? [] : [earlier.lastRequest])];
  // Within its own conversation a prompt counts whoever wrote it; what was pasted or piped into it does not.
  const said = entries.map(({ typedCharacters: _, ...entry }) => typedText(entry));
  return [...carried.map(({ text }) => text), ...said].filter((text) => text !== '');
}

function requestOf(message: OwnMessage | undefined): CarriedMessage | null {
  return message === undefined ? null : { ...message, leftOut: 0 };
}

function cutMessage(message: OwnMessage | CarriedMessage): CarriedMessage {
  const text = headCharacters(message.text, MESSAGE_CHARACTERS);
  const leftOut = message.text.length - text.length + ('leftOut' in message ? message.leftOut : 0);
  return { uuid: message.uuid, text, leftOut };
}

function typedTerms({ text }: OwnMessage, limits: Limits['compaction']): readonly string[] {
  return typedParagraphs(text, limits.pastedCharacters).flatMap((part) =>
    termsIn(part, COMPACTION_LIMITS.termCharacters),
  );
}

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

function succeededCalls(entries: readonly Entry[]): readonly Call[] {
  const blocks = entries.flatMap(({ message }) => message.content);
  const failed = new Set(
    blocks.flatMap((block) => (block.type === 'tool_result' && block.is_error === true ? [block.tool_use_id] : [])),
  );
  return toolUsesOf(blocks).filter(({ id }) => !failed.has(id));
}

/** Null when no list was written in these messages. */
function openTodos(calls: readonly Call[]): readonly CarriedTodo[] | null {
  const list = calls.findLast(({ name }) => name === 'TodoWrite')?.input.todos;
  if (!Array.isArray(list)) return null;
  return list.flatMap((todo: unknown) => {
    const { content, status } = (todo ?? {}) as Record<string, unknown>;
    if (typeof content !== 'string' || (status !== 'pending' && status !== 'in_progress')) return [];
    return [{ content, status }];
  });
}

function writtenFiles(calls: readonly Call[]): readonly string[] {
  return calls.flatMap(({ name, input }) =>
    (name === 'Write' || name === 'Edit') && typeof input.file_path === 'string' ? [input.file_path] : [],
  );
}

/** Each once, at its last position. */
function newest(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.toReversed())].reverse();
}
