/** Folding finished work in a session: its switch, its place in the transcript, what it resumes from. */

import { whenTripped } from '../../toolbox/breakers.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import { type Collapse, createCollapse, readCollapseState } from './index.ts';

type CollapseSession = Pick<SessionContext, 'place' | 'log' | 'ledger' | 'now' | 'announceBreak' | 'tell'>;

export function openCollapse(session: CollapseSession): Collapse {
  const { log, place, announceBreak, ledger } = session;
  return createCollapse(
    {
      isOn: () => place.switches.isOn('layers.collapse'),
      announceBreak,
      onState: (state) => log.append({ type: 'state', at: session.now().toISOString(), layer: 'collapse', state }),
      onFolded: (folded) => ledger.recordEvent('collapse', folded),
      onProblem: session.tell,
      onPaused: whenTripped('folding', session),
      limits: place.limits.collapse,
    },
    readCollapseState(log.kept?.states.get('collapse')),
  );
}
