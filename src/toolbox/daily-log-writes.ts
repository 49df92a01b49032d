/** Whether the agent may write a memory's file in daily-log mode: only one that is there, and only when the user speaks of it. */

import type { Entry } from '../conversation/entry.ts';
import { typedText } from '../conversation/typed-text.ts';
import { isInLogs } from '../memory/daily-log/place.ts';

export type MemoryWriteDecision =
  | { readonly kind: 'allow'; readonly reason: 'the-user-names-it' | 'the-user-speaks-of-memory' }
  | { readonly kind: 'refuse'; readonly reason: string };

/** How people ask for what is remembered to be changed; "remember …" is not among it, for that is what the log is for. */
const SPEAKS_OF_MEMORY =
  /(?<!\p{L})(?:forget|memor(?:y|ies)|vergiss|vergessen|gedächtnis|erinnerung(?:en)?|olvid\p{L}+|memoria|recuerdos|oubli\p{L}+|mémoire|souvenirs?|esquec\p{L}+|memória|dimentic\p{L}+)(?!\p{L})|忘|记忆|記憶|メモリ/iu;

export function decideMemoryWrite(facts: {
  readonly file: string;
  /** Null when the file is new. */
  readonly before: string | null;
  /** What the user typed in this turn. */
  readonly words: string;
}): MemoryWriteDecision {
  const { file, before, words } = facts;
  if (isInLogs(file.toLowerCase())) {
    return refuse('A log is only added to, by the Log tool: log what is right now as a new line.');
  }
  if (before === null) return refuse('In this session what is worth keeping goes to the log, with the Log tool.');
  const name = file.split('/').at(-1)!.replace(/\.md$/, '');
  if (words.toLowerCase().includes(name.toLowerCase())) return { kind: 'allow', reason: 'the-user-names-it' };
  if (SPEAKS_OF_MEMORY.test(words)) return { kind: 'allow', reason: 'the-user-speaks-of-memory' };
  return refuse('In this session memories are changed only when the user asks for it: log what has changed.');
}

function refuse(what: string): MemoryWriteDecision {
  return {
    kind: 'refuse',
    reason: `${what} A dream makes memories of the logs (\`reverie dream\`); the user changes them with \`reverie memory edit\` and \`reverie memory forget\`.`,
  };
}

/** What the user typed in their newest message. */
export function ownWordsOfTurn(entries: readonly Entry[]): string {
  return (
    entries
      .toReversed()
      .map(typedText)
      .find((text) => text !== '') ?? ''
  );
}
