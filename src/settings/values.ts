/** Tells whether a raw value suits a setting, and which known key an unknown one was meant to be. */

import { expandHome } from '../disk/check-root.ts';
import type { ObjectProblem } from './objects.ts';
import type { Setting } from './table.ts';

export type SettingValue = boolean | string | number | object;

export type CheckedValue =
  | { readonly kind: 'value'; readonly value: SettingValue; readonly problems?: readonly ObjectProblem[] }
  | { readonly kind: 'wrong'; readonly expected: string };

export function checkSettingValue(setting: Setting, raw: unknown, userHome: string): CheckedValue {
  const wrong = (expected: string): CheckedValue => ({ kind: 'wrong', expected });
  switch (setting.kind) {
    case 'boolean':
      return typeof raw === 'boolean' ? { kind: 'value', value: raw } : wrong('true or false');
    case 'number': {
      // Counts, bytes and milliseconds are whole; only a share is not.
      const isWhole = setting.isWhole || Number.isInteger(setting.default);
      const suits = typeof raw === 'number' && raw > 0 && (isWhole ? Number.isInteger(raw) : Number.isFinite(raw));
      return suits ? { kind: 'value', value: raw } : wrong(`a ${isWhole ? 'whole ' : ''}number above zero`);
    }
    case 'path':
      if (typeof raw !== 'string' || raw.trim() === '') return wrong('a path in double quotes');
      return { kind: 'value', value: expandHome(raw, userHome) };
    case 'endpoint':
      return isWebAddress(raw)
        ? { kind: 'value', value: raw }
        : wrong('an address that begins with https:// or http://');
    case 'choice':
      return typeof raw === 'string' && setting.choices?.includes(raw)
        ? { kind: 'value', value: raw }
        : wrong(`one of ${setting.choices?.map((choice) => JSON.stringify(choice)).join(', ')}`);
    case 'object':
    case 'list':
      return checkObject(setting, raw);
    case 'command':
    case 'text':
      if (typeof raw === 'string' && setting.shape?.pattern.test(raw) !== false) return { kind: 'value', value: raw };
      return wrong(setting.shape?.expected ?? 'text in double quotes');
  }
}

/** What a value has to be, in words. */
export function expectedValue(setting: Setting): string {
  const checked = checkSettingValue(setting, undefined, '');
  return checked.kind === 'wrong' ? checked.expected : 'anything';
}

function checkObject(setting: Setting, raw: unknown): CheckedValue {
  const checked = setting.check?.(raw) ?? { wrong: 'nothing' };
  if ('wrong' in checked) return { kind: 'wrong', expected: checked.wrong };
  return { kind: 'value', value: checked.value as object, problems: checked.problems };
}

function isWebAddress(raw: unknown): raw is string {
  return typeof raw === 'string' && URL.canParse(raw) && /^https?:$/.test(new URL(raw).protocol);
}

/** What a variable says, in the form a settings file would use; undefined when it says nothing. */
export function readVariable(setting: Setting, text: string | undefined): unknown {
  const word = text?.trim() ?? '';
  if (text === undefined || word === '') return undefined;
  if (setting.kind === 'number') return Number(word);
  if (setting.kind !== 'boolean') return text;
  const isOn = /^(?:1|true|yes|on)$/i.test(word);
  if (setting.turnedOffByEnv) return isOn ? false : undefined;
  return isOn ? true : /^(?:0|false|no|off)$/i.test(word) ? false : text;
}

/** The known key nearest to a misspelt one; null when none is near. */
export function nearestKey(unknown: string, known: Iterable<string>): string | null {
  let nearest: string | null = null;
  let fewest = Math.floor(unknown.length / 3) + 1;
  for (const key of known) {
    if (Math.abs(key.length - unknown.length) >= fewest) continue;
    const edits = editDistance(key.toLowerCase(), unknown.toLowerCase());
    if (edits < fewest) [nearest, fewest] = [key, edits];
  }
  return nearest;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
