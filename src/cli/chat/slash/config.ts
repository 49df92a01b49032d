/** /config: the settings in force, and setting one for all projects. */

import { didYouMean } from '../../../base/text/nearest.ts';
import { allSettings, expectedValue } from '../../../settings/settings.ts';
import { checkSettingValue, readVariable } from '../../../settings/values.ts';
import { setSetting, settingsFiles } from '../../settings-file.ts';
import { notice } from '../action.ts';
import { capture } from './memory.ts';
import type { SlashPorts } from './ports.ts';

/** `/config`, `/config KEY`, `/config KEY VALUE`, `/config KEY unset`. */
export async function config(argument: string, ports: SlashPorts): Promise<void> {
  const [, key = '', text = ''] = /^(?:set\s+)?(\S*)\s*([\s\S]*)$/.exec(argument)!;
  if (text.trim() === '') {
    const output = await capture(['settings', ...(key === '' ? [] : [key])], ports);
    ports.dispatch({ kind: 'print', output: { kind: 'lines', lines: output.trimEnd().split('\n') } });
    const how =
      key === ''
        ? '/config KEY VALUE sets one, /config KEY explains it'
        : `To set it: /config ${key} VALUE; to take it back: /config ${key} unset`;
    ports.dispatch({ kind: 'print', output: notice(how) });
    return;
  }
  await set(key, text.trim(), ports);
}

async function set(key: string, text: string, ports: SlashPorts): Promise<void> {
  const setting = allSettings().get(key);
  const warn = (line: string) => ports.dispatch({ kind: 'print', output: notice(line, 'warning') });
  if (setting === undefined) {
    const near = didYouMean(key, [...allSettings().keys()]);
    return warn(`There is no setting ${key}${near === '' ? '. /config lists them.' : `; ${near}`}`);
  }
  const isUnset = text === 'unset';
  const { turnedOffByEnv: _, ...plain } = setting;
  const value = isUnset ? undefined : readValue(text, () => readVariable(plain, text));
  if (!isUnset && checkSettingValue(setting, value, '/').kind === 'wrong') {
    return warn(`${key} takes ${expectedValue(setting)}.`);
  }
  const { user } = settingsFiles(ports.place, ports.environment);
  await setSetting(user, key, value);
  const done = isUnset ? `${key} is no longer set in ${user}` : `${key} is ${JSON.stringify(value)} in ${user}`;
  ports.dispatch({ kind: 'print', output: notice(`${done}; it counts from the next session on (/clear).`, 'success') });
}

/** JSON where it is JSON, else as an environment variable would be read. */
function readValue(text: string, asVariable: () => unknown): unknown {
  if (!/^[[{"]/.test(text)) return asVariable();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
