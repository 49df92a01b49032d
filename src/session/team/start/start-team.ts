/** Starts the members of a team, each as a process of its own: in windows of tmux, or in the background with a log; and ends them. */

import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { homeLayout } from '../../../disk/home.ts';
import { findProgram, leaveProgram, type ProgramEnvironment, runProgram } from '../../../disk/programs.ts';
import { MEMBER_START } from '../../../disk/transcript/record.ts';
import { ReverieError } from '../../../errors.ts';
import type { AgentDefinition } from '../../../layers/7-agents/index.ts';
import { listMailboxes } from '../../../mailbox/list.ts';
import { openTaskList } from '../../../mailbox/tasks/task-list.ts';
import { joinTeam, openTeam, setLeader, teamMembers } from '../../../mailbox/team-members.ts';
import type { TeamFile, TeamMember } from './team-file.ts';

/** How long a member may take to have its name, and to end. */
const START_MS = 30_000;
const END_MS = 10_000;
const LOOK_MS = 100;
const TMUX_BYTES = 100_000;
const TMUX_MS = 10_000;

export interface TeamStart {
  readonly home: string;
  readonly cwd: string;
  readonly environment: ProgramEnvironment;
  /** Node, and the file that it runs. */
  readonly program: readonly [string, string];
  /** Flags that every member is given, such as `--home`. */
  readonly flags: readonly string[];
  readonly inTmux: boolean;
  /** Kinds of agents that members may be. */
  readonly definitions: readonly AgentDefinition[];
}

export interface StartedMember {
  readonly name: string;
  readonly state: 'started' | 'was running' | 'did not start';
  /** Of one in the background. */
  readonly log: string | null;
}

export async function startTeam(file: TeamFile, start: TeamStart): Promise<readonly StartedMember[]> {
  const { home } = start;
  const lines = leaderFirst(file).map((member) => ({ member, words: wordsOf(file, member, start.definitions) }));
  const tmux = start.inTmux ? findTmux(start) : null;
  await setLeader({ home, team: file.team }, file.leader, 'replace');
  for (const { name } of newMembers(file, home)) await joinTeam({ home, team: file.team }, name);
  await addTasks(file, home);
  const running = new Set(living(home));
  const started: StartedMember[] = [];
  for (const { member, words } of lines) {
    const { name } = member;
    if (running.has(name)) {
      started.push({ name, state: 'was running', log: null });
      continue;
    }
    if (tmux === null) startBehind(file.team, name, words, start);
    else startInWindow(tmux, { team: file.team, name, words }, start);
    const isThere = await until(() => living(home).includes(name), START_MS);
    const log = tmux === null ? logOf(start.home, file.team, name) : null;
    started.push({ name, state: isThere ? 'started' : 'did not start', log });
  }
  return started;
}

/** Whoever joins while the leader does not run would lead. */
function leaderFirst({ members, leader }: TeamFile): readonly TeamMember[] {
  return [...members].sort((one, other) => Number(other.name === leader) - Number(one.name === leader));
}

/** Known before the first of them starts, so that each is told of all. */
function newMembers({ team, members }: TeamFile, home: string): readonly TeamMember[] {
  const known = new Set(teamMembers({ home, team }));
  return members.filter(({ name }) => !known.has(name));
}

function wordsOf(file: TeamFile, member: TeamMember, definitions: readonly AgentDefinition[]): readonly string[] {
  const { name, agent } = member;
  const definition = agent === null ? null : definitions.find((each) => each.name === agent);
  if (definition === undefined) {
    const known = definitions.map((each) => each.name).join(', ');
    throw new ReverieError({ code: 'not-found', message: `${name}: there is no agent type ${agent}. Known: ${known}` });
  }
  const model = member.model ?? definition?.model ?? null;
  const mode = member.permissionMode ?? definition?.permissionMode ?? null;
  return [
    ...['--teammate', name, '--team', file.team],
    ...(model === null ? [] : ['--model', model]),
    ...(mode === null ? [] : ['--permission-mode', mode]),
    ...(agent === null ? [] : ['--agent-type', agent]),
    ...(member.isCoordinator ? ['--coordinator'] : []),
    // What a member is told of the team, the session itself says: it is not the user's word.
    member.prompt ?? MEMBER_START,
  ];
}

/** Those that are not on the list yet, so that a second start adds nothing. */
async function addTasks({ team, leader, tasks }: TeamFile, home: string): Promise<void> {
  if (tasks.length === 0) return;
  const list = openTaskList({ team, name: leader, home });
  try {
    const known = new Map((await list.list()).map(({ subject, id }) => [subject, id]));
    const ids: string[] = [];
    for (const { subject, description, after } of tasks) {
      const blockedBy = after.map((number) => ids[number - 1]!);
      ids.push(known.get(subject) ?? (await list.create({ subject, description, blockedBy })).id);
    }
  } finally {
    list.close();
  }
}

function startBehind(team: string, name: string, words: readonly string[], start: TeamStart): void {
  const folder = openTeam({ home: start.home, team });
  const logs = folder.sub('logs', { create: true })!;
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const output = openSync(logs.at(`${name}.log`), O_WRONLY | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0), 0o600);
  try {
    const [node, main] = start.program;
    const { cwd, environment } = start;
    leaveProgram(node, [main, ...start.flags, '-p', '--stay', '--verbose', ...words], { cwd, environment, output });
  } finally {
    closeSync(output);
    for (const each of [logs, folder]) each.close();
  }
}

function logOf(home: string, team: string, name: string): string {
  return join(homeLayout(home).teams, team, 'logs', `${name}.log`);
}

function findTmux(start: TeamStart): string {
  const tmux = findProgram('tmux', start);
  if (tmux !== null) return tmux;
  throw new ReverieError({
    code: 'not-found',
    message: 'tmux is not installed',
    fix: 'Install it, or leave out --tmux: then the members run in the background.',
  });
}

/** In the session of tmux that we are in, else in one that has the team's name. */
function startInWindow(
  tmux: string,
  { team, name, words }: { readonly team: string; readonly name: string; readonly words: readonly string[] },
  start: TeamStart,
): void {
  const { cwd, environment } = start;
  const run = (...given: string[]) =>
    runProgram(tmux, given, { cwd, environment, mostBytes: TMUX_BYTES, timeoutMs: TMUX_MS });
  const command = [...start.program, ...start.flags, ...words];
  const isInside = Boolean(environment.TMUX);
  const isNew = !isInside && run('has-session', '-t', `=${team}`).status !== 0;
  const where = isInside ? [] : ['-t', `=${team}:`];
  const given = isNew
    ? ['new-session', '-d', '-s', team, '-n', name, '-c', cwd, ...command]
    : ['new-window', '-d', ...where, '-n', name, '-c', cwd, ...command];
  if (run(...given).status === 0) return;
  throw new ReverieError({ code: 'storage', message: `tmux opened no window for ${name}` });
}

function living(home: string): readonly string[] {
  return listMailboxes(home).flatMap(({ name, pid }) => (pid === null ? [] : [name]));
}

async function until(isSo: () => boolean, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (!isSo()) {
    if (performance.now() > deadline) return false;
    await sleep(LOOK_MS);
  }
  return true;
}

export interface StoppedMember {
  readonly name: string;
  readonly pid: number;
  readonly isGone: boolean;
}

/** Asks every running member to end, as by closing its terminal, and waits for them. */
export async function stopTeam(place: {
  readonly home: string;
  readonly team: string;
}): Promise<readonly StoppedMember[]> {
  const members = new Set(teamMembers(place));
  const running = () =>
    listMailboxes(place.home).flatMap(({ name, pid }) => (pid !== null && members.has(name) ? [{ name, pid }] : []));
  const asked = running().filter(({ pid }) => pid !== process.pid);
  for (const { pid } of asked) {
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // It ended by itself meanwhile.
    }
  }
  const isLeft = (name: string) => running().some((each) => each.name === name);
  await until(() => !asked.some(({ name }) => isLeft(name)), END_MS);
  return asked.map(({ name, pid }) => ({ name, pid, isGone: !isLeft(name) }));
}
