/** Settles every setting: the highest place that gives a usable value wins, and each one remembers where it came from. */

import { LIMITS, type Limits, SETTABLE_DEFAULTS, type SettableNumbers, withBounds } from '../limits.ts';
import {
  readSources,
  type SettingProblem,
  type SettingSource,
  type SourceFacts,
  type SourceValues,
} from './sources.ts';
import { allSettings, type GatheredName, SETTINGS, type Setting, type Settings, type SettingValueOf } from './table.ts';
import { checkSettingValue, type SettingValue } from './values.ts';

export { type MemoryFolders, resolveMemoryFolders } from './folders.ts';
export {
  HOOK_EVENTS,
  type HookCommand,
  type HookEventName,
  type HookGroup,
  type HookSettings,
  type McpServerSettings,
  type PermissionSettings,
} from './objects.ts';
export { MANAGED_SETTINGS_FILE, type SettingProblem, type SettingSource } from './sources.ts';
export { SWITCHES, type SwitchName } from './switches.ts';
export {
  allSettings,
  type GatheredName,
  SETTINGS,
  type Setting,
  type SettingKind,
  type SettingName,
  type Settings,
} from './table.ts';
export { isTrusted, withTrust } from './trust.ts';
export { expectedValue, type SettingValue } from './values.ts';

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
  /** Of a setting that gathers: every value that counts, highest first. */
  readonly gathered?: readonly Gathered<SettingValue>[];
}

export interface Gathered<Value> {
  readonly origin: SettingSource;
  /** Null for values given as an option. */
  readonly file: string | null;
  readonly value: Value;
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
  /** The values of all places that count, highest first: a deny of any of them holds. */
  gathered<Name extends GatheredName>(key: Name): readonly Gathered<SettingValueOf<Name>>[];
}

export function resolveSettings(facts: SettingFacts): ResolvedSettings {
  const known = allSettings();
  const { sources, problems } = readSources(facts, known);
  // Most settings are set nowhere and keep their defaults: a hook waits for this, so only the others are settled.
  const named = new Set(sources.flatMap(({ values }) => [...values.keys()]));
  const settled = new Map<string, SettingOrigin>();
  for (const [key, setting] of known) {
    if (named.has(key)) settled.set(key, settle({ key, setting, sources, problems, userHome: facts.userHome }));
  }
  const values = Object.fromEntries(
    Object.entries<Setting>(SETTINGS).map(([key, { default: unset }]) => {
      return [key, (settled.has(key) ? settled.get(key)!.value : unset) ?? undefined];
    }),
  );
  return {
    values: values as unknown as Settings,
    limits: limitsOf(settled),
    get origins() {
      return [...known].map(([key, setting]) => settled.get(key) ?? unsetOrigin(key, setting));
    },
    problems,
    gathered<Name extends GatheredName>(key: Name) {
      return (settled.get(key)?.gathered ?? []) as readonly Gathered<SettingValueOf<Name>>[];
    },
  };
}

function unsetOrigin(key: string, setting: Setting): SettingOrigin {
  const unset = { value: setting.default ?? null, origin: 'default', file: null, variable: null } as const;
  return { key, ...unset, passedOver: [], ...(setting.gathers ? { gathered: [] } : {}) };
}

function settle(facts: SettleFacts & { readonly sources: readonly SourceValues[] }): SettingOrigin {
  const { key, setting } = facts;
  const passedOver: PassedOver[] = [];
  const gathered: Gathered<SettingValue>[] = [];
  let taken: Pick<SettingOrigin, 'value' | 'origin' | 'file' | 'variable'> | null = null;
  for (const source of inOrder(facts.sources, setting)) {
    if (!source.values.has(key)) continue;
    const { origin, file } = source;
    const read = readFrom(source, facts);
    if ('restrictions' in read && read.restrictions !== null) gathered.push({ origin, file, value: read.restrictions });
    if ('reason' in read) {
      passedOver.push({ origin, file, value: source.values.get(key), reason: read.reason });
      continue;
    }
    const variable = origin === 'environment' ? (setting.env ?? null) : null;
    if (setting.gathers) gathered.push({ origin, file, value: read.value });
    if (taken === null) taken = { value: read.value, origin, file, variable };
    else if (!setting.gathers) {
      passedOver.push({ origin, file, value: source.values.get(key), reason: `${taken.origin} comes first` });
    }
  }
  return { ...unsetOrigin(key, setting), ...taken, passedOver, ...(setting.gathers ? { gathered } : {}) };
}

interface SettleFacts {
  readonly key: string;
  readonly setting: Setting;
  readonly problems: SettingProblem[];
  readonly userHome: string;
}

type Read = { readonly value: SettingValue } | { readonly reason: string; readonly restrictions: SettingValue | null };

/** One place's value, or why it does not count; mistakes are reported on the way. */
function readFrom(source: SourceValues, { key, setting, problems, userHome }: SettleFacts): Read {
  const { origin, file } = source;
  const raw = source.values.get(key);
  const reportAt = (below: string, problem: string, fix: string) => {
    const line = source.lineOf(below) ?? source.lineOf(key);
    problems.push({ severity: 'warning', origin, file, line, problem, fix });
  };
  if (source.ignored !== null) return { reason: source.ignored, restrictions: restrictionsIn(raw, setting) };
  if (origin === 'project' && setting.neverFromProject) {
    reportAt(
      key,
      `\`${key}\` is never taken from a file that is committed.`,
      'Move it to .reverie/settings.local.json or to your own settings.',
    );
    return { reason: 'it is never taken from a file that is committed', restrictions: null };
  }
  const fix = `Correct it, or remove it${file === null ? '' : ` from ${file}`}.`;
  const checked = checkSettingValue(setting, raw, userHome);
  if (checked.kind === 'wrong') {
    const name = (origin === 'environment' && setting.env) || key;
    reportAt(key, `\`${name}\` must be ${checked.expected}.`, fix);
    return { reason: `it must be ${checked.expected}`, restrictions: null };
  }
  for (const { below, expected } of checked.problems ?? []) {
    reportAt(`${key}.${below}`, `\`${key}.${below}\` must be ${expected}.`, fix);
  }
  return { value: checked.value };
}

function restrictionsIn(raw: unknown, setting: Setting): SettingValue | null {
  const checked = setting.restrictions === undefined ? undefined : setting.check?.(raw);
  if (checked === undefined || 'wrong' in checked) return null;
  return (setting.restrictions?.(checked.value) ?? null) as SettingValue | null;
}

function inOrder(sources: readonly SourceValues[], setting: Setting): readonly SourceValues[] {
  if (!setting.envLeads) return sources;
  const leads = (source: SourceValues) => source.origin === 'environment';
  return [...sources.filter(leads), ...sources.filter((source) => !leads(source))];
}

function limitsOf(settled: ReadonlyMap<string, SettingOrigin>): Limits {
  const chosen = [...settled.values()].filter(({ key }) => key.startsWith('limits.'));
  if (chosen.length === 0) return LIMITS;
  const limits: Record<string, Record<string, number>> = {};
  for (const [group, numbers] of Object.entries(SETTABLE_DEFAULTS)) limits[group] = { ...numbers };
  for (const { key, value } of chosen) {
    const [, group, name] = key.split('.');
    if (group !== undefined && name !== undefined) limits[group]![name] = value as number;
  }
  return withBounds(limits as unknown as SettableNumbers);
}
