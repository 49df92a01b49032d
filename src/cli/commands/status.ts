/** `reverie status`: whether memory is on, where it is, how much it holds, what changed last and what went wrong. */

import { isUnconfirmed } from '../../base/taxonomy.ts';
import { homeLayout } from '../../disk/home.ts';
import { type ConnectedHost, connectedHosts } from '../../hooks/install/find-hosts.ts';
import { type HookProblem, type HookRunRecord, readHookRuns, recentHookProblems } from '../../hooks/run/status.ts';
import { type DreamingStatus, readDreamingStatus } from '../../layers/6-dreaming/inbox/status.ts';
import { TERMINAL_LIMITS } from '../../limits.ts';
import type { LogEntry, Memory, MemoryHeader } from '../../memory/memory.ts';
import { type EncoderStatus, encoderStatus } from '../../memory/served-encoder.ts';
import { type BackgroundPart, readBackgroundStatus } from '../../reports/background-status.ts';
import { findingLine } from '../../reports/finding.ts';
import { type Hindrance, readLastDay } from '../../reports/last-day.ts';
import { type KeySource, keySources } from '../../settings/credentials.ts';
import { findPlace, type Place } from '../../settings/place.ts';
import { resolveSettings, type SettingFacts } from '../../settings/settings.ts';
import { defineCommand } from '../command.ts';
import { dreamingLines } from '../dreaming-text.ts';
import { findTrouble, SCANNING } from '../find-trouble.ts';
import { lastDayLines } from '../last-day-text.ts';
import { nextCommand } from '../next-command.ts';
import { placeOptions, settingFacts } from '../options/place-options.ts';
import { counted } from '../paint-view/amounts.ts';
import { timeAgo } from '../relative-time.ts';
import { fitLines } from '../terminal/fit-lines.ts';
import type { Paint } from '../terminal/paint.ts';
import { plainLine } from '../terminal/plain-text.ts';
import { countProgress } from '../terminal/progress.ts';

interface Status {
  readonly enabled: boolean;
  readonly offReason: string | null;
  readonly folders: readonly { readonly scope: string; readonly path: string; readonly memories: number }[];
  readonly lastChange: LogEntry | null;
  /** What runs alongside a conversation, in this project. */
  readonly background: readonly BackgroundPart[];
  /** The period that `background` covers. */
  readonly days: number;
  /** What was capped, refused or cut off within the last day. */
  readonly lastDay: readonly Hindrance[];
  /** Memories that the user has not confirmed. */
  readonly unconfirmed: readonly Pick<MemoryHeader, 'scope' | 'file' | 'source'>[];
  readonly dreaming: DreamingStatus;
  /** Coding agents that are connected to this memory. */
  readonly hosts: readonly ConnectedHost[];
  /** Whether those sessions are looked through. */
  readonly learn: 'on' | 'off';
  /** Where the keys of providers come from; never the keys. */
  readonly keys: readonly KeySource[];
  /** The embedding model of the setting `recall.encoder`; null when none is set. */
  readonly encoder: EncoderStatus | null;
  readonly problems: readonly string[];
  /** The newest run of each coding agent's hooks, newest first. */
  readonly hookRuns: readonly HookRunRecord[];
  /** Newest first. */
  readonly hookProblems: readonly HookProblem[];
}

const SHOWN_HOOK_PROBLEMS = 10;

export const command = defineCommand({
  arguments: [],
  about: 'Problems of hooks are kept here because a hook never disturbs the agent that calls it.',
  options: {},
  examples: ['reverie status', 'reverie status --json'],
  async run({ place, environment, terminal, now, openMemory }) {
    const where = placeOptions(place, environment);
    // First, since an open memory puts right beside us what the doctor would find.
    const scanning = countProgress(terminal, SCANNING);
    const onScanned = scanning.count;
    const trouble = await findTrouble(where, { now, openMemory, onScanned, trustsLast: true }).finally(scanning.end);
    const memory = await openMemory();
    const found = findPlace(where);
    const known = await statusOf(memory, {
      problems: trouble.filter(({ severity }) => severity !== 'note').map(findingLine),
      facts: settingFacts(place, environment),
      found,
      now,
    });
    const dreaming = readDreamingStatus({ memory, place: found, now });
    const commands = {
      inbox: nextCommand(place, ['dream', 'inbox']),
      unconfirmed: nextCommand(place, ['memory', 'list', '--unconfirmed']),
      confirm: nextCommand(place, ['memory', 'confirm', 'FILE']),
      install: nextCommand(place, ['install']),
    };
    const status = { ...known, dreaming };
    const text = statusText(status, {
      ...{ paint: terminal.paint, now, commands },
      credentialsFile: homeLayout(found.home).credentialsFile,
    });
    return { data: status, text: fitLines(text, terminal.width) };
  },
});

async function statusOf(
  memory: Memory,
  {
    facts,
    found,
    now,
    problems,
  }: Pick<Status, 'problems'> & { readonly facts: SettingFacts; readonly found: Place; readonly now: Date },
): Promise<Omit<Status, 'dreaming'>> {
  const { home } = facts;
  const { origins, values } = resolveSettings(facts);
  const days = TERMINAL_LIMITS.statsDays;
  const entries = await memory.list();
  const [lastChange] = await memory.log({ limit: 1 });
  const folders = Object.entries(memory.folders).map(([scope, path]) => {
    return { scope, path, memories: entries.filter((entry) => entry.scope === scope).length };
  });
  return {
    enabled: memory.enabled,
    offReason: memory.offReason,
    folders,
    lastChange: lastChange ?? null,
    background: await readBackgroundStatus({ home, project: found.slug, now, days, origins, onProblem: () => {} }),
    days,
    lastDay: await readLastDay({ home, project: found.slug, now, onProblem: () => {} }),
    unconfirmed: entries.filter(isUnconfirmed).map(({ scope, file, source }) => ({ scope, file, source })),
    hosts: connectedHosts({ ...facts, environment: facts.env }),
    learn: values.learn,
    keys: keySources(home, facts.env),
    encoder: await encoderStatus(found, facts.env),
    problems,
    hookRuns: readHookRuns(home),
    hookProblems: recentHookProblems(home, now).slice(0, SHOWN_HOOK_PROBLEMS),
  };
}

interface StatusFacts {
  readonly paint: Paint;
  readonly now: Date;
  readonly credentialsFile: string;
  /** As they are typed here. */
  readonly commands: Readonly<Record<'inbox' | 'unconfirmed' | 'confirm' | 'install', string>>;
}

function statusText(status: Status, facts: StatusFacts): string {
  const { paint, now, commands } = facts;
  const lines = status.enabled
    ? [paint.green('Memory is on.')]
    : [paint.yellow(plainLine(status.offReason ?? 'Memory is off.'))];
  for (const { scope, path, memories } of status.folders) {
    lines.push(`  ${scope}: ${memories} ${memories === 1 ? 'memory' : 'memories'}  ${paint.dim(plainLine(path))}`);
  }
  const last = status.lastChange;
  if (last !== null) {
    // A purge leaves no name behind.
    const of = last.files.length === 0 ? '' : ` of ${plainLine(last.files.join(', '))}`;
    const what = `${last.kind}${of} by ${last.who}`;
    lines.push(`  last change: ${what}, ${timeAgo(last.at, now)}`);
  }
  // Dreaming has its own lines, which include what the ledger knows about it.
  const dream = status.enabled ? status.background.find(({ part }) => part === 'dream') : undefined;
  const others = status.background.filter((part) => part !== dream);
  lines.push(...others.map((part) => `  ${partText(part, { status, paint, now })}`));
  const ledger = dream === undefined ? '' : ledgerText(dream, { status, paint, now });
  const { inbox } = commands;
  if (status.enabled)
    lines.push(...dreamingLines(status.dreaming, { paint, now, inbox, ledger, offBy: offText(dream) }));
  const count = status.unconfirmed.length;
  if (count > 0) {
    const what = `${counted(count, 'memory is', 'memories are')} unconfirmed: ${commands.unconfirmed}`;
    lines.push(`  ${paint.yellow(what)}; to say that one holds: ${commands.confirm}`);
  }
  lines.push(...accessLines(status, facts));
  lines.push(...status.hookRuns.map((run) => `  ${hookRunText(run, status, now)}`));
  if (status.lastDay.length > 0) lines.push('In the last day:');
  lines.push(...lastDayLines(status.lastDay, now).map((line) => `  ${line}`));
  const problems = [
    ...status.problems.map(plainLine),
    ...status.background.flatMap(({ part, paused }) =>
      paused === null ? [] : [`${part}: ${pausedText(paused, now)}`],
    ),
    ...status.hookProblems.map(({ at, host, event, problem }) => plainLine(`${at} hook ${host} ${event}: ${problem}`)),
  ];
  lines.push(problems.length === 0 ? '  no problems' : paint.yellow('Problems:'));
  return [...lines, ...problems.map((problem) => `  ${problem}`)].join('\n');
}

function accessLines(
  { hosts, learn, keys, encoder }: Status,
  { credentialsFile, commands }: StatusFacts,
): readonly string[] {
  const names = hosts.map(({ title, scope }) => (scope === 'user' ? title : `${title} (this project)`));
  const origin = { environment: 'the environment', login: plainLine(credentialsFile) };
  const given = keys.map(({ variable, from }) => `${variable} from ${origin[from]}`);
  return [
    `  connected: ${names.length === 0 ? `no coding agent; to connect one: ${commands.install}` : names.join(', ')}`,
    ...(hosts.length > 0 || learn === 'on' ? [`  learning from them: ${learn}`] : []),
    ...(encoder === null ? [] : [`  recall encoder: ${encoderText(encoder)}`]),
    `  keys: ${given.length === 0 ? 'none' : given.join(', ')}`,
  ];
}

function encoderText({ model, embedded, problem }: EncoderStatus): string {
  const state = problem === null ? 'answers' : `not in use, recall goes on with its own: ${problem}`;
  return plainLine(`${model}, ${counted(embedded, 'memory', 'memories')} read; ${state}`);
}

function hookRunText({ host, event, at }: HookRunRecord, { hookProblems }: Status, now: Date): string {
  const failed = hookProblems.find((problem) => problem.host === host);
  const failure = failed === undefined ? 'no failure' : `last failure ${timeAgo(failed.at, now)}`;
  return plainLine(`hooks of ${host}: last run ${timeAgo(at, now)} (${event}), ${failure}`);
}

/** Without memory there is nothing to recall from or to save into. */
const NEEDS_MEMORY = new Set(['recall', 'extraction', 'dream']);

function partText(background: BackgroundPart, facts: PartFacts): string {
  const { part, last } = background;
  const { status, paint, now } = facts;
  const ran =
    last === null ? `no run in ${status.days} days` : `last run ${timeAgo(last.at, now)}: ${plainLine(last.result)}`;
  const off = offText(background);
  const state = !status.enabled && NEEDS_MEMORY.has(part) ? 'off with memory' : off === '' ? '' : `off ${off}`;
  return `${part}: ${state === '' ? paint.green('on') : paint.yellow(state)}, ${ran}${ledgerText(background, facts)}`;
}

interface PartFacts {
  readonly status: Status;
  readonly paint: Paint;
  readonly now: Date;
}

/** Which setting, and where it is set; empty while it is on. */
function offText(part: BackgroundPart | undefined): string {
  if (part === undefined || part.offBy === null) return '';
  const { setting, where, origin } = part.offBy;
  return `(${setting}, ${plainLine(where ?? origin)})`;
}

/** What it cost, and what kept it from its work. */
function ledgerText({ calls, money, paused, capped }: BackgroundPart, { status, paint, now }: PartFacts): string {
  const cost = money === null ? 'cost not known' : `$${money.toFixed(4)}`;
  const spent = calls === 0 ? '' : `; ${calls} ${calls === 1 ? 'call' : 'calls'}, ${cost} in ${status.days} days`;
  const trouble = [
    ...(paused === null ? [] : [pausedText(paused, now)]),
    ...(capped === null
      ? []
      : [`kept from starting by the cap of the ${plainLine(capped.by)} ${timeAgo(capped.at, now)}`]),
  ].map((line) => `; ${paint.yellow(line)}`);
  return `${spent}${trouble.join('')}`;
}

function pausedText({ at, failures, reason }: NonNullable<BackgroundPart['paused']>, now: Date): string {
  const why = reason === '' ? '' : `: ${plainLine(reason)}`;
  return `paused by ${failures > 1 ? `${failures} failures in a row` : 'failures'} ${timeAgo(at, now)}, for that session${why}`;
}
