/** Writes the one message that stands in for others: summary, what was brought back, and what was carried word for word. */

import type { Entry, Injection } from '../../conversation/entry.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import { estimateTextTokens } from '../../conversation/tokens.ts';
import type { Limits } from '../../limits.ts';
import { carriedText, chooseCarried } from './carry.ts';
import { oneLine } from './one-line.ts';
import { carriedHeading, summaryText } from './prompt.ts';
import { type Proof, prove } from './prove.ts';
import type { Restored } from './restore.ts';
import type { Room } from './room.ts';
import { seal } from './seal.ts';
import { fitSections } from './sections.ts';
import type { Carried } from './state.ts';

export interface ComposeFacts {
  readonly summary: string;
  readonly gathered: Carried;
  readonly room: Room;
  readonly transcript: string | null;
  /** Where the rest of a section is that had to be cut. */
  readonly summaryPath: string | null;
  readonly mostSectionTokens: number;
  /** Restores within so many tokens. */
  readonly restore: (tokens: number) => Promise<readonly Restored[]>;
  /** Text of the messages that stay, for the proof. */
  readonly keptText: string;
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
  const { gathered, room, transcript, limits } = facts;
  const carried = chooseCarried({ gathered, room, transcript, limits });
  const carry = (summary: string) => withHeading(carriedText({ gathered, room, transcript, limits, carried, summary }));
  const frameTokens = estimateTextTokens(summaryText({ summary: '', transcript }));
  // A file or a page may have talked the summariser into words that look like the user's.
  const summary = fitSections(seal(facts.summary), {
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
    proof: prove({ gathered, summary, windowText, limits }),
    restored: restored.map(({ name }) => name),
  };
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
