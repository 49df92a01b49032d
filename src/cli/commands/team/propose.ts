/** `reverie team propose`: a branch with shared memories, for a pull request. */

import { findPlace } from '../../../settings/place.ts';
import { proposeTeam } from '../../../team/propose.ts';
import { teamWorkTree } from '../../../team/share.ts';
import { defineCommand } from '../../command.ts';
import { placeOptions } from '../../options/place-options.ts';
import { plainLine, plainText } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [
    { name: 'FILE', required: true, takesRest: true, help: "Shared memories, by the team's file, id or title" },
  ],
  about:
    'Makes a branch from the current commit with the memories alone, and a commit message with what they say and whose words they rest on. Your branch, work tree and staged files stay as they are.',
  options: {},
  examples: ['reverie team propose k3x9q2ab', 'reverie team propose "Deploy day"'],
  isForPeople: () => true,
  async run({ arguments: references, place, terminal, environment }) {
    const workTree = teamWorkTree(findPlace(placeOptions(place, environment)));
    const proposed = await proposeTeam(workTree, references);
    const text = [
      `${terminal.paint.green('Proposed')} on the branch ${terminal.paint.bold(plainLine(proposed.branch))}`,
      '',
      plainText(proposed.description),
      '',
      terminal.paint.dim(`To open a pull request: git push origin ${plainLine(proposed.branch)}`),
    ];
    return { data: proposed, text: text.join('\n') };
  },
});
