/** Reads the places that settings come from, highest first, and says what in each of them cannot be used and why. */

import { join, resolve } from 'node:path';
import { homeLayout } from '../disk/home.ts';
import { readSmallFile } from '../disk/small-file.ts';
import { SETTINGS_FILE_LIMITS } from '../limits.ts';
import { locateJson } from './lines.ts';
import { checkProjectSources } from './project-sources.ts';
import { retiredLimits } from './retired-limits.ts';
import type { Setting } from './table.ts';
import { nearestKey, readVariable } from './values.ts';

export type SettingSource = 'managed' | 'flag' | 'environment' | 'local' | 'project' | 'user';

export interface SettingProblem {
  /** A `note` is as it should be, but worth knowing; a `warning` is a mistake to fix. */
  readonly severity: 'warning' | 'note';
  readonly origin: SettingSource;
  /** Null for the environment and for values given as an option. */
  readonly file: string | null;
  readonly line: number | null;
  readonly problem: string;
  readonly fix: string;
}

/** One place with the raw values found there, by dotted key. */
export interface SourceValues {
  readonly origin: SettingSource;
  readonly file: string | null;
  readonly values: ReadonlyMap<string, unknown>;
  /** Limits that could be set once; they have no effect. */
  readonly retired: readonly string[];
  /** Why nothing in it counts; null when it does. */
  readonly ignored: string | null;
  /** Found on demand: nobody needs lines while all is well. */
  readonly lineOf: (key: string) => number | null;
}

export interface SourceFacts {
  readonly home: string;
  readonly userHome: string;
  readonly projectRoot: string;
  readonly env: NodeJS.ProcessEnv;
  /** `--settings`: a path, or JSON itself. */
  readonly flagFile?: string;
  /** Given by the program that uses the library; ranks with the flag. */
  readonly inline?: Readonly<Record<string, unknown>>;
  readonly managedFile?: string;
  readonly trusted: boolean;
}

export const MANAGED_SETTINGS_FILE = '/etc/reverie/settings.json';

interface SettingsFiles {
  readonly managed: string;
  readonly local: string;
  readonly project: string;
  readonly user: string;
}

function settingsPlaces({ home, projectRoot, managedFile }: SourceFacts): SettingsFiles {
  const below = join(projectRoot, '.reverie');
  return {
    managed: managedFile ?? MANAGED_SETTINGS_FILE,
    local: join(below, 'settings.local.json'),
    project: join(below, 'settings.json'),
    user: homeLayout(home).settingsFile,
  };
}

export function settingsFilesOf(facts: SourceFacts): readonly string[] {
  const flag = facts.flagFile?.trim() ?? '';
  return [...Object.values(settingsPlaces(facts)), ...(flag === '' || flag.startsWith('{') ? [] : [resolve(flag)])];
}

export function readSources(
  facts: SourceFacts,
  known: ReadonlyMap<string, Setting>,
): { readonly sources: SourceValues[]; readonly problems: SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const files = settingsPlaces(facts);
  const read = (origin: SettingSource, file: string) => readFileSource({ origin, file, known, problems });

  const managed = read('managed', files.managed);
  const environment = readEnvironment(facts.env, known);
  const inline =
    facts.inline === undefined ? null : readObject({ origin: 'flag', file: null, known, problems }, facts.inline);
  const flag = readFlag(facts.flagFile, { known, problems });
  const local = read('local', files.local);
  // In the user's own home folder this and the user's are one file.
  const project = files.project === files.user ? null : read('project', files.project);
  const checked = checkProjectSources({ local, project }, { ...facts, problems });
  const user = read('user', files.user);
  const sources = [managed, inline, flag, environment, ...checked, user].filter((source) => source !== null);
  reportRetired(sources, problems);
  return { sources, problems };
}

interface Reading {
  readonly origin: SettingSource;
  readonly file: string | null;
  readonly known: ReadonlyMap<string, Setting>;
  readonly problems: SettingProblem[];
}

export type FileSource = SourceValues & { readonly ownerId: number | null };

function readFileSource(reading: Reading & { readonly file: string; readonly mustExist?: true }): FileSource | null {
  const content = readSmallFile(reading.file);
  if (content.kind === 'text') return readText(reading, content.text, content.ownerId);
  if (content.kind === 'absent' && !reading.mustExist) return null;
  report(reading, {
    line: null,
    problem: `The settings cannot be used: ${content.kind === 'absent' ? 'there is no such file' : content.reason}.`,
    fix: reading.mustExist
      ? 'Correct the path given to --settings.'
      : `Make ${reading.file} a readable JSON file, or remove it.`,
  });
  return null;
}

function readText(reading: Reading, text: string, ownerId: number | null): FileSource | null {
  if (text.trim() === '') return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    const { mistake } = locateJson(text);
    report(reading, {
      line: mistake?.line ?? null,
      problem: `This is not valid JSON, so none of these settings count: ${mistake?.expected ?? 'something else'} was expected.`,
      fix: `Fix line ${mistake?.line ?? 1} of ${nameOf(reading)}.`,
    });
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    report(reading, {
      line: 1,
      problem: 'Settings must be one JSON object.',
      fix: `Put { … } around the settings in ${nameOf(reading)}.`,
    });
    return null;
  }
  const source = readObject(reading, parsed as Record<string, unknown>, text);
  return { ...source, ownerId };
}

function readObject(reading: Reading, object: Readonly<Record<string, unknown>>, text?: string): SourceValues {
  let lines: ReadonlyMap<string, number> | undefined;
  const lineOf = (key: string): number | null => {
    if (text === undefined) return null;
    lines ??= locateJson(text).lineOfKey;
    return lines.get(key) ?? null;
  };
  const values = new Map<string, unknown>();
  const unknown: string[] = [];
  const retired: string[] = [];
  const retiredKeys = retiredLimits();
  for (const [key, value] of flatten(object, { groups: groupsOf(reading.known) })) {
    if (reading.known.has(key)) values.set(key, value);
    else (retiredKeys.has(key) ? retired : unknown).push(key);
  }
  reportUnknown(reading, unknown, lineOf);
  return { origin: reading.origin, file: reading.file, values, retired, ignored: null, lineOf };
}

/** A file that is something else altogether is not worth a line for each of its keys. */
function reportUnknown(reading: Reading, keys: readonly string[], lineOf: (key: string) => number | null): void {
  const most = SETTINGS_FILE_LIMITS.unknownKeys;
  for (const key of keys.slice(0, most)) {
    const meant = nearestKey(key, reading.known.keys());
    report(reading, {
      line: lineOf(key),
      problem: `There is no setting \`${key}\`.`,
      fix: meant === null ? 'Remove it; `reverie settings` lists the known ones.' : `Write \`${meant}\`, or remove it.`,
    });
  }
  if (keys.length <= most) return;
  report(reading, {
    line: null,
    problem: `There are ${keys.length - most} more unknown settings.`,
    fix: `See whether ${nameOf(reading)} is the file you meant.`,
  });
}

/** One line for all of them, in whichever files they are. */
function reportRetired(sources: readonly SourceValues[], problems: SettingProblem[]): void {
  const holding = sources.filter(({ retired }) => retired.length > 0);
  const first = holding[0];
  if (first === undefined) return;
  const keys = new Set(holding.flatMap(({ retired }) => retired));
  problems.push({
    severity: 'warning',
    origin: first.origin,
    file: first.file,
    line: first.lineOf(first.retired[0]!),
    problem: `These limits can no longer be set: ${[...keys].join(', ')}.`,
    fix: `Delete them from ${[...new Set(holding.map(nameOf))].join(' and ')}.`,
  });
}

/** `limits` and `limits.index`: what is no setting itself, but holds some. */
function groupsOf(known: ReadonlyMap<string, Setting>): ReadonlySet<string> {
  const groups = [...known.keys(), ...retiredLimits()].flatMap((key) => {
    const parts = key.split('.');
    return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
  });
  return new Set(groups.filter((group) => !known.has(group)));
}

/** `{ "limits": { "index": { "lines": 9 } } }` and `{ "limits.index.lines": 9 }` mean the same. */
function* flatten(
  object: Readonly<Record<string, unknown>>,
  facts: { readonly groups: ReadonlySet<string>; readonly prefix?: string },
): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(object)) {
    const key = `${facts.prefix ?? ''}${name}`;
    if (facts.groups.has(key) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
      yield* flatten(value as Record<string, unknown>, { ...facts, prefix: `${key}.` });
    } else {
      yield [key, value];
    }
  }
}

function readEnvironment(env: NodeJS.ProcessEnv, known: ReadonlyMap<string, Setting>): SourceValues {
  const values = new Map<string, unknown>();
  for (const [key, setting] of known) {
    const value = setting.env === undefined ? undefined : readVariable(setting, env[setting.env]);
    if (value !== undefined) values.set(key, value);
  }
  return { origin: 'environment', file: null, values, retired: [], ignored: null, lineOf: () => null };
}

function readFlag(flag: string | undefined, reading: Pick<Reading, 'known' | 'problems'>): SourceValues | null {
  if (flag === undefined || flag.trim() === '') return null;
  if (flag.trimStart().startsWith('{')) return readText({ ...reading, origin: 'flag', file: null }, flag, null);
  return readFileSource({ ...reading, origin: 'flag', file: resolve(flag), mustExist: true });
}

function report(reading: Reading, problem: Pick<SettingProblem, 'line' | 'problem' | 'fix'>): void {
  reading.problems.push({ severity: 'warning', origin: reading.origin, file: reading.file, ...problem });
}

function nameOf({ file }: Pick<Reading, 'file'>): string {
  return file ?? 'the JSON given to --settings';
}
