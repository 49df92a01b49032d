/** /expand: shows summarised messages again from the transcript; the conversation stays as it is. */

import { CHAT_LIMITS } from '../../../limits.ts';
import { counted } from '../../paint-view/amounts.ts';
import { expandedLines } from '../../paint-view/expanded-view.ts';
import { timeAgo } from '../../relative-time.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import { notice } from '../action.ts';
import type { SlashPorts } from './ports.ts';

export async function expand(argument: string, ports: SlashPorts): Promise<void> {
  if (argument !== '') return showFrom(argument, ports);
  const { ranges, isAll } = await ports.agent.summarised();
  if (ranges.length === 0) {
    const text = 'Nothing of this conversation was summarised.';
    return ports.dispatch({ kind: 'print', output: notice(text) });
  }
  if (ranges.length === 1 && isAll) return showFrom(ranges[0]!.from, ports);
  const items = ranges.map(({ from, at, messages, firstWords }) => ({
    id: from,
    title: plainLine(firstWords) || '(no words of yours)',
    detail: `${counted(messages, 'message')}, summarised ${timeAgo(at, ports.now())}`,
  }));
  const title = isAll ? 'Show which messages again?' : 'Show which messages again? Older ones are in the transcript.';
  ports.dispatch({ kind: 'pick', purpose: 'expand', title, items });
}

/** From a message on, to the end of what was summarised with it. */
export async function showFrom(from: string, ports: SlashPorts): Promise<void> {
  const { agent, width, paint } = ports;
  const { text, nextUuid, isCut } = await agent.expand({ from, mostTokens: CHAT_LIMITS.expandedTokens });
  ports.dispatch({ kind: 'print', output: { kind: 'lines', lines: expandedLines({ text, width, paint }) } });
  const cut = isCut ? ['Long texts are cut here.'] : [];
  const end = nextUuid === null ? (isCut ? [] : ['That is all of it.']) : [`There is more: /expand ${nextUuid}`];
  const lines = [...cut, ...end, `Everything is in ${agent.transcriptFile}`];
  ports.dispatch({ kind: 'print', output: notice(lines.join(' ')) });
}
