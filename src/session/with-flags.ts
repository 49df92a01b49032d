/** The switches of a session whose host has a kill switch of its own; what the host says, and that it says nothing, is in the ledger. */

import { askFlags, type Flags } from '../settings/flags.ts';
import type { Place } from '../settings/place.ts';
import { SWITCHES, type SwitchName } from '../settings/settings.ts';
import { reasonOf, whenTripped } from '../toolbox/breakers.ts';
import type { AgentMeter } from '../toolbox/meter.ts';

export interface FlagSession {
  readonly flags: Flags | undefined;
  readonly ledger: Pick<AgentMeter, 'record' | 'recordTrip'>;
  /** One line for the user. */
  readonly tell: (line: string) => void;
}

export function withFlags(place: Place, { flags, ledger, tell }: FlagSession): Place {
  if (flags === undefined) return place;
  const { isOn } = place.switches;
  let hasToldProblem = false;
  const { isOff: isKilled, askAhead } = askFlags({
    ...{ flags, limits: place.limits.flags, nowMs: () => performance.now() },
    onSwitched(name, isOff) {
      ledger.record({ name: isOff ? 'flags-off' : 'flags-on', numbers: {}, cause: name });
      tell(`The host switched \`${name}\` ${isOff ? 'off' : 'on again'}.`);
    },
    onProblem(name, problem) {
      const reason = reasonOf(problem);
      ledger.record({ name: 'flags-failed', numbers: {}, cause: `${name}: ${reason}` });
      if (hasToldProblem) return;
      hasToldProblem = true;
      tell(`The host could not say whether \`${name}\` is switched off, so that it is not: ${reason}`);
    },
    onPaused: whenTripped('flags', { ledger, tell }),
  });
  const names = Object.keys(SWITCHES) as SwitchName[];
  askAhead(names.filter(isOn));
  return { ...place, switches: { isOn: (name) => isOn(name) && !isKilled(name), isKilled } };
}
