/** `reverie memory unshare`: take a memory out of the team's again. */

import { findPlace } from '../../../settings/place.ts';
import { teamWorkTree, unshareMemory } from '../../../team/share.ts';
import { declineSuggestion } from '../../../team/suggestions.ts';
import { defineCommand } from '../../command.ts';
import { placeOptions } from '../../options/place-options.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [
    { name: 'FILE', required: true, help: "The team's file, its id, or your own memory that it was made of" },
  ],
  about:
    'A tombstone joins the memory, so that no branch brings it back by itself. The text stays in git’s history, as everything committed does. A memory that is only suggested for the team stays private, and is not suggested again.',
  options: {},
  examples: ['reverie memory unshare feedback_no-mocks', 'reverie memory unshare k3x9q2ab'],
  isForPeople: () => true,
  async run({ arguments: [file], terminal, place, environment, openMemory }) {
    const where = findPlace(placeOptions(place, environment));
    teamWorkTree(where);
    const { paint } = terminal;
    const entries = await (await openMemory()).list();
    const declined = await declineSuggestion(file!, { entries, place: where });
    if (declined !== null) {
      const { scope, file: kept } = declined;
      const text = `${paint.green('Stays private')} ${paint.bold(plainLine(kept))} (${scope}); it is not suggested again`;
      return { data: { file: kept, scope, declined: true }, text };
    }
    const unshared = await unshareMemory(file!, where);
    const lines = [
      `${paint.green('Removed from the team')} ${paint.bold(plainLine(unshared.file))}`,
      ...(unshared.own === null ? [] : [`Yours stays: ${unshared.own.scope}:${plainLine(unshared.own.file)}`]),
      paint.dim(`To commit it: git add ${plainLine(unshared.path)} && git commit`),
    ];
    return { data: unshared, text: lines.join('\n') };
  },
});
