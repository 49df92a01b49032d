/** /snip takes an exchange out of the conversation; /unfold shows folded work whole again. */

import { turnRange } from '../../../layers/snip/index.ts';
import { counted } from '../../paint-view/amounts.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import type { SlashPorts } from './ports.ts';
import { print, promptItems } from './prompt-items.ts';

export function snip(ports: SlashPorts): void {
  const items = promptItems(ports);
  if (items.length === 0) print(ports, 'Nothing was said yet that one could take out.', 'info');
  else
    ports.dispatch({ kind: 'pick', purpose: 'snip', title: 'Take out which message, with all up to the next?', items });
}

export async function snipTurn(uuid: string, ports: SlashPorts): Promise<void> {
  const { agent } = ports;
  const range = turnRange(agent.entries(), uuid);
  if (range === null) return print(ports, 'That message is not part of this conversation.', 'warning');
  const removed = await agent.snip(range);
  print(ports, `${counted(removed, 'message')} taken out of the conversation. The transcript keeps them.`);
}

/** Without an id it asks which; `all` is one. */
export async function unfold(id: string, ports: SlashPorts): Promise<void> {
  const { agent } = ports;
  const folds = agent.folds();
  if (folds.length === 0) return print(ports, 'Nothing of this conversation is folded.', 'info');
  if (id !== '') {
    const shown = await agent.unfold(id);
    if (shown > 0) return print(ports, `${counted(shown, 'round')} shown whole again, from the next request on.`);
    return print(ports, 'There is no such round. /unfold lists them.', 'warning');
  }
  const items = folds.toReversed().map((fold) => ({
    id: fold.id,
    title: plainLine(fold.calls),
    detail: `about ${fold.freedTokens.toLocaleString('en-US')} tokens`,
  }));
  const all = { id: 'all', title: 'All of them', detail: counted(folds.length, 'round') };
  ports.dispatch({ kind: 'pick', purpose: 'unfold', title: 'Show which work whole again?', items: [all, ...items] });
}
