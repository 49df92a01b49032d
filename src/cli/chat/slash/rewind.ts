/** /rewind: back to before a message, or a summary of what comes after or before it. */

import { userPrompts } from '../../../session/window/rewind.ts';
import { counted } from '../../paint-view/amounts.ts';
import type { NoticeKind } from '../../paint-view/frame-view.ts';
import { timeAgo } from '../../relative-time.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import { notice } from '../action.ts';
import { readWay } from '../rewind-ways.ts';
import type { SlashPorts } from './ports.ts';

function print(ports: SlashPorts, text: string, tone: NoticeKind = 'success'): void {
  ports.dispatch({ kind: 'print', output: notice(text, tone) });
}

export function rewind(ports: SlashPorts): void {
  const prompts = userPrompts(ports.agent.entries());
  if (prompts.length === 0) {
    print(ports, 'Nothing was said yet that one could go back to.', 'info');
    return;
  }
  const items = prompts.toReversed().map(({ uuid, at, text }) => ({
    id: uuid,
    title: plainLine(text),
    detail: timeAgo(at, ports.now()),
    preview: text,
  }));
  ports.dispatch({ kind: 'pick', purpose: 'rewind', title: 'Go back to, or summarise around, which message?', items });
}

function goBack(uuid: string, ports: SlashPorts): void {
  const { text, removed } = ports.agent.rewind(uuid);
  print(
    ports,
    `Back to before that message; ${counted(removed, 'message')} ${removed === 1 ? 'is' : 'are'} left behind in the transcript. Files stay as they are.`,
  );
  ports.dispatch({ kind: 'edit', text });
}

/** What was chosen for a message. */
export async function rewindBy(id: string, ports: SlashPorts): Promise<void> {
  const { way, uuid } = readWay(id);
  if (way === 'back') return goBack(uuid, ports);
  print(ports, 'Summarising…', 'info');
  const { agent } = ports;
  const line = way === 'from' ? await agent.compactFrom(uuid, '') : await agent.compactUpTo(uuid, '');
  const { ranges } = await agent.summarised().catch(() => ({ ranges: [] }));
  const isDone = line.startsWith('Compacted');
  print(
    ports,
    isDone && ranges.length > 0 ? `${line}\nTo read it again: /expand` : line,
    isDone ? 'success' : 'warning',
  );
}
