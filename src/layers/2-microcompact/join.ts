/** Clearing old results in a session: its settings, its prices, its place in the transcript, and how it resumes. */

import { priceOf } from '../../model/prices.ts';
import { whenTripped } from '../../toolbox/breakers.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import { createMicrocompact, isClearable, type Microcompact, readMicrocompactState } from './index.ts';

type MicrocompactSession = Pick<
  SessionContext,
  'place' | 'log' | 'ledger' | 'rendered' | 'model' | 'now' | 'announceBreak' | 'tell'
> & {
  /** Tools whose results can be fetched again by calling again, besides our own. */
  readonly clearableTools?: readonly string[];
};

export function openMicrocompact(session: MicrocompactSession): Microcompact {
  const { log, place, announceBreak, ledger } = session;
  const { values } = place.settings;
  const at = () => session.now().toISOString();
  return createMicrocompact(
    {
      announceBreak,
      onCleared(cleared) {
        log.append({ type: 'cleared', at: at(), ...cleared });
        const { freedTokens } = cleared.detail;
        ledger.recordEvent('microcompact', { results: cleared.toolUseIds.length, freedTokens });
      },
      onApplied: (edits) => log.append({ type: 'note', at: at(), reason: 'cleared by the API', detail: edits }),
      onState: (state) => log.append({ type: 'state', at: at(), layer: 'microcompact', state }),
      price: () => priceOf(session.model().name, ledger.prices),
      isClearable: (tool) => isClearable(tool) || session.clearableTools?.includes(tool) === true,
      toolNames: () => session.rendered().tools.map(({ name }) => name),
      economy: () => values.economy,
      isOn: (mechanism) => place.switches.isOn(MECHANISMS[mechanism]),
      onProblem: session.tell,
      onPaused: whenTripped('clearing', session),
      limits: place.limits,
    },
    readMicrocompactState({ state: log.kept?.states.get('microcompact'), cleared: log.kept?.cleared ?? [] }),
  );
}

/** The layer asks for itself and for the mechanism. */
const MECHANISMS = {
  microcompact: 'layers.microcompact',
  'time-clearing': 'microcompact.timeClearing',
  'cache-edits': 'microcompact.cacheEdits',
  'api-clearing': 'microcompact.apiClearing',
  'priced-clearing': 'microcompact.pricedClearing',
} as const;
