/** `reverie doctor`: what is wrong here, and the command that fixes it. */

import { quoted } from '../../base/text/shell-words.ts';
import { reattachProject } from '../../memory/transfer/attach.ts';
import { clearDreamCopies, examine, type Finding } from '../../reports/doctor/doctor.ts';
import { type Answer, defineCommand, type Place } from '../command.ts';
import { placeFlags } from '../next-command.ts';
import { placeOptions } from '../options/place-options.ts';
import type { Paint } from '../terminal/paint.ts';
import { plainLine } from '../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [],
  about: 'Changes nothing by itself. Exits 1 when something is broken; warnings and notes exit 0.',
  options: {
    reattach: { kind: 'text', value: 'PROJECT', help: 'Reattach the memory of a project that was moved' },
    'clear-copies': { kind: 'flag', help: 'Remove copies that killed dreams left behind' },
  },
  examples: ['reverie doctor', 'reverie doctor --json'],
  async run({ options, place, environment, terminal }): Promise<Answer> {
    const { paint } = terminal;
    const where = placeOptions(place, environment);
    if (options.reattach !== undefined) {
      const moved = await reattachProject({ ...where, slug: options.reattach });
      return { data: moved, text: `${paint.green('Re-attached')} ${plainLine(moved.from)} as ${plainLine(moved.to)}` };
    }
    if (options['clear-copies']) {
      const removed = await clearDreamCopies(where);
      const text = removed.length === 0 ? 'There is none to remove.' : removed.map(plainLine).join('\n');
      return { data: { removed }, text: removed.length === 0 ? text : `${paint.green('Removed')} ${text}` };
    }
    const findings = await examine(where);
    const isBroken = findings.some(({ severity }) => severity === 'error');
    const text =
      findings.length === 0
        ? `${paint.green('All is well.')}`
        : findings.map((finding) => findingText(finding, { paint, place })).join('\n\n');
    return { data: findings, text, ...(isBroken ? { exitCode: 1 } : {}) };
  },
});

function findingText(finding: Finding, { paint, place }: { paint: Paint; place: Place }): string {
  const { severity, what, where, mend } = finding;
  const colour = { error: paint.red, warning: paint.yellow, note: paint.cyan }[severity];
  const lines = mend === '' ? [] : mend.split('\n').map((line) => `  ${withPlace(plainLine(line), place)}`);
  return [`${colour(`${severity}:`)} ${plainLine(what)}`, `  ${paint.dim(plainLine(where))}`, ...lines].join('\n');
}

/** A command printed alone is copied as is, so it has to lead here again. */
function withPlace(line: string, place: Place): string {
  const flags = placeFlags(place).map(quoted);
  return flags.length === 0 ? line : line.replace(/^reverie /, () => `reverie ${flags.join(' ')} `);
}
