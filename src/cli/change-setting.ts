/** Changes one setting in the user's own settings file, and leaves every other byte of it as it was. */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { quoted } from '../base/text/shell-words.ts';
import { createFolder } from '../disk/folder.ts';
import { homeLayout } from '../disk/home.ts';
import { readSmallFile } from '../disk/small-file.ts';
import { ReverieError } from '../errors.ts';
import { writeWhole } from '../hooks/install/install.ts';
import { editJson, removeChildren, setValue } from '../hooks/install/json-edit.ts';
import {
  allSettings,
  resolveSettings,
  type Setting,
  type SettingFacts,
  type SettingOrigin,
} from '../settings/settings.ts';
import { checkSettingValue, readVariable } from '../settings/values.ts';
import { usageError } from './options/usage.ts';

export interface ChangedSetting {
  readonly file: string;
  readonly isChanged: boolean;
  /** As it is from now on, wherever it comes from. */
  readonly setting: SettingOrigin;
}

/** Of a known key; null takes the setting out. */
export function changeSetting(key: string, text: string | null, facts: SettingFacts): ChangedSetting {
  const { settingsFile: file } = homeLayout(facts.home);
  const before = textOf(file);
  const edit =
    text === null
      ? removeChildren([], (_, name) => name === key)
      : setValue([key], checkedValue(key, text, facts.userHome));
  const edited = editJson(before, [edit]);
  if (edited.kind === 'refused') throw leftAsItIs(file, edited.problem);
  const isChanged = edited.text !== before && !(text === null && before.trim() === '');
  if (isChanged) {
    if (!existsSync(dirname(file))) createFolder(dirname(file)).close();
    writeWhole(file, edited.text);
  }
  return { file, isChanged, setting: resolveSettings(facts).origins.find((origin) => origin.key === key)! };
}

function textOf(file: string): string {
  const read = readSmallFile(file);
  if (read.kind === 'unreadable') throw leftAsItIs(file, read.reason);
  return read.kind === 'absent' ? '' : read.text;
}

function checkedValue(key: string, text: string, userHome: string): unknown {
  const setting = allSettings().get(key)!;
  const value = readTyped(setting, text);
  const checked = checkSettingValue(setting, value, userHome);
  const [part] = checked.kind === 'value' ? (checked.problems ?? []) : [{ below: '', expected: checked.expected }];
  if (part === undefined) return value;
  const where = part.below === '' ? 'it' : part.below;
  const hint = /^(?:unset|reset|default)$/i.test(text)
    ? `To go back to its default: reverie settings ${key} --unset`
    : `More about it: reverie settings ${key}`;
  throw usageError(`${key} is not changed: ${where} takes ${part.expected}.`, 'settings', hint);
}

/** Lists and objects are JSON; the rest is typed as in a variable of the environment. */
function readTyped({ turnedOffByEnv: _, ...setting }: Setting, text: string): unknown {
  if (setting.kind !== 'object' && setting.kind !== 'list') return readVariable(setting, text) ?? text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function leftAsItIs(file: string, problem: string): ReverieError {
  return new ReverieError({
    code: 'refused',
    message: `${file} is left as it is: ${problem}`,
    fix: `Fix it first, in your editor: ${quoted(file)}`,
  });
}
