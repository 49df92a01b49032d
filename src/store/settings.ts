/** Settles every setting: the highest place that gives a usable value wins, and each one remembers where it came from. */

import { LIMITS, type Limits } from '../limits.ts';
import {
  readSources,
  type SettingProblem,
  type SettingSource,
  type SourceFacts,
  type SourceValues,
} from './settings-sources.ts';
import { allSettings, type Setting, type Settings } from './settings-table.ts';
import { checkSettingValue, type SettingValue } from './settings-values.ts';

export { type MemoryFolders, resolveMemoryFolders } from './settings-folders.ts';
export { MANAGED_SETTINGS_FILE, type SettingProblem, type SettingSource } from './settings-sources.ts';
export { SETTINGS, type Setting, type SettingKind, type SettingName, type Settings } from './settings-table.ts';
export { isTrusted, withTrust } from './settings-trust.ts';
export type { SettingValue } from './settings-values.ts';

export type SettingFacts = SourceFacts;

export interface SettingOrigin {
  readonly key: string;
  /** Null when it is not set and has no default. */
  readonly value: SettingValue | null;
  readonly origin: SettingSource | 'default';
  readonly file: string | null;
  /** The environment variable that gave it. */
  readonly variable: string | null;
  /** Values of other places that were not taken, highest first. */
  readonly passedOver: readonly PassedOver[];
}

export interface PassedOver {
  readonly origin: SettingSource;
  readonly file: string | null;
  readonly value: unknown;
  readonly reason: string;
}

export interface ResolvedSettings {
  readonly values: Settings;
  readonly limits: Limits;
  readonly origins: readonly SettingOrigin[];
  readonly problems: readonly SettingProblem[];
}

export function resolveSettings(facts: SettingFacts): ResolvedSettings {
  const known = allSettings();
  const { sources, problems } = readSources(facts, known);
  const origins = [...known].map(([key, setting]) =>
    settle({ key, setting, sources, problems, userHome: facts.userHome }),
  );
  const values = Object.fromEntries(
    origins.filter(({ key }) => !key.startsWith('limits.')).map(({ key, value }) => [key, value ?? undefined]),
  );
  return { values: values as unknown as Settings, limits: limitsOf(origins), origins, problems };
}

function settle(facts: {
  readonly key: string;
  readonly setting: Setting;
  readonly sources: readonly SourceValues[];
  readonly problems: SettingProblem[];
  readonly userHome: string;
}): SettingOrigin {
  const { key, setting, problems } = facts;
  const passedOver: PassedOver[] = [];
  let taken: Pick<SettingOrigin, 'value' | 'origin' | 'file' | 'variable'> | null = null;
  for (const source of inOrder(facts.sources, setting)) {
    if (!source.values.has(key)) continue;
    const { origin, file } = source;
    const raw = source.values.get(key);
    const passOver = (reason: string) => passedOver.push({ origin, file, value: raw, reason });
    const reportAt = (problem: string, fix: string) =>
      problems.push({ severity: 'warning', origin, file, line: source.lineOf(key), problem, fix });
    if (source.ignored !== null) {
      passOver(source.ignored);
      continue;
    }
    if (origin === 'project' && setting.neverFromProject) {
      passOver('it is never taken from a file that is committed');
      reportAt(
        `\`${key}\` is never taken from a file that is committed.`,
        'Move it to .reverie/settings.local.json or to your own settings.',
      );
      continue;
    }
    const checked = checkSettingValue(setting, raw, facts.userHome);
    const variable = origin === 'environment' ? (setting.env ?? null) : null;
    if (checked.kind === 'wrong') {
      passOver(`it must be ${checked.expected}`);
      reportAt(
        `\`${variable ?? key}\` must be ${checked.expected}.`,
        `Correct it, or remove it${file === null ? '' : ` from ${file}`}.`,
      );
      continue;
    }
    if (taken === null) taken = { value: checked.value, origin, file, variable };
    else passOver(`${taken.origin} comes first`);
  }
  const unset = { value: setting.default ?? null, origin: 'default', file: null, variable: null } as const;
  return { key, ...(taken ?? unset), passedOver };
}

function inOrder(sources: readonly SourceValues[], setting: Setting): readonly SourceValues[] {
  if (!setting.envLeads) return sources;
  const leads = (source: SourceValues) => source.origin === 'environment';
  return [...sources.filter(leads), ...sources.filter((source) => !leads(source))];
}

function limitsOf(origins: readonly SettingOrigin[]): Limits {
  const limits: Record<string, Record<string, number>> = {};
  for (const [group, numbers] of Object.entries(LIMITS)) limits[group] = { ...numbers };
  for (const { key, value } of origins) {
    const [first, group, name] = key.split('.');
    if (first === 'limits' && group !== undefined && name !== undefined) limits[group]![name] = value as number;
  }
  return limits as unknown as Limits;
}
