/** `reverie memory unshare`: take a memory out of the team's again. */

import { isOwnScope } from '../../../base/taxonomy.ts';
import { fold } from '../../../base/text/fold.ts';
import type { MemoryEntry } from '../../../memory/memory.ts';
import { findPlace } from '../../../settings/place.ts';
import { teamWorkTree, unshareMemory } from '../../../team/share.ts';
import { declineSuggestion } from '../../../team/suggestions.ts';
import { defineCommand } from '../../command.ts';
import { placeOptions } from '../../options/place-options.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [
    { name: 'FILE', required: true, help: "The team's file, its id or title, or your own memory that it was made of" },
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
    const wanted = namedBy(file!, entries);
    const declined = await declineSuggestion(wanted, { entries, place: where });
    if (declined !== null) {
      const { scope, file: kept } = declined;
      const text = `${paint.green('Stays private')} ${paint.bold(plainLine(kept))} (${scope}); it is not suggested again`;
      return { data: { file: kept, scope, declined: true }, text };
    }
    const unshared = await unshareMemory(wanted, where);
    const lines = [
      `${paint.green('Removed from the team')} ${paint.bold(plainLine(unshared.file))}`,
      ...(unshared.own === null ? [] : [`Yours stays: ${unshared.own.scope}:${plainLine(unshared.own.file)}`]),
      paint.dim(`To commit it: git add ${plainLine(unshared.path)} && git commit`),
    ];
    return { data: unshared, text: lines.join('\n') };
  },
});

/** A title of the user's own stands for its file, as it does when they share it. */
function namedBy(reference: string, entries: readonly MemoryEntry[]): string {
  const titled = entries.find(({ scope, name }) => isOwnScope(scope) && fold(name) === fold(reference));
  return titled === undefined ? reference : `${titled.scope}:${titled.file}`;
}
