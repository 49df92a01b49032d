/** The file that describes a team of processes, read and checked before anything is started. */

import { PERMISSION_MODES, type PermissionMode } from '../../../agent/permission.ts';
import { isObject } from '../../../base/values.ts';
import { ReverieError } from '../../../errors.ts';
import { checkName } from '../../../mailbox/layout.ts';

export interface TeamMember {
  readonly name: string;
  /** What it is told first; without one it works through the list of tasks. */
  readonly prompt: string | null;
  /** A kind of agent, whose prompt, tools, model and mode it takes. */
  readonly agent: string | null;
  readonly model: string | null;
  readonly permissionMode: PermissionMode | null;
  /** It has no tools but those to direct others. */
  readonly isCoordinator: boolean;
}

export interface TeamTask {
  readonly subject: string;
  readonly description: string;
  /** Places of other tasks in the file, from 1. */
  readonly after: readonly number[];
}

export interface TeamFile {
  readonly team: string;
  readonly leader: string;
  /** The leader first. */
  readonly members: readonly TeamMember[];
  readonly tasks: readonly TeamTask[];
}

const MOST_MEMBERS = 20;
const FILE_KEYS = new Set(['team', 'leader', 'members', 'tasks']);
const MEMBER_KEYS = new Set(['prompt', 'agent', 'model', 'permissionMode', 'coordinator']);
const TASK_KEYS = new Set(['subject', 'description', 'after']);

/** Throws a ReverieError that says what is wrong with it. */
export async function parseTeamFile(text: string): Promise<TeamFile> {
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw wrong(`It is no YAML: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
  }
  if (!isObject(value)) throw wrong('It names no team and no members.');
  checkKeys(value, FILE_KEYS, 'The file');
  const team = checkName(textIn(value, 'team', 'The file') ?? '');
  const given = isObject(value.members) ? Object.entries(value.members) : [];
  if (given.length === 0) throw wrong('`members` names nobody.');
  if (given.length > MOST_MEMBERS) throw wrong(`A team has at most ${MOST_MEMBERS} members.`);
  const members = given.map(([name, member]) => memberOf(checkName(name), member ?? {}));
  const leader = textIn(value, 'leader', 'The file') ?? members[0]!.name;
  if (!members.some(({ name }) => name === leader)) throw wrong(`\`leader\` is ${leader}, who is no member.`);
  return {
    ...{ team, leader, tasks: tasksOf(value.tasks ?? []) },
    members: members.toSorted((one, other) => Number(other.name === leader) - Number(one.name === leader)),
  };
}

function memberOf(name: string, value: unknown): TeamMember {
  if (!isObject(value)) throw wrong(`What \`members\` says of ${name} is not a set of fields.`);
  checkKeys(value, MEMBER_KEYS, name);
  const mode = textIn(value, 'permissionMode', name);
  const permissionMode = PERMISSION_MODES.find((known) => known === mode) ?? null;
  if (mode !== null && permissionMode === null)
    throw wrong(`${name} has the permissionMode ${mode}; known: ${PERMISSION_MODES.join(', ')}.`);
  return {
    ...{ name, permissionMode, isCoordinator: value.coordinator === true },
    prompt: textIn(value, 'prompt', name),
    agent: textIn(value, 'agent', name),
    model: textIn(value, 'model', name),
  };
}

function tasksOf(value: unknown): readonly TeamTask[] {
  if (!Array.isArray(value)) throw wrong('`tasks` is no list.');
  return value.map((each, at) => {
    if (typeof each === 'string') return { subject: each, description: '', after: [] };
    const place = `Task ${at + 1}`;
    if (!isObject(each)) throw wrong(`${place} has no subject.`);
    checkKeys(each, TASK_KEYS, place);
    const after = Array.isArray(each.after) ? each.after.map(Number) : [];
    if (after.some((number) => !Number.isInteger(number) || number < 1 || number > at))
      throw wrong(`${place}: \`after\` names tasks before it by their number, from 1.`);
    const subject = textIn(each, 'subject', place);
    if (subject === null) throw wrong(`${place} has no subject.`);
    return { subject, description: textIn(each, 'description', place) ?? '', after };
  });
}

function textIn(value: Readonly<Record<string, unknown>>, key: string, where: string): string | null {
  const text = value[key];
  if (text === undefined || text === null) return null;
  if (typeof text !== 'string' && typeof text !== 'number') throw wrong(`${where}: \`${key}\` is no text.`);
  return String(text).trim() === '' ? null : String(text).trim();
}

function checkKeys(value: Readonly<Record<string, unknown>>, known: ReadonlySet<string>, where: string): void {
  const unknown = Object.keys(value).find((key) => !known.has(key));
  if (unknown !== undefined)
    throw wrong(`${where} has the field \`${unknown}\`; known: ${[...known].map((key) => `\`${key}\``).join(', ')}.`);
}

function wrong(message: string): ReverieError {
  return new ReverieError({
    code: 'usage',
    message: `The team file cannot be used. ${message}`,
    fix: 'An example is in docs/how-to/teams.md.',
  });
}
