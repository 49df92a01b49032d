/** `reverie trust`: let a project's own settings, hooks and endpoints take effect. */

import { setTrust } from '../../session/trust.ts';
import { defineCommand } from '../command.ts';
import { nextCommand } from '../next-command.ts';
import { placeOptions } from '../place-options.ts';
import { plainLine } from '../plain-text.ts';

export const command = defineCommand({
  arguments: [],
  about:
    'Look at .reverie/settings.json first: what it names can run. The choice is kept in your home, not in the project.',
  options: { remove: { kind: 'flag', help: 'Trust the project no longer' } },
  examples: ['reverie trust', 'reverie trust --remove'],
  async run({ options, place, environment, terminal }) {
    const { paint } = terminal;
    const result = await setTrust({ ...placeOptions(place, environment), trusted: !options.remove });
    const project = plainLine(result.project);
    const back = nextCommand(place, result.trusted ? ['trust', '--remove'] : ['trust']);
    const text = [
      result.trusted
        ? `${paint.green('Trusted')} ${project}: its settings take effect.`
        : `${project} is not trusted: its settings have no effect.`,
      paint.dim(`To take that back: ${back}`),
    ];
    return { data: result, text: text.join('\n') };
  },
});
