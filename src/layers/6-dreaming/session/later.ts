/** Dreaming in a session, loaded once it can be of use: after the first answer, or when it is asked for. Print mode never loads it. */

import { messageOf } from '../../../base/values.ts';
import type { DreamProgress } from '../progress.ts';
import type { DreamSession, SessionDreaming } from './join.ts';

/** `byItself`: whether one may begin after an answer; by hand it always may. */
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
          // The conversation goes on without dreams.
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

// A dream by itself that could not even be asked for: on record each time, and told once a session, so that it does not fail in silence.

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
    const why = messageOf(error);
    session.tell(`A dream could not begin: ${why.replace(/\.$/, '')}. To look for the cause: reverie doctor`);
  };
}
