/** Looks for uses of what a conversation recalled: only the newest memories, only against what is new, once each. */

import type { FinishedCall } from '../agent/tool-runs.ts';
import type { Later } from '../base/async/later.ts';
import { textOf } from '../conversation/message.ts';
import type { Limits } from '../limits.ts';
import { wordsOfSurfaced } from '../memory/shown/render.ts';
import { openWordWeights } from '../model/encoder/encoder.ts';
import {
  decideUse,
  type KnownWords,
  type MemoryMarks,
  passagesOf,
  type ReadText,
  readMarks,
  readText,
} from './used.ts';

export interface WatchedMemory {
  readonly key: string;
  /** As the model reads it. */
  readonly text: string;
  /** The message or the error that triggered it. */
  readonly query: string;
}

export interface UseWatch {
  /** A turn begins. */
  promptComes(prompt: string): void;
  surfaced(memories: readonly WatchedMemory[]): void;
  /** The calls of a round; `read` are memories that the agent has opened itself. */
  toolsEnded(finished: readonly FinishedCall[], read: readonly string[]): void;
  answered(answer: string): void;
  /** Of what was recalled only these are still in the conversation. */
  keepOnly(keys: ReadonlySet<string>): void;
}

export type UseSign = 'names' | 'words' | 'read';

export function createUseWatch(ports: {
  readonly onUsed: (key: string, by: UseSign) => void;
  readonly limits: Limits['usefulness'];
  /** For tests. */
  readonly openWords?: () => KnownWords;
}): UseWatch {
  const { limits } = ports;
  let watched: (WatchedMemory & { marks?: { readonly of: MemoryMarks; readonly query: ReadText } })[] = [];
  let words: KnownWords | null = null;
  let known: ReadText[] = [];
  /** Said by others, and read only once there is something to compare it with. */
  let unread: string[] = [];
  /** Characters of this turn that may still be searched, and remembered as said by others. */
  let left = { said: 0, known: 0 };

  /** Opened when the first memory was recalled: most conversations never need it. */
  function openedWords(): KnownWords {
    words ??= (ports.openWords ?? openWordWeights)();
    return words;
  }

  function hear(text: string): void {
    const heard = text.slice(0, left.known);
    left.known -= heard.length;
    if (heard !== '') unread.push(heard);
  }

  function used(key: string, by: UseSign): void {
    watched = watched.filter((each) => each.key !== key);
    ports.onUsed(key, by);
  }

  function look(texts: readonly string[]): void {
    if (watched.length === 0) return;
    known.push(...unread.splice(0).map((text) => readText(text, openedWords())));
    const said = texts.map((text) => {
      const part = text.slice(0, left.said);
      left.said -= part.length;
      return part;
    });
    const passages = said.flatMap(passagesOf).map((passage) => readText(passage, openedWords()));
    if (passages.length === 0) return;
    for (const memory of watched) {
      memory.marks ??= {
        of: readMarks(wordsOfSurfaced(memory.text), { words: openedWords() }),
        query: readText(memory.query, openedWords()),
      };
      const { of: marks, query } = memory.marks;
      const decision = decideUse({ marks, known: [query, ...known], passages });
      if (decision.isUsed) used(memory.key, decision.by);
    }
  }

  /** Knowing that a memory was used is nice to have: it must never fail a turn. */
  function quietly(work: () => void): void {
    try {
      work();
    } catch {
      watched = [];
    }
  }

  return {
    promptComes(prompt) {
      known = [];
      unread = [];
      left = { said: limits.readCharacters, known: limits.readCharacters };
      hear(prompt);
    },
    surfaced(memories) {
      watched = [...watched, ...memories].slice(-limits.watchedMemories);
    },
    toolsEnded(finished, read) {
      quietly(() => {
        for (const key of read) if (watched.some((each) => each.key === key)) used(key, 'read');
        look(finished.flatMap(({ call }) => valuesOf(call.input)));
      });
      for (const { result } of finished) hear(textOf(result.content));
    },
    answered: (answer) => quietly(() => look([answer])),
    keepOnly(keys) {
      watched = watched.filter(({ key }) => keys.has(key));
    },
  };
}

/** The same in the same order, once the following request has left. */
export function watchLater(watch: UseWatch, later: Later): UseWatch {
  return {
    promptComes: (prompt) => later.add(() => watch.promptComes(prompt)),
    surfaced: (memories) => later.add(() => watch.surfaced(memories)),
    toolsEnded: (finished, read) => later.add(() => watch.toolsEnded(finished, read)),
    answered: (answer) => later.add(() => watch.answered(answer)),
    keepOnly: (keys) => later.add(() => watch.keepOnly(keys)),
  };
}

/** Texts of a call, however deep. */
function valuesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? [String(value)] : [];
  return Object.values(value).flatMap(valuesOf);
}
