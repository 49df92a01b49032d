/** `reverie memory undo`: take back a change. */

import { defineCommand } from '../command.ts';
import { filesText } from '../memory-text.ts';
import { nextCommand } from '../next-command.ts';

export const command = defineCommand({
  arguments: [
    { name: 'CHANGE', required: false, help: 'The id that `reverie memory log` shows; the newest change without one' },
  ],
  about: 'Restores the files byte for byte. It is refused when a later change touched one of them.',
  options: {},
  examples: ['reverie memory undo', 'reverie memory undo CHANGE'],
  async run({ arguments: [change], terminal, place, openMemory }) {
    const { paint } = terminal;
    const memory = await openMemory();
    const entry = await memory.undo(change);
    const text = [
      `${paint.green('Undid')} ${entry.undoes ?? change ?? 'the newest change'}: ${paint.bold(filesText(entry))} (${entry.scope})`,
      paint.dim(`To take that back: ${nextCommand(place, ['memory', 'undo', entry.id])}`),
    ];
    return { data: entry, text: text.join('\n') };
  },
});
