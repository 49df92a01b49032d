/** What is still in the window when it counts: the user's own words, and what later calls refer to. */

import type { Entry } from '../../conversation/entry.ts';
import { type ContentBlock, type Message, type TextBlock, toolUsesOf } from '../../conversation/message.ts';
import { referencesOf } from '../../layers/4-compaction/in-use.ts';

export interface FidelityResult {
  /** Of the characters that the user had typed by a request, the share that was in its window word for word; the mean over requests. */
  readonly userText: number;
  /** Of the references in calls that an earlier message had, the share that was in the window when the call was made. */
  readonly neededLater: number;
}

export interface Fidelity {
  /** What comes into the conversation, as it was recorded. */
  said(entries: readonly Entry[]): void;
  /** A request with this window. */
  asked(messages: readonly Message[]): void;
  /** Its answer: first what its calls refer to, then it counts as said too. */
  answered(answer: Entry): void;
  result(): FidelityResult;
}

export function createFidelity(): Fidelity {
  const typed: TextBlock[] = [];
  const originals = new WeakSet<ContentBlock>();
  const seen = new Set<string>();
  const inWindow = new Map<string, number>();
  const blocksInWindow = new Set<ContentBlock>();
  let last: readonly Message[] = [];
  let typedCharacters = 0;
  let keptCharacters = 0;
  /** Typed blocks included in that number. */
  let counted = 0;
  const sums = { requests: 0, shares: 0, needed: 0, found: 0 };

  function change(message: Message, by: 1 | -1): void {
    for (const block of message.content) {
      if (by === 1) blocksInWindow.add(block);
      else blocksInWindow.delete(block);
      for (const term of referencesOf(block)) inWindow.set(term, (inWindow.get(term) ?? 0) + by);
    }
  }

  /** What the window carries from messages that are no longer in it. */
  function carriedText(messages: readonly Message[]): string {
    return messages
      .flatMap(({ content }) => content.filter((block) => block.type === 'text' && !originals.has(block)))
      .map((block) => (block as TextBlock).text)
      .join('\n');
  }

  function recount(messages: readonly Message[]): void {
    const carried = carriedText(messages);
    keptCharacters = typed.reduce((sum, block) => {
      return sum + (blocksInWindow.has(block) ? block.text.length : longestBeginning(block.text, carried));
    }, 0);
  }

  /** Whether it is the former window with more of the conversation after it. */
  function follow(messages: readonly Message[]): boolean {
    let same = 0;
    while (same < last.length && last[same] === messages[same]) same++;
    const added = messages.slice(same);
    const hasGrown =
      same === last.length && added.every(({ content }) => content.every((block) => originals.has(block)));
    for (const message of last.slice(same)) change(message, -1);
    for (const message of added) change(message, 1);
    last = messages;
    return hasGrown;
  }

  return {
    said(entries) {
      for (const { message, injected = [] } of entries) {
        const isInjected = new Set(injected.map(({ block }) => block));
        for (const [at, block] of message.content.entries()) {
          originals.add(block);
          for (const term of referencesOf(block)) seen.add(term);
          if (message.role !== 'user' || block.type !== 'text' || isInjected.has(at)) continue;
          typed.push(block);
          typedCharacters += block.text.length;
        }
      }
    },
    asked(messages) {
      if (!follow(messages)) recount(messages);
      else for (const { text } of typed.slice(counted)) keptCharacters += text.length;
      counted = typed.length;
      sums.requests += 1;
      sums.shares += typedCharacters === 0 ? 1 : keptCharacters / typedCharacters;
    },
    answered(answer) {
      for (const call of toolUsesOf(answer.message.content)) {
        for (const term of referencesOf(call)) {
          if (!seen.has(term)) continue;
          sums.needed += 1;
          if ((inWindow.get(term) ?? 0) > 0) sums.found += 1;
        }
      }
      this.said([answer]);
    },
    result: () => ({
      userText: sums.requests === 0 ? 1 : sums.shares / sums.requests,
      neededLater: sums.needed === 0 ? 1 : sums.found / sums.needed,
    }),
  };
}

/** Length of the longest beginning of the text that the other contains word for word. */
function longestBeginning(text: string, other: string): number {
  if (other.includes(text)) return text.length;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (other.includes(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low < LEAST_BEGINNING ? 0 : low;
}

/** Fewer characters in common are chance. */
const LEAST_BEGINNING = 20;
