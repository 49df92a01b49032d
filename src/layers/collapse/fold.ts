/** Rounds of a conversation, and the two lines one becomes: what was called, and how much came back. */

import {
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
  textOf,
  toolUsesOf,
} from '../../conversation/message.ts';
import { estimateTokens } from '../../conversation/tokens.ts';
import type { Fold } from './state.ts';
import { foldedMessage } from './view.ts';

/** Calls named in a round's line, and characters of the input of each. */
const NAMED_CALLS = 12;
const INPUT_CHARACTERS = 80;

/** Calls with all of their results and nothing else, in two consecutive messages. */
export interface Round {
  readonly id: string;
  /** Position of the message with the calls. */
  readonly at: number;
  readonly calls: readonly ToolUseBlock[];
  readonly results: readonly ToolResultBlock[];
}

/** Oldest first. */
export function roundsOf(messages: readonly Message[]): readonly Round[] {
  return messages.flatMap((message, at) => {
    const calls = message.role === 'assistant' ? toolUsesOf(message.content) : [];
    const next = messages[at + 1];
    if (calls.length === 0 || next?.role !== 'user') return [];
    const results = next.content.filter((block) => block.type === 'tool_result');
    const wanted = new Set(calls.map(({ id }) => id));
    const isWhole = results.length === wanted.size && results.every(({ tool_use_id }) => wanted.delete(tool_use_id));
    return isWhole ? [{ id: calls[0]!.id, at, calls, results }] : [];
  });
}

/** Null when the lines would be no shorter than what they replace. */
export function foldOf(round: Round, { messages }: { readonly messages: readonly Message[] }): Fold | null {
  const fold = {
    id: round.id,
    toolUseIds: round.calls.map(({ id }) => id),
    calls: callsLine(round.calls),
    results: resultsLine(round.results),
    freedTokens: 0,
  };
  const pair = [messages[round.at]!, messages[round.at + 1]!];
  const byId = new Map(fold.toolUseIds.map((id) => [id, fold]));
  const freedTokens = sizeOf(pair) - sizeOf(pair.map((message) => foldedMessage(message, byId)));
  return freedTokens > 0 ? { ...fold, freedTokens } : null;
}

function callsLine(calls: readonly ToolUseBlock[]): string {
  const named = calls.slice(0, Math.max(1, NAMED_CALLS)).map((call) => nameOf(call));
  const more = calls.length - named.length;
  return `[Finished work, folded: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}]`;
}

/** The first text of an input shows what a call is about: a path, a command, a pattern. */
function nameOf({ name, input }: ToolUseBlock): string {
  const main = Object.values(input).find((value) => typeof value === 'string' && value.trim() !== '');
  if (typeof main !== 'string') return name;
  // Cut before and after: a written file may be long, and the first cut must not decide where words are joined.
  const characters = [
    ...main
      .slice(0, INPUT_CHARACTERS * 4)
      .replace(/\s+/g, ' ')
      .trim(),
  ];
  const isCut = characters.length > INPUT_CHARACTERS || main.length > INPUT_CHARACTERS * 4;
  return `${name} ${characters.slice(0, INPUT_CHARACTERS).join('')}${isCut ? '…' : ''}`;
}

function resultsLine(results: readonly ToolResultBlock[]): string {
  const characters = results.reduce((sum, { content }) => sum + textOf(content).length, 0);
  const others = results.reduce((sum, { content }) => sum + content.filter(({ type }) => type !== 'text').length, 0);
  const failed = results.filter(({ is_error }) => is_error === true).length;
  const sizes = [
    counted(results.length, 'result'),
    counted(characters, 'character'),
    ...(others > 0 ? [counted(others, 'image or document', 'images or documents')] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return `[Left out: ${sizes.join(', ')}. Make the call again to see it.]`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0);
}
