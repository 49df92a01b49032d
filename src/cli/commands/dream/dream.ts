/** `reverie dream`: consolidate a memory now, and say what changed and why. */

import { OWN_SCOPES } from '../../../base/taxonomy.ts';
import { ReverieError } from '../../../errors.ts';
import { waitingOf } from '../../../layers/6-dreaming/inbox/choose.ts';
import { stuckOf } from '../../../layers/6-dreaming/inbox/stuck.ts';
import type { DreamProgress } from '../../../layers/6-dreaming/progress.ts';
import type { DreamChangeState, DreamRecord } from '../../../layers/6-dreaming/records/record.ts';
import type { DreamMode, DreamReport, RunDreamOptions } from '../../../layers/6-dreaming/session/dream.ts';
import { TERMINAL_LIMITS } from '../../../limits.ts';
import type { Memory } from '../../../memory/memory.ts';
import { resolveSettings } from '../../../settings/settings.ts';
import { type Command, defineCommand, type Place } from '../../command.ts';
import { cronText } from '../../cron-line.ts';
import { waitingWays } from '../../dream-ways.ts';
import { nextCommand } from '../../next-command.ts';
import { type Environment, placeOptions, settingFacts } from '../../options/place-options.ts';
import { usageError } from '../../options/usage.ts';
import { changeLines, dreamHeading, progressLine, remarkLines, tallyText } from '../../paint-view/dream-view.ts';
import type { Paint } from '../../terminal/paint.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface DreamPorts {
  readonly runDream: (options: RunDreamOptions) => Promise<DreamReport>;
  /** How to start this program, with absolute paths. */
  readonly program: () => readonly [node: string, script: string];
}

const ABOUT = [
  'A dream merges memories that say the same, fixes dates and pointers, and removes what was contradicted. It works on a copy; rules in code decide what is applied, what waits for you and what is refused. All that is applied is one change, which can be undone.',
  'To review pending changes: reverie dream inbox, then reverie dream show, approve or reject. To stop one: reverie dream stop.',
];

export function dreamCommand(ports: DreamPorts): Command {
  return defineCommand({
    arguments: [],
    about: ABOUT.join('\n'),
    options: {
      review: { kind: 'flag', help: 'Let nothing land: all of it waits until you approve it' },
      'dry-run': { kind: 'flag', help: 'Only show what would change: no memory is changed, and no record kept' },
      scope: {
        kind: 'text',
        value: 'SCOPE',
        choices: OWN_SCOPES,
        byDefault: 'project',
        help: 'Whose memory',
      },
      model: { kind: 'text', value: 'NAME', help: 'The model that dreams, in place of the one in the settings' },
      timer: { kind: 'flag', help: 'Started by a timer, not by hand; recorded so' },
      cron: { kind: 'flag', help: 'Print the crontab line that does this every night' },
    },
    examples: [
      'reverie dream',
      'reverie dream --review',
      'reverie dream --scope global --dry-run',
      'reverie dream --cron',
    ],
    async run(invocation) {
      const { options, place, environment, terminal, isJson } = invocation;
      const scope = options.scope ?? 'project';
      if (options.model?.trim() === '') throw usageError('--model is empty.', 'dream');
      if (options.review && options['dry-run'])
        throw usageError('--review keeps what is proposed, --dry-run keeps nothing.', 'dream', 'Give one of the two.');
      if (options.cron) {
        const wish = { scope, review: options.review, dryRun: options['dry-run'], model: options.model };
        const cron = cronText({ place, environment, program: ports.program(), wish });
        return { data: cron, text: `${cron.comment}\n${cron.line}`, exact: `${cron.comment}\n${cron.line}\n` };
      }
      warnOfSettings(invocation);
      terminal.allowAfterInterruption(TERMINAL_LIMITS.agentGraceMs);
      const stop = new AbortController();
      terminal.atEnd(() => stop.abort());
      const mode: DreamMode | undefined = options['dry-run'] ? 'dry-run' : options.review ? 'review' : undefined;
      let hasBegun = false;
      const onProgress = (progress: DreamProgress) => {
        terminal.status(fitted(progressLine(progress), terminal.width));
        if (!hasBegun && !terminal.isWatched) terminal.writeError(beganLine(progress));
        hasBegun = true;
      };
      const report = await ports.runDream({
        ...placeOptions(place, environment),
        scope,
        by: options.timer ? 'timer' : 'hand',
        signal: AbortSignal.any([terminal.interrupted, stop.signal]),
        onProgress,
        ...(mode === undefined ? {} : { mode }),
        ...(options.model === undefined ? {} : { model: options.model }),
      });
      terminal.status(null);
      if (report.kind === 'ended' && !terminal.isWatched)
        terminal.writeError(endedLine(report.record, { isDryRun: options['dry-run'] }));
      terminal.throwIfInterrupted(interruptedText(report, place));
      if (report.kind === 'not-begun' && !isJson) {
        throw new ReverieError({ code: 'refused', message: report.reason, fix: report.fix });
      }
      const isDone = report.kind === 'ended' && report.record.status === 'completed';
      const isDryRun = options['dry-run'];
      const stuck = isDryRun ? new Map() : await stuckIn(report, invocation.openMemory);
      const facts = { place, paint: terminal.paint, isDryRun, stuck };
      const data = isDryRun ? asDryRun(report) : report;
      return { data, text: reportText(report, facts), exitCode: isDone ? 0 : 1 };
    },
  });
}

/** Before anything lands: with a misspelt `dreaming.mode` everything would land instead of waiting. */
function warnOfSettings({
  place,
  environment,
  terminal,
}: {
  readonly place: Place;
  readonly environment: Environment;
  readonly terminal: Pick<Terminal, 'writeError' | 'paint'>;
}): void {
  const problems = resolveSettings(settingFacts(place, environment)).problems;
  for (const { problem, fix } of problems.filter(({ severity }) => severity === 'warning')) {
    terminal.writeError(`${terminal.paint.yellow('warning:')} ${plainLine(`${problem} ${fix}`)}\n`);
  }
}

/** When nobody is watching, as under cron, a log says when one began and how it ended. */
function beganLine({ id, scope, startedAt }: DreamProgress): string {
  return `reverie: ${startedAt} dream ${plainLine(id)} of the ${scope} memory began\n`;
}

function endedLine(record: DreamRecord, facts: { readonly isDryRun: boolean }): string {
  const { id, endedAt, status, problem, changes } = record;
  const how = status === 'completed' ? tallyText(changes, facts) : plainLine(problem ?? 'no reason is known');
  return `reverie: ${endedAt} dream ${plainLine(id)} ${status}: ${how}\n`;
}

/** A status is one line that is overwritten: a longer one would leave part of itself behind. */
function fitted(line: string, width: number | undefined): string {
  return line.slice(0, (width ?? TERMINAL_LIMITS.columns) - 1);
}

function interruptedText(report: DreamReport, place: Place): string {
  const isChanged = report.kind === 'ended' && report.record.change !== null;
  return isChanged
    ? `The dream had landed already. To take it back: ${nextCommand(place, ['memory', 'undo', report.record.change!])}`
    : `The dream was stopped, and nothing was changed. The next one starts by itself in an hour at the earliest, later after more stops. To see when: ${nextCommand(place, ['status'])}`;
}

/** What a user edited during the dream is theirs: approving a change to it would do nothing. */
async function stuckIn(report: DreamReport, openMemory: () => Promise<Memory>): Promise<ReadonlyMap<number, string>> {
  if (report.kind === 'not-begun' || waitingOf(report.record).length === 0) return new Map();
  const folder = (await openMemory()).folders[report.scope];
  return folder === undefined ? new Map() : stuckOf(folder, report.record);
}

/** Nothing of it is kept: the data must not say that something landed. */
function asDryRun(report: DreamReport) {
  if (report.kind === 'not-begun') return { dryRun: true, ...report };
  const states: Partial<Record<DreamChangeState, string>> = { landed: 'would-land', waiting: 'would-wait' };
  const changes = report.record.changes.map((change) => ({ ...change, state: states[change.state] ?? change.state }));
  return { dryRun: true, ...report, record: { ...report.record, changes } };
}

export function reportText(
  report: DreamReport,
  facts: {
    readonly place: Place;
    readonly paint: Paint;
    readonly isDryRun: boolean;
    /** By number: why a waiting change cannot land after an edit in the meantime. */
    readonly stuck: ReadonlyMap<number, string>;
  },
): string {
  const { place, paint, stuck } = facts;
  if (report.kind === 'not-begun') return `${plainLine(report.reason)}\n${plainLine(report.fix)}`;
  const { record, scope } = report;
  const waits = record.changes.some(({ state }) => state === 'waiting');
  const id = plainLine(record.id);
  const isCompleted = record.status === 'completed';
  const counted = tallyText(record.changes, facts);
  const told = isCompleted || record.changes.length > 0 ? counted : 'nothing was changed';
  const again = nextCommand(place, ['dream', ...(scope === 'project' ? [] : ['--scope', scope])]);
  return [
    dreamHeading(record, scope),
    ...(record.problem === null ? [] : [paint.red(`  ${plainLine(record.problem)}`)]),
    ...remarkLines(record, paint),
    ...record.changes.flatMap((change) => changeLines(change, facts)),
    paint.bold(facts.isDryRun ? `Dry run, nothing is kept: ${told}.` : `${told}.`),
    ...(isCompleted ? [] : [paint.dim(`To dream again: ${again}`)]),
    ...(record.change === null
      ? []
      : [paint.dim(`To take back what landed: ${nextCommand(place, ['memory', 'undo', record.change])}`)]),
    ...(waits && !facts.isDryRun
      ? [
          paint.dim(`To see what waits: ${nextCommand(place, ['dream', 'show', id])}`),
          ...waitingWays({ record, scope, stuck, place }).map(paint.dim),
        ]
      : []),
  ].join('\n');
}
