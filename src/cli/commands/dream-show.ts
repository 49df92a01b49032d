/** `reverie dream show`: one dream with every change, its reason, its evidence and the lines it touches. */

import { LIMITS } from '../../limits.ts';
import { waitingOf } from '../../session/dream-choose.ts';
import { openDreamInbox } from '../../session/dream-inbox.ts';
import { changeNumbers, DREAM_HELP, NUMBERS_HELP } from '../change-numbers.ts';
import { defineCommand } from '../command.ts';
import { nextCommand } from '../next-command.ts';
import { changeLines, dreamHeading, remarkLines, tallyText } from '../paint-view/dream-view.ts';
import { patchText } from '../patch-text.ts';
import { plainLine } from '../plain-text.ts';

export const command = defineCommand({
  arguments: [
    { name: 'DREAM', required: true, help: DREAM_HELP },
    { name: 'NUMBER', required: false, takesRest: true, help: `Only these changes: ${NUMBERS_HELP}` },
  ],
  options: {},
  examples: ['reverie dream show mf3k', 'reverie dream show mf3k 2'],
  async run({ arguments: [id = '', ...words], terminal, place, openMemory }) {
    const { paint } = terminal;
    const inbox = openDreamInbox(await openMemory(), { patience: LIMITS.lock });
    const { record, scope, shown } = await inbox.show(id, changeNumbers(words, 'dream show'));
    const lines = [dreamHeading(record, scope)];
    if (record.problem !== null) lines.push(paint.red(`  ${plainLine(record.problem)}`));
    if (words.length === 0) lines.push(...remarkLines(record, paint));
    for (const { change, diff, note } of shown) {
      lines.push('', ...changeLines(change, { paint }));
      if (note !== '') lines.push(paint.yellow(`     ${plainLine(note)}`));
      if (diff !== null) lines.push(await patchText({ file: change.file, ...diff }, paint));
    }
    lines.push('', `${tallyText(record.changes)}.`);
    if (waitingOf(record).length > 0) {
      lines.push(
        paint.dim(`To let it land: ${nextCommand(place, ['dream', 'approve', record.id])}`),
        paint.dim(`To drop it: ${nextCommand(place, ['dream', 'reject', record.id])}`),
      );
    }
    if (record.change !== null)
      lines.push(paint.dim(`To take back what landed: ${nextCommand(place, ['memory', 'undo', record.change])}`));
    return { data: { scope, record, shown }, text: lines.join('\n') };
  },
});
