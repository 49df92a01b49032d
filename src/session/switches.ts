/** Whether a part may run now: by its setting, which a session reads once, and by the host's `flags`, which are asked before each run. */

import type { Settings, SwitchName } from '../store/settings.ts';

export interface Switches {
  /** Asked right before the part runs; what shapes the prompt is asked once a session. */
  isOn(name: SwitchName): boolean;
  /** The host's word alone, for what a session began with and may not lose by a setting. */
  isKilled(name: SwitchName): boolean;
}

export function settingSwitches(values: Pick<Settings, SwitchName>): Switches {
  return { isOn: (name) => values[name], isKilled: () => false };
}
