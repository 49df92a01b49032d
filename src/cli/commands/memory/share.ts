/** `reverie memory share`: put a memory into the repository, for the team. */

import { FILE_HELP, findMemory } from '../../../memory/find-memory.ts';
import { findPlace } from '../../../settings/place.ts';
import { type Shared, shareMemory } from '../../../team/share.ts';
import { defineCommand } from '../../command.ts';
import { placeOptions } from '../../options/place-options.ts';
import type { Paint } from '../../terminal/paint.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [{ name: 'FILE', required: true, help: FILE_HELP }],
  about:
    'Your own memory stays as it is; a copy goes into the repository, to be committed and reviewed like code. Share it again after a change, and a correction joins it. Memories about you, secrets, judgements of people and more than 250,000 bytes are refused.',
  options: {
    supersedes: { kind: 'text', value: 'FILE', help: "The team's memory that this one corrects" },
  },
  examples: [
    'reverie memory share feedback_no-mocks',
    'reverie memory share project_freeze --supersedes team:project_freeze-k3x9q2ab',
  ],
  isForPeople: () => true,
  async run({ arguments: [file], options, terminal, place, environment, openMemory }) {
    const entry = await findMemory(await openMemory(), file!);
    const { supersedes } = options;
    const where = findPlace(placeOptions(place, environment));
    const shared = await shareMemory(entry, { place: where, ...(supersedes === undefined ? {} : { supersedes }) });
    return { data: shared, text: sharedText(shared, terminal.paint) };
  },
});

export function sharedText(shared: Shared, paint: Paint): string {
  const name = paint.bold(plainLine(shared.path));
  if (shared.isKnown) return `The team has it already, as it is: ${name}`;
  const corrected = shared.supersedes.map((file) => `It corrects ${plainLine(file)}.`);
  return [
    `${paint.green('Shared')} ${name}`,
    ...corrected,
    paint.dim(`To commit it: git add ${plainLine(shared.path)} && git commit`),
    paint.dim(`To make a branch for a pull request: reverie team propose ${shared.id}`),
    paint.dim(`To take it back: reverie memory unshare ${shared.id}`),
  ].join('\n');
}
