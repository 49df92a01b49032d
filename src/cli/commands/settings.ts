/** `reverie settings`: every effective value, and where it comes from. */

import { didYouMean } from '../../base/text/nearest.ts';
import { ReverieError } from '../../errors.ts';
import { isBareRun } from '../../settings/place.ts';
import {
  allSettings,
  expectedValue,
  type ResolvedSettings,
  resolveMemoryFolders,
  resolveSettings,
  type SettingOrigin,
  type SettingProblem,
} from '../../settings/settings.ts';
import { type ChangedSetting, changeSetting } from '../change-setting.ts';
import { defineCommand } from '../command.ts';
import { settingFacts } from '../options/place-options.ts';
import { usageError } from '../options/usage.ts';
import { alignColumns } from '../terminal/columns.ts';
import type { Paint } from '../terminal/paint.ts';
import { plainLine } from '../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [
    {
      name: 'KEY',
      required: false,
      help: 'One setting: what it is for, what it takes, and the values that were overridden; or a prefix of several: limits.dreaming',
    },
    { name: 'VALUE', required: false, help: 'Sets it in your own settings file; JSON for lists and objects' },
  ],
  about: 'Highest first: managed, --settings, environment, local, project (once trusted), user, default.',
  options: { unset: { kind: 'flag', help: 'Take the setting out of your own settings file' } },
  examples: [
    'reverie settings',
    'reverie settings autoMemoryDirectory',
    'reverie settings limits.dreaming',
    'reverie settings model claude-haiku-5-5',
    'reverie settings model --unset',
    'reverie settings --json',
  ],
  // An agent that could change settings could give itself every right.
  isForPeople: ({ arguments: [, value], options }) => value !== undefined || options.unset === true,
  async run({ arguments: [key, value], options, place, environment, terminal }) {
    if (options.unset || value !== undefined) {
      const facts = settingFacts(place, environment);
      if (key === undefined) throw usageError('KEY is missing.', 'settings');
      if (options.unset && value !== undefined) throw usageError('--unset takes no value.', 'settings');
      if (!allSettings().has(key)) throw unknownKey(key, resolveSettings(facts));
      const changed = changeSetting(key, options.unset ? null : value!, facts);
      return { data: withoutCredentials(changed), text: changedText(changed, terminal.paint) };
    }
    const { paint } = terminal;
    const facts = settingFacts(place, environment);
    const resolved = resolveSettings(facts);
    if (key !== undefined) {
      const setting = resolved.origins.find((candidate) => candidate.key === key);
      // An unreadable file may be why the value is not what was written there.
      const problems = resolved.problems.filter(({ severity }) => severity === 'warning');
      if (!setting) {
        const origins = resolved.origins.filter((candidate) => candidate.key.startsWith(`${key.replace(/\.$/, '')}.`));
        if (origins.length === 0) throw unknownKey(key, resolved);
        const rows = alignColumns(origins.map((origin) => settingRow(origin, paint)));
        return {
          data: withoutCredentials({ origins, problems }),
          text: [...rows, ...problemLines(problems, paint)].join('\n'),
        };
      }
      const about = aboutSetting(key);
      const text = [...oneText(setting, paint), '', ...aboutText(about, paint), ...problemLines(problems, paint)];
      return { data: withoutCredentials({ ...setting, ...about, problems }), text: text.join('\n') };
    }
    const folders = foldersOf(() =>
      resolveMemoryFolders({ ...facts, settings: resolved, bare: isBareRun(place.bare, environment) }),
    );
    const text = [
      ...alignColumns(
        folders.rows.map(([label, value]) => [{ text: label, paint: paint.dim }, { text: plainLine(value) }]),
      ),
      '',
      ...alignColumns(resolved.origins.map((origin) => settingRow(origin, paint))),
      ...problemLines(resolved.problems, paint),
    ];
    return { data: withoutCredentials({ ...resolved, folders: folders.data }), text: text.join('\n') };
  },
});

/** The value as it is now: another place may come before the file that was written. */
function changedText({ file, isChanged, setting }: ChangedSetting, paint: Paint): string {
  const wrote = isChanged ? `Changed ${plainLine(file)}` : `${plainLine(file)} needs no change`;
  const note = setting.file === file || setting.origin === 'default' ? [] : ['That comes before your own file.'];
  return [wrote, `${setting.key}: ${oneText(setting, paint).join('\n')}`, ...note].join('\n');
}

/** A refused folder is shown with the reason: this is where people come to find out. */
function foldersOf(resolve: () => ReturnType<typeof resolveMemoryFolders>): {
  rows: [string, string][];
  data: unknown;
} {
  try {
    const folders = resolve();
    if (!folders.enabled) return { rows: [['memory', folders.reason]], data: folders };
    const rows: [string, string][] = [['project memory', `${folders.project}, from ${folders.origin}`]];
    if (folders.global !== null) rows.push(['global memory', folders.global]);
    return { rows, data: folders };
  } catch (error) {
    if (!(error instanceof ReverieError)) throw error;
    return { rows: [['memory', `${error.message} ${error.fix}`]], data: { enabled: false, reason: error.message } };
  }
}

function settingRow(setting: SettingOrigin, paint: Paint) {
  const isDefault = setting.origin === 'default';
  return [
    { text: setting.key, ...(isDefault ? {} : { paint: paint.bold }) },
    { text: valueText(setting.value) },
    { text: originText(setting), paint: isDefault ? paint.dim : paint.cyan },
  ];
}

function oneText(setting: SettingOrigin, paint: Paint): string[] {
  const passed = setting.passedOver.map(({ origin, file, value, reason }) => {
    const where = file === null ? origin : `${origin}, ${file}`;
    return paint.dim(`skipped: ${valueText(value)} (${plainLine(where)}): ${plainLine(reason)}`);
  });
  const first = `${paint.bold(valueText(setting.value))}  ${originText(setting)}`;
  const others = (setting.gathered ?? []).filter(({ value }) => value !== setting.value);
  const joined = others.map(({ origin, file, value }) => {
    return `counts too: ${valueText(value)} (${plainLine(file === null ? origin : `${origin}, ${file}`)})`;
  });
  return [first, ...joined, ...passed];
}

interface AboutSetting {
  readonly description: string;
  readonly takes: string;
  readonly environment: string | null;
  readonly default: boolean | string | number | null;
}

/** On the command line no quotes are needed. */
const IN_A_FILE = / in double quotes$/;

function aboutSetting(key: string): AboutSetting {
  const setting = allSettings().get(key)!;
  const { description, env, turnedOffByEnv, default: unset } = setting;
  const environment = env === undefined ? null : turnedOffByEnv ? `${env}=1 switches it off` : env;
  return { description, takes: expectedValue(setting).replace(IN_A_FILE, ''), environment, default: unset ?? null };
}

function aboutText({ description, takes, environment, default: unset }: AboutSetting, paint: Paint): string[] {
  const rows = [
    ['takes', takes],
    ...(environment === null ? [] : [['environment', environment]]),
    ['default', valueText(unset)],
  ];
  return [
    description,
    ...alignColumns(rows.map(([label, value]) => [{ text: label!, paint: paint.dim }, { text: value! }])),
  ];
}

/** Servers get their keys in `env` and `headers`; what people paste into a report must not contain them. */
function withoutCredentials<Value>(value: Value): Value {
  const hide = (key: string, part: unknown) => {
    const holdsKeys = (key === 'env' || key === 'headers') && typeof part === 'object' && part !== null;
    return holdsKeys ? Object.fromEntries(Object.keys(part).map((name) => [name, '…'])) : part;
  };
  return JSON.parse(JSON.stringify(value, hide));
}

function problemLines(problems: readonly SettingProblem[], paint: Paint): string[] {
  if (problems.length === 0) return [];
  const lines = problems.map(({ severity, origin, file, line, problem, fix }) => {
    const where = file === null ? origin : `${file}${line === null ? '' : `:${line}`}`;
    return `${paint.yellow(`${severity}:`)} ${plainLine(where)}: ${plainLine(problem)}\n  ${plainLine(fix)}`;
  });
  return ['', ...lines];
}

function valueText(value: unknown): string {
  return value === null
    ? '-'
    : plainLine(typeof value === 'string' ? value : JSON.stringify(withoutCredentials(value)));
}

function originText({ origin, file, variable }: SettingOrigin): string {
  return plainLine([origin, variable ?? file ?? ''].filter(Boolean).join(', '));
}

function unknownKey(key: string, { origins }: ResolvedSettings): Error {
  const hint = didYouMean(
    key,
    origins.map((origin) => origin.key),
  );
  return usageError(
    `There is no setting ${key}${hint === '' ? '.' : `; ${hint}`}`,
    'settings',
    'All of them: reverie settings',
  );
}
