/** The results of a conversation, indexed as they arrive: no request walks all of it, and unchanged messages stay the same objects. */

import type { Message, ToolResultBlock, ToolUseBlock } from '../../conversation/message.ts';
import { estimateTokens } from '../../conversation/tokens.ts';
import { CLEARED_TOKENS, isClearable, subjectOf, viewOf } from './clearable.ts';

export interface KnownResult {
  readonly id: string;
  readonly call: ToolUseBlock;
  readonly isError: boolean;
  /** The message that holds it, by position. */
  readonly message: number;
  readonly tokens: number;
  /** What clearing it saves; never below 0. */
  readonly freedTokens: number;
}

export interface ResultIndex {
  /** Adds what is new. A conversation that was cut or replaced is followed from where it differs. */
  follow(messages: readonly Message[]): void;
  /** Of tools whose results may be cleared, oldest first. */
  readonly clearable: readonly KnownResult[];
  /** Whether a later result shows the same, or shows that it is out of date. */
  isSuperseded(result: KnownResult): boolean;
  /** How many messages there are. */
  length(): number;
  /** Estimated tokens of this message and all after it. */
  tokensFrom(message: number): number;
  /** Shows these results as cleared from now on. */
  clear(results: readonly KnownResult[]): void;
  /** The messages without what was cleared; the given list itself if nothing was. */
  view(): readonly Message[];
}

export function createResultIndex(cleared: Set<string>, isMeant: (tool: string) => boolean = isClearable): ResultIndex {
  let given: readonly Message[] = [];
  const messages: Message[] = [];
  const views: Message[] = [];
  /** Messages whose view is a different object. */
  let changed = 0;
  /** Estimated tokens before each message, and after the last. */
  const tokens: number[] = [0];
  /** Never shortened: an answer that was cut off may come back, and a call is only looked up by its id. */
  const calls = new Map<string, ToolUseBlock>();
  const clearable: KnownResult[] = [];
  let repeated = createRepeated();

  function show(at: number): void {
    const before = at < views.length && views[at] !== messages[at];
    views[at] = viewOf(messages[at]!, cleared);
    changed += Number(views[at] !== messages[at]) - Number(before);
  }

  function cutTo(length: number): void {
    for (let at = length; at < messages.length; at++) if (views[at] !== messages[at]) changed--;
    messages.length = length;
    views.length = length;
    tokens.length = length + 1;
    if ((clearable.at(-1)?.message ?? -1) < length) return;
    while (clearable.length > 0 && clearable.at(-1)!.message >= length) clearable.pop();
    // What is gone repeats nothing any more. Results are seldom removed, so all are checked again.
    repeated = createRepeated();
    for (const result of clearable) repeated.add(result);
  }

  function add(message: Message): void {
    const at = messages.push(message) - 1;
    tokens.push(tokens[at]! + estimateTokens(message));
    for (const block of message.content) {
      if (block.type === 'tool_use') calls.set(block.id, block);
      else if (block.type === 'tool_result') addResult(block, at);
    }
    show(at);
  }

  function addResult(block: ToolResultBlock, message: number): void {
    const call = calls.get(block.tool_use_id);
    if (call === undefined || !isMeant(call.name)) return;
    const estimate = estimateTokens(block);
    const result: KnownResult = {
      id: block.tool_use_id,
      call,
      isError: block.is_error === true,
      message,
      tokens: estimate,
      freedTokens: Math.max(0, estimate - CLEARED_TOKENS),
    };
    clearable.push(result);
    repeated.add(result);
  }

  return {
    clearable,
    follow(next) {
      given = next;
      let same = 0;
      while (same < messages.length && messages[same] === next[same]) same++;
      if (same < messages.length) cutTo(same);
      for (let at = same; at < next.length; at++) add(next[at]!);
    },
    isSuperseded: (result) => repeated.isSuperseded(result),
    length: () => messages.length,
    tokensFrom: (message) => tokens[messages.length]! - tokens[message]!,
    clear(results) {
      for (const { id } of results) cleared.add(id);
      for (const at of new Set(results.map(({ message }) => message))) show(at);
    },
    view: () => (changed === 0 ? given : views.slice()),
  };
}

// Which results a later one has made worthless, updated as results arrive: a repeated search, a file read or written again.

interface Repeated {
  add(result: KnownResult): void;
  isSuperseded(result: KnownResult): boolean;
}

function createRepeated(): Repeated {
  const superseded = new Set<KnownResult>();
  /** Results of a subject that nothing repeats so far, and reads that a write to their file would make stale. */
  const bySubject = new Map<string, KnownResult[]>();
  const byWrite = new Map<string, KnownResult[]>();

  function supersede(map: Map<string, KnownResult[]>, key: string, isRepeated: (before: KnownResult) => boolean): void {
    const before = map.get(key);
    if (before === undefined) return;
    for (const result of before) if (isRepeated(result)) superseded.add(result);
    map.set(
      key,
      before.filter((result) => !superseded.has(result)),
    );
  }

  return {
    add(result) {
      const about = subjectOf(result.call);
      if (about === null) return;
      if (!result.isError) {
        // A much shorter one is not a repetition: Read may only have said that nothing changed.
        supersede(bySubject, about.subject, ({ tokens }) => result.tokens * 2 >= tokens);
        supersede(byWrite, about.subject, () => true);
      }
      if (result.call.name !== 'Write') append(bySubject, about.subject, result);
      if (about.staleBy !== null) append(byWrite, about.staleBy, result);
    },
    isSuperseded: (result) => superseded.has(result),
  };
}

function append(map: Map<string, KnownResult[]>, key: string, result: KnownResult): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [result]);
  else list.push(result);
}
