/** Beside the start of a conversation: what a pull brought is compared with what is known, and a contradiction is asked about once. */

import type { SessionContext } from '../toolbox/session-context.ts';

type AskedSession = Pick<SessionContext, 'place' | 'memory' | 'ledger' | 'tell'>;

/** Returns what stops it. Somebody has to be there to read the question: it is for conversations with a person. */
export function askAboutTeam({ place, memory, ledger, tell }: AskedSession): () => void {
  if (memory.folders.team === undefined) return () => {};
  let isStopped = false;
  const ask = async () => {
    const { contradictionQuestion } = await import('../team/questions.ts');
    const question = await contradictionQuestion({ place, memory, isStopped: () => isStopped });
    if (question !== null && !isStopped) tell(question);
  };
  const timer = setTimeout(() => {
    ask().catch(() => ledger.recordEvent('team-question-failed', {}));
  }, place.limits.extraction.warmAfterMs);
  timer.unref();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
