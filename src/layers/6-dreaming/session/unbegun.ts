/** A dream by itself that could not even be asked for: on record each time, and told once a session, so that it does not fail in silence. */

import type { DreamSession } from './join.ts';

export function whenUnbegun(
  session: Pick<DreamSession, 'tell'> & { readonly ledger: Pick<DreamSession['ledger'], 'recordEvent'> },
) {
  let isTold = false;
  return (error: unknown): void => {
    try {
      session.ledger.recordEvent('dream-failed', {});
    } catch {
      // The ledger itself may be what is broken; the user is told all the same.
    }
    if (isTold) return;
    isTold = true;
    const why = error instanceof Error ? error.message : String(error);
    session.tell(`A dream could not begin: ${why.replace(/\.$/, '')}. To look for the cause: reverie doctor`);
  };
}
