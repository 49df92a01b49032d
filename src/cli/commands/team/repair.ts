/** `reverie team repair`: settle what a merge left in team memory. */

import { findPlace } from '../../../settings/place.ts';
import { repairTeam } from '../../../team/repair.ts';
import { teamWorkTree } from '../../../team/share.ts';
import { defineCommand } from '../../command.ts';
import { placeOptions } from '../../options/place-options.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [],
  about:
    'Takes conflict markers out and keeps what both sides said; where they changed the same paragraph, both stay, with who said which. A memory that two people renamed differently becomes one again, and one that a side deleted while the other changed it stays.',
  options: {},
  examples: ['reverie team repair'],
  async run({ place, terminal, environment }) {
    const repaired = repairTeam(teamWorkTree(findPlace(placeOptions(place, environment))));
    const lines = repaired.map(({ file, merged, isKept }) => {
      if (isKept) {
        const way = `To remove it for everybody: reverie memory unshare ${plainLine(file)}`;
        return `${terminal.paint.green('Kept')} ${plainLine(file)}: one side deleted it, the other changed it. ${way}`;
      }
      const more = merged.length === 0 ? '' : `, with ${merged.map(plainLine).join(', ')}`;
      return `${terminal.paint.green('Settled')} ${plainLine(file)}${more}`;
    });
    const next = terminal.paint.dim('Look at it, then: git add .reverie/team-memory && git commit');
    return { data: repaired, text: lines.length === 0 ? 'There is nothing to settle.' : [...lines, next].join('\n') };
  },
});
