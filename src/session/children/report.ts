/** What an agent hands back: its last words, what was denied to it, and a file where that is too long. */

import type { AgentEvent, TurnOutcome } from '../../agent/event.ts';
import type { Entry } from '../../conversation/entry.ts';
import { textOf } from '../../conversation/message.ts';
import { previewText } from '../../layers/1-tool-results/render.ts';
import { storeToolResult } from '../../layers/1-tool-results/store-tool-result.ts';
import type { ChildEnd } from '../../layers/7-agents/index.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';

/** Room for the tag around it. */
const TAG_CHARACTERS = 1_000;
const LISTED_DENIALS = 10;
const REASON_CHARACTERS = 300;

export function lastWords(entries: readonly Entry[]): string {
  const said = entries.findLast(({ message }) => message.role === 'assistant' && textOf(message.content).trim() !== '');
  return said === undefined ? '' : textOf(said.message.content).trim();
}

export function createDenials() {
  const denied = new Map<string, string>();
  let count = 0;
  return {
    hear(event: AgentEvent): void {
      if (event.kind !== 'denied') return;
      count += 1;
      if (denied.size < LISTED_DENIALS) denied.set(event.call.name, event.reason.slice(0, REASON_CHARACTERS));
    },
    /** So that nobody takes a half-blind review for a whole one. */
    text(): string {
      if (count === 0) return '';
      const lines = [...denied].map(([tool, reason]) => `- ${tool}: ${reason}`);
      return ['', '', `Denied to this agent (${count}), so it may have missed something:`, ...lines].join('\n');
    },
  };
}

export function endOf(
  outcome: TurnOutcome,
  { words, denials, isSpent }: { readonly words: string; readonly denials: string; readonly isSpent: boolean },
): ChildEnd {
  const said = words === '' ? 'It said nothing.' : words;
  switch (outcome.kind) {
    case 'answered':
      return { state: 'finished', text: `${said}${denials}` };
    case 'too-many-rounds':
      return { state: 'out of turns', text: `${said}${denials}` };
    case 'interrupted':
      return { state: 'stopped', text: `${said}${denials}` };
    case 'refused':
      return { state: 'failed', text: `The model refused to answer.${denials}` };
    case 'failed':
      return { state: isSpent ? 'out of budget' : 'failed', text: `${outcome.error.message}\n\n${said}${denials}` };
  }
}

/** Whole where it is short enough; else the beginning, and the path of the rest. */
export async function bounded(
  end: ChildEnd,
  { id, place, log }: { readonly id: string } & Pick<SessionContext, 'place' | 'log'>,
): Promise<ChildEnd> {
  const { agentCharacters, previewBytes } = place.limits.toolResults;
  const { text } = end;
  if (text.length <= agentCharacters - TAG_CHARACTERS) return end;
  const bytes = Buffer.from(text);
  const stored = { toolUseId: `agent-${id}`, bytes, extension: 'txt' as const };
  const path = log.toolResults === null ? null : await storeToolResult(log.toolResults, stored).catch(() => null);
  if (path !== null) return { ...end, text: previewText({ text, path, previewBytes }) };
  const cut = text.slice(0, agentCharacters - TAG_CHARACTERS);
  return { ...end, text: `${cut}\n[Cut: ${text.length} characters, and no file could be kept.]` };
}
