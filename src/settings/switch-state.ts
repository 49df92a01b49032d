/** Whether a part may run now: by its setting and by the host's `flags`, each asked before each run. */

import type { Settings, SwitchName } from './settings.ts';

export interface Switches {
  /** Asked right before the part runs; what shapes the prompt is asked once a session. */
  isOn(name: SwitchName): boolean;
  /** The host's word alone, for what a session began with and may not lose by a setting. */
  isKilled(name: SwitchName): boolean;
}

type Values = Pick<Settings, SwitchName | 'autoMemoryEnabled'>;

/** What works on memory, and rests while that is switched off. */
const OF_MEMORY: ReadonlySet<SwitchName> = new Set(['layers.recall', 'layers.extraction', 'layers.dreaming']);

/**
 * A session has the layers it began with: what the settings say meanwhile can switch one off, and on again, but add none.
 * @param now the settings as their files stand.
 */
export function settingSwitches(values: Values, now: () => Values = () => values): Switches {
  const isOn = (name: SwitchName) => {
    if (!values[name]) return false;
    const present = now();
    return present[name] && (present.autoMemoryEnabled || !OF_MEMORY.has(name));
  };
  return { isOn, isKilled: () => false };
}
