/** Dreaming in a session, loaded when first useful: after the first answer, or on request. Print mode never loads it. */

import { messageOf } from '../../../base/values.ts';
import type { DreamProgress } from '../progress.ts';
import type { DreamSession, SessionDreaming } from './join.ts';

/** `byItself`: whether one may begin after an answer; by hand it always can. */
export function openDreamLater(session: DreamSession, facts: { readonly byItself: boolean }): SessionDreaming {
  const listeners = new Set<(progress: DreamProgress) => void>();
  const unbegun = whenUnbegun(session);
  let opened: SessionDreaming | null = null;
  let loading: Promise<SessionDreaming> | null = null;

  function load(): Promise<SessionDreaming> {
    loading ??= import('./join.ts').then(({ openAgentDream }) => {
      opened = openAgentDream(session, facts);
      opened.onProgress((progress) => {
        for (const listen of listeners) listen(progress);
      });
      return opened;
    });
    return loading;
  }

  return {
    answered() {
      if (opened !== null) opened.answered();
      else if (facts.byItself)
        void load()
          .then((dreaming) => dreaming.answered())
          // The conversation continues without dreams.
          .catch(unbegun);
    },
    start: async (mode) => (await load()).start(mode),
    progress: () => opened?.progress() ?? null,
    stop: async () => (await (await loading)?.stop()) ?? false,
    onProgress(listen) {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
  };
}

// An automatic dream whose gates failed: recorded each time, and shown once a session, so that it does not fail silently.

export function whenUnbegun(
  session: Pick<DreamSession, 'tell'> & { readonly ledger: Pick<DreamSession['ledger'], 'recordEvent'> },
) {
  let isTold = false;
  return (error: unknown): void => {
    try {
      session.ledger.recordEvent('dream-failed', {});
    } catch {
      // The ledger itself may be broken; the user is still told.
    }
    if (isTold) return;
    isTold = true;
    const why = messageOf(error);
    session.tell(`A dream could not begin: ${why.replace(/\.$/, '')}. To look for the cause: reverie doctor`);
  };
}
