/** `reverie doctor`: what is wrong here, and the command that fixes it. */

import { quoted } from '../../base/text/shell-words.ts';
import { recentHookProblems } from '../../hooks/run/status.ts';
import type { Memory } from '../../memory/memory.ts';
import { reattachProject } from '../../memory/transfer/attach.ts';
import { clearDreamCopies, type Finding } from '../../reports/doctor/doctor.ts';
import { clearWorktrees } from '../../reports/doctor/worktrees.ts';
import { openMemory } from '../../session/open-memory.ts';
import type { PlaceOptions } from '../../settings/place.ts';
import { type Answer, defineCommand, type Place } from '../command.ts';
import { findTrouble, SCANNING } from '../find-trouble.ts';
import { placeFlags } from '../next-command.ts';
import { placeOptions, settingFacts } from '../options/place-options.ts';
import type { Paint } from '../terminal/paint.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { countProgress } from '../terminal/progress.ts';

export const command = defineCommand({
  arguments: [],
  about: 'Changes nothing by itself. Exits 1 when something is broken; warnings and notes exit 0.',
  options: {
    reattach: { kind: 'text', value: 'PROJECT', help: 'Reattach the memory of a project that was moved' },
    'clear-copies': { kind: 'flag', help: 'Remove copies that killed dreams left behind' },
    'clear-worktrees': { kind: 'flag', help: 'Remove work trees that killed agents left without work in them' },
  },
  examples: ['reverie doctor', 'reverie doctor --json'],
  async run({ options, place, environment, terminal, now }): Promise<Answer> {
    const { paint } = terminal;
    const where = placeOptions(place, environment);
    if (options.reattach !== undefined) {
      const moved = await reattachProject({ ...where, slug: options.reattach });
      return { data: moved, text: `${paint.green('Re-attached')} ${plainLine(moved.from)} as ${plainLine(moved.to)}` };
    }
    if (options['clear-copies'] || options['clear-worktrees']) {
      const removed = [
        ...(options['clear-copies'] ? await clearDreamCopies(where) : []),
        ...(options['clear-worktrees'] ? await clearWorktrees(where) : []),
      ];
      const text = removed.length === 0 ? 'There is none to remove.' : removed.map(plainLine).join('\n');
      return { data: { removed }, text: removed.length === 0 ? text : `${paint.green('Removed')} ${text}` };
    }
    const scanning = countProgress(terminal, SCANNING);
    const trouble = await troubleAt(where, { now, onScanned: scanning.count }).finally(scanning.end);
    const findings = [...trouble, ...hookNotes(settingFacts(place, environment).home, now)];
    const isBroken = findings.some(({ severity }) => severity === 'error');
    const text =
      findings.length === 0
        ? `${paint.green('All is well.')}`
        : findings.map((finding) => findingText(finding, { paint, place })).join('\n\n');
    return { data: findings, text, ...(isBroken ? { exitCode: 1 } : {}) };
  },
});

/** The memory is opened here and not by the frame, which would print its problems besides. */
async function troubleAt(
  where: PlaceOptions,
  facts: { readonly now: Date; readonly onScanned: () => void },
): Promise<readonly Finding[]> {
  const opened: Memory[] = [];
  try {
    return await findTrouble(where, {
      ...facts,
      async openMemory() {
        opened[0] ??= await openMemory(where);
        return opened[0];
      },
    });
  } finally {
    await opened[0]?.close().catch(() => {});
  }
}

/** What broke in hooks is over; it is told because nobody saw it. */
function hookNotes(home: string, now: Date): readonly Finding[] {
  return recentHookProblems(home, now)
    .slice(0, 1)
    .map(({ at, host, event, problem }) => {
      return {
        severity: 'note',
        what: `A hook failed (${host} ${event}): ${problem}`,
        where: at,
        fix: 'reverie status',
      };
    });
}

function findingText(finding: Finding, facts: { paint: Paint; place: Place }): string {
  const { paint } = facts;
  const { severity, what, where, fix } = finding;
  const colour = { error: paint.red, warning: paint.yellow, note: paint.cyan }[severity];
  const lines = fix === '' ? [] : fix.split('\n').map((line) => `  ${withPlace(plainLine(line), facts.place)}`);
  const place = where === '' ? [] : [`  ${paint.dim(plainLine(where))}`];
  return [`${colour(`${severity}:`)} ${plainLine(what)}`, ...place, ...lines].join('\n');
}

/** A command printed alone is copied as is, so it has to lead here again. */
function withPlace(line: string, place: Place): string {
  const flags = placeFlags(place).map(quoted);
  return flags.length === 0 ? line : line.replace(/^reverie /, () => `reverie ${flags.join(' ')} `);
}
