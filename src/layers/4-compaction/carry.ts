/** Chooses what is carried word for word within the room, and writes it down for the model. */

import { estimateTextTokens } from '../../conversation/tokens.ts';
import type { Limits } from '../../limits.ts';
import { headAndTail } from './cut-text.ts';
import type { Room } from './room.ts';
import type { Carried, CarriedMessage, CarriedTodo } from './state.ts';
import { holds, plain } from './terms.ts';

export interface CarryFacts {
  readonly gathered: Carried;
  readonly room: Room;
  readonly limits: Limits['compaction'];
  /** The transcript's path; null when none is kept. */
  readonly transcript: string | null;
}

/** The part of what was gathered that fits, newest first; the rest is only in the transcript. */
export function chooseCarried({ gathered, room, transcript, limits }: CarryFacts): Carried {
  const { messages, lastRequest, rules, todos, written, terms } = gathered;
  const below = (tokens: number) => tokens - limits.headingTokens;
  return {
    messages: fitting(messages, below(room.messages), (message) => messageText(message, transcript)),
    lastRequest: lastRequest === null ? null : cutRequest(lastRequest, { tokens: below(room.request), transcript }),
    rules: fitting(rules, below(room.rules), itemLine),
    // The first steps are the next ones.
    todos: fitting(todos.toReversed(), below(room.todos), todoLine).toReversed(),
    written: fitting(written, below(room.written), itemLine),
    terms: fitting(terms, below(room.terms), itemLine),
  };
}

function fitting<Item>(items: readonly Item[], tokens: number, write: (item: Item) => string): readonly Item[] {
  const chosen: Item[] = [];
  let left = tokens;
  for (const item of items.toReversed()) {
    // With the line break behind it.
    const cost = estimateTextTokens(`${write(item)}\n`);
    if (cost > left) continue;
    left -= cost;
    chosen.push(item);
  }
  return chosen.reverse();
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
 * What the summary already says word for word is not said twice, the last request excepted: work goes on from it, so it
 * stands last. Of names and files only the missing ones take room.
 */
export function carriedText(facts: CarryFacts & { readonly carried: Carried; readonly summary: string }): string {
  const { carried, gathered, room, transcript, limits } = facts;
  const summary = plain(facts.summary);
  const request = carried.lastRequest;
  const messages = carried.messages.filter(({ text }) => !holds(summary, plain(text)));
  const said = plain([summary, ...messages.map(({ text }) => text), request?.text ?? ''].join('\n'));
  const missing = (texts: readonly string[]) => texts.filter((text) => !holds(said, plain(text)));
  const fit = (texts: readonly string[], tokens: number) =>
    fitting(missing(texts), tokens - limits.headingTokens, itemLine).map(itemLine);
  return [
    section(
      'What the user said, word for word',
      messages.map((message) => messageText(message, transcript)),
    ),
    section('Rules the user gave, word for word', missing(carried.rules).map(itemLine)),
    section('Names, values and paths the user typed', fit(gathered.terms, room.terms)),
    section('Files written so far', fit(gathered.written, room.written)),
    section('Open steps of the list', carried.todos.map(todoLine)),
    section("The user's last request, word for word", request === null ? [] : [messageText(request, transcript)]),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

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
