/** `reverie dream inbox`: what dreams proposed and left to you. */

import { waitingOf } from '../../../layers/6-dreaming/inbox/choose.ts';
import { openDreamInbox } from '../../../layers/6-dreaming/inbox/inbox.ts';
import { stuckOf } from '../../../layers/6-dreaming/inbox/stuck.ts';
import { defineCommand } from '../../command.ts';
import { nextCommand } from '../../next-command.ts';
import { placeLimits } from '../../options/place-options.ts';
import { changeLines } from '../../paint-view/dream-view.ts';
import { timeAgo } from '../../relative-time.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [],
  about: 'A change waits when a rule will not let it land by itself, or when dreams are set to review.',
  options: {},
  examples: ['reverie dream inbox', 'reverie dream inbox --json'],
  async run({ terminal, place, environment, now, openMemory }) {
    const { paint } = terminal;
    const memory = await openMemory();
    const inbox = openDreamInbox(memory, { patience: placeLimits(place, environment).lock });
    const dreams = inbox.waiting().map(({ scope, record }) => {
      const stuck = stuckOf(memory.folders[scope]!, record);
      const cannotLand = [...stuck].map(([number, why]) => ({ number, why }));
      return { id: record.id, scope, startedAt: record.startedAt, changes: waitingOf(record), cannotLand };
    });
    const { damaged } = inbox.dreams();
    const lines = dreams.flatMap(({ id, scope, startedAt, changes, cannotLand }) => [
      `${paint.bold(`Dream ${plainLine(id)}`)} of the ${scope} memory, ${timeAgo(startedAt, now)}`,
      ...changes.flatMap((change) => changeLines(change, { paint })),
      ...cannotLand.map(({ number, why }) => paint.yellow(`  ${number} cannot land any more: ${plainLine(why)}`)),
      paint.dim(
        `  ${nextCommand(place, ['dream', 'show', id])}, then ${cannotLand.length < changes.length ? 'approve or reject' : 'reject, or dream again'}`,
      ),
    ]);
    const problems = damaged.map(({ file, reason }) =>
      paint.yellow(`${plainLine(file)} is skipped: ${plainLine(reason)}`),
    );
    const off = memory.enabled ? 'Nothing is waiting for you.' : (memory.offReason ?? 'Memory is off.');
    return { data: { dreams, damaged }, text: [...(lines.length === 0 ? [off] : lines), ...problems].join('\n') };
  },
});
