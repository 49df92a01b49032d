/** `reverie dream show`: one dream with every change, its reason, its evidence and the lines it touches. */

import { openDreamInbox } from '../../../layers/6-dreaming/inbox/inbox.ts';
import { stateOf } from '../../../layers/6-dreaming/inbox/journal.ts';
import { changeNumbers, DREAM_HELP, NUMBERS_HELP } from '../../change-numbers.ts';
import { defineCommand } from '../../command.ts';
import { landedWays, waitingWays } from '../../dream-ways.ts';
import { placeLimits } from '../../options/place-options.ts';
import { changeLines, dreamHeading, remarkLines, tallyText } from '../../paint-view/dream-view.ts';
import { patchText } from '../../patch-text.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [
    { name: 'DREAM', required: true, help: DREAM_HELP },
    { name: 'NUMBER', required: false, takesRest: true, help: `Only these changes: ${NUMBERS_HELP}` },
  ],
  options: {},
  examples: ['reverie dream show mf3k', 'reverie dream show mf3k 2'],
  async run({ arguments: [id = '', ...words], terminal, place, environment, openMemory }) {
    const { paint } = terminal;
    const inbox = openDreamInbox(await openMemory(), { patience: placeLimits(place, environment).lock });
    const dream = await inbox.show(id, changeNumbers(words, 'dream show'));
    const { record, scope, shown, journalled, stuck } = dream;
    const lines = [dreamHeading(record, scope)];
    if (record.problem !== null) lines.push(paint.red(`  ${plainLine(record.problem)}`));
    if (words.length === 0) lines.push(...remarkLines(record, paint));
    for (const { change, diff, note, takenBackBy } of shown) {
      lines.push('', ...changeLines(change, { paint, isTakenBack: takenBackBy !== null }));
      const told = note === '' ? (stuck.get(change.number) ?? '') : note;
      if (told !== '') lines.push(paint.yellow(`     ${plainLine(told)}`));
      if (diff !== null) lines.push(await patchText({ file: change.file, ...diff }, paint));
    }
    const states = record.changes.map((change) => ({ state: stateOf(change, journalled) }));
    lines.push('', `${tallyText(states)}.`);
    lines.push(...[...waitingWays({ ...dream, place }), ...landedWays(journalled, place)].map(paint.dim));
    const cannotLand = [...stuck].map(([number, why]) => ({ number, why }));
    return { data: { scope, record, shown, cannotLand }, text: lines.join('\n') };
  },
});
