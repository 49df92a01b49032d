/** The requests of one session as the ledger has them: what each window was made of, what it cost, and what layers did in between. */

import { readParts, type WindowPart } from '../../conversation/composition.ts';
import type { Usage } from '../../conversation/message.ts';
import { readLedger } from '../../disk/ledger/read.ts';

export interface RecordedRequest {
  /** ISO time at which it began; null where nothing says. */
  readonly at: string | null;
  readonly model: string;
  readonly usage: Usage;
  /** US dollars; null where the model has no price, or nobody recorded it. */
  readonly money: number | null;
  readonly milliseconds: number | null;
  /** With its answer; empty where it was not recorded. */
  readonly parts: readonly WindowPart[];
  /** Tokens that it would have been longer without what is cleared and folded. */
  readonly savedTokens: number;
  readonly broke: { readonly tokens: number; readonly cause: string } | null;
}

/** What a layer did. It stands before the request of this index. */
export interface WindowMark {
  readonly at: string;
  readonly before: number;
  readonly name: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly cause: string | null;
  /** US dollars that the layer's own calls cost; null when it made none, or they have no price. */
  readonly money: number | null;
}

export interface SessionRequests {
  readonly requests: readonly RecordedRequest[];
  readonly marks: readonly WindowMark[];
  /** False where the parts were estimated afterwards. */
  readonly isRecorded: boolean;
}

/** Of the conversation itself; calls of layers are added to the mark that they belong to. */
export async function readRequests(options: {
  readonly home: string;
  readonly session: string;
  readonly now: Date;
}): Promise<SessionRequests> {
  const requests: RecordedRequest[] = [];
  const marks: WindowMark[] = [];
  const spent = new Map<string, number>();
  for await (const line of readLedger({ ...options, onProblem: () => {} })) {
    if (line.type === 'event') {
      const money = spent.get(line.name) ?? null;
      spent.delete(line.name);
      const { at, name, numbers, cause = null } = line;
      marks.push({ at, before: requests.length, name, numbers, cause, money });
      continue;
    }
    if (line.type !== 'call') continue;
    if (line.purpose !== 'main') {
      if (line.money !== null) spent.set(line.purpose, (spent.get(line.purpose) ?? 0) + line.money);
      continue;
    }
    if (line.outcome !== 'done') continue;
    const { at, model, usage, money, milliseconds, parts = '', saved, broke = null } = line;
    const savedTokens = saved?.tokens ?? 0;
    requests.push({ at, model, usage, money, milliseconds, parts: readParts(parts), savedTokens, broke });
  }
  return { requests, marks, isRecorded: requests.some(({ parts }) => parts.length > 0) };
}
