/** /rewind: back to before a message, or a summary of what comes after or before it. */

import { relative } from 'node:path';
import type { RestoredFiles } from '../../../toolbox/checkpoints.ts';
import { counted } from '../../paint-view/amounts.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import { readWay } from '../rewind-ways.ts';
import type { SlashPorts } from './ports.ts';
import { print, promptItems } from './prompt-items.ts';

export function rewind(ports: SlashPorts): void {
  const items = promptItems(ports);
  if (items.length === 0) print(ports, 'Nothing was said yet that one could go back to.', 'info');
  else
    ports.dispatch({
      kind: 'pick',
      purpose: 'rewind',
      title: 'Go back to, or summarise around, which message?',
      items,
    });
}

async function goBack(uuid: string, ports: SlashPorts, { withFiles }: { readonly withFiles: boolean }): Promise<void> {
  const { text, removed, at } = ports.agent.rewind(uuid);
  const files = withFiles ? filesText(await ports.agent.restoreFiles(at), ports) : 'Files stay as they are.';
  print(
    ports,
    `Back to before that message; ${counted(removed, 'message')} ${removed === 1 ? 'is' : 'are'} left behind in the transcript. ${files}`,
  );
  ports.dispatch({ kind: 'edit', text });
}

function filesText({ restored, left }: RestoredFiles, { agent }: SlashPorts): string {
  const named = (paths: readonly string[]) => paths.map((path) => plainLine(relative(agent.cwd, path))).join(', ');
  const back = restored.length === 0 ? 'No file had to be put back.' : `Put back: ${named(restored)}.`;
  const kept = left.length === 0 ? '' : ` Left as they are, because something else changed them since: ${named(left)}.`;
  return `${back}${kept} What commands changed stays.`;
}

/** What was chosen for a message. */
export async function rewindBy(id: string, ports: SlashPorts): Promise<void> {
  const { way, uuid } = readWay(id);
  if (way === 'back' || way === 'back-files') return goBack(uuid, ports, { withFiles: way === 'back-files' });
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
