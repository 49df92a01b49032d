/** What a conversation recalled and why: plain data, in memory, the newest only. */

import type { RecallGateReason } from './gates.ts';

/** What triggered a recall: a user message, a failed command, a file that was read. */
export interface RecallCall {
  readonly by: 'message' | 'failure' | 'file';
  readonly query: string;
}

/** How well it fits, if it was ranked; a memory that a model picked has no score. */
export interface RecallScore {
  readonly score: number;
  /** The parts of the score in words. */
  readonly explain: string;
}

export interface RecalledMemory {
  /** `scope:file`. */
  readonly key: string;
  readonly call: RecallCall;
  readonly picked: 'ranking' | 'model';
  readonly score: RecallScore | null;
}

export interface LastMessage {
  readonly query: string;
  /** Why nothing was looked for; null when something was. */
  readonly closed: RecallGateReason | 'off' | null;
}

export interface RecallAccount {
  /** Oldest first. */
  readonly recalled: readonly RecalledMemory[];
  /** Keys of what was recalled before the session was resumed: the reasons are no longer known. */
  readonly earlier: readonly string[];
  /** Null before the first one. */
  readonly lastMessage: LastMessage | null;
}

export interface AccountKeeper {
  messageComes(message: LastMessage): void;
  recalled(memory: RecalledMemory): void;
  read(): RecallAccount;
}

export function keepAccount(facts: { readonly earlier: readonly string[]; readonly most: number }): AccountKeeper {
  let recalled: RecalledMemory[] = [];
  let lastMessage: LastMessage | null = null;
  return {
    messageComes(message) {
      lastMessage = message;
    },
    recalled(memory) {
      recalled = [...recalled, memory].slice(-facts.most);
    },
    read: () => ({ recalled, earlier: facts.earlier, lastMessage }),
  };
}
