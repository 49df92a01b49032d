/** `reverie trust`: let a project's own settings, hooks and endpoints take effect, after showing what they are. */

import { findTrustEffects, type TrustEffect } from '../../reports/trust-effects.ts';
import { recordIncludeAnswers } from '../../settings/approvals.ts';
import { findPlace } from '../../settings/place.ts';
import { setTrust } from '../../settings/trust-project.ts';
import { defineCommand } from '../command.ts';
import { nextCommand } from '../next-command.ts';
import { fromPlace, placeOptions, settingFacts } from '../options/place-options.ts';
import { usageError } from '../options/usage.ts';
import { alignColumns } from '../terminal/columns.ts';
import { plainLine } from '../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [],
  about:
    'Shows the hooks, servers, rules and settings of the project that take effect then, and asks. What its files say later takes effect too. The choice is kept in your home, not in the project.',
  options: {
    remove: { kind: 'flag', help: 'Stop trusting this project' },
    yes: { kind: 'flag', help: 'Do not ask; required without a terminal' },
    includes: {
      kind: 'flag',
      help: 'Ask again about files from outside that you declined; with --yes, let its instructions include all that are shown',
    },
  },
  examples: ['reverie trust', 'reverie trust --yes', 'reverie trust --yes --includes', 'reverie trust --remove'],
  isForPeople: () => true,
  async run({ options, place, environment, terminal }) {
    const where = placeOptions(place, environment);
    if (options.remove) {
      const result = await setTrust({ ...where, trusted: false });
      const text = `${plainLine(result.project)} is not trusted: its settings have no effect.`;
      return { data: result, text: withWayBack(text, ['trust']) };
    }
    const facts = settingFacts(place, environment);
    const project = plainLine(facts.projectRoot);
    const enables = findTrustEffects(facts, fromPlace(place, '.'), { asksAgain: options.includes });
    const shown = effectsText(enables, project);
    if (!options.yes) {
      terminal.writeError(`${shown}\n`);
      if (!terminal.canAsk) {
        const sure = `If you are sure: ${nextCommand(place, ['trust', '--yes'])}`;
        throw usageError(`Trusting ${project} needs --yes here.`, 'trust', sure);
      }
      const reply = await terminal.ask('Trust it, with what its files say later? [y/N] ');
      if (!/^y(es)?$/i.test(reply.trim())) return { data: null, text: 'Nothing was changed.', exitCode: 1 };
    }
    const result = await setTrust({ ...where, trusted: true });
    const text = `${terminal.paint.green('Trusted')} ${project}: its settings take effect.`;
    const outside = enables.flatMap((effect) => (effect.what === 'include' ? [effect.text] : []));
    if (outside.length > 0 && (!options.yes || options.includes)) {
      const reply = options.yes
        ? 'y'
        : await terminal.ask('Let its instructions include the files from outside? [y/N] ');
      const isYes = /^y(es)?$/i.test(reply.trim());
      const answers = isYes ? { approved: outside, declined: [] } : { approved: [], declined: outside };
      await recordIncludeAnswers(findPlace(where), answers);
    }
    const lines = [...(options.yes ? [shown] : []), withWayBack(text, ['trust', '--remove'])];
    return { data: { ...result, enables }, text: lines.join('\n') };

    function withWayBack(line: string, words: readonly string[]): string {
      return `${line}\n${terminal.paint.dim(`To take that back: ${nextCommand(place, words)}`)}`;
    }
  },
});

const LABELS: Record<TrustEffect['what'], string> = {
  hook: 'hook',
  server: 'server',
  allow: 'allowed unasked',
  folder: 'folder beside it',
  setting: 'setting',
  skill: 'skill',
  command: 'command',
  include: 'file from outside, asked about first',
};

export function trustLabel({ what, name }: Pick<TrustEffect, 'what' | 'name'>): string {
  return plainLine(name === '' ? LABELS[what] : `${LABELS[what]} ${name}`);
}

function effectsText(effects: readonly TrustEffect[], project: string): string {
  if (effects.length === 0) return `Nothing of ${project} waits for trust now.`;
  const rows = effects.map(({ what, name, text }) => [{ text: trustLabel({ what, name }) }, { text: plainLine(text) }]);
  return [`With trust, this of ${project} takes effect:`, ...alignColumns(rows, { indent: '  ' })].join('\n');
}
