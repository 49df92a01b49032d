/** `reverie memory unshare`: take a memory out of the team's again. */

import { findPlace } from '../../../settings/place.ts';
import { unshareMemory } from '../../../team/share.ts';
import { defineCommand } from '../../command.ts';
import { placeOptions } from '../../options/place-options.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [
    { name: 'FILE', required: true, help: "The team's file, its id, or your own memory that it was made of" },
  ],
  about:
    'A tombstone joins the memory, so that no branch brings it back by itself. The text stays in git’s history, as everything committed does.',
  options: {},
  examples: ['reverie memory unshare feedback_no-mocks', 'reverie memory unshare k3x9q2ab'],
  isForPeople: () => true,
  async run({ arguments: [file], terminal, place, environment }) {
    const unshared = await unshareMemory(file!, findPlace(placeOptions(place, environment)));
    const { paint } = terminal;
    const lines = [
      `${paint.green('Removed from the team')} ${paint.bold(plainLine(unshared.file))}`,
      ...(unshared.own === null ? [] : [`Yours stays: ${unshared.own.scope}:${plainLine(unshared.own.file)}`]),
      paint.dim(`To commit it: git add ${plainLine(unshared.path)} && git commit`),
    ];
    return { data: unshared, text: lines.join('\n') };
  },
});
