/** The way to a session for programs that import the package: its parts are loaded when one is made. */

import type { Session, SessionOptions } from './session.ts';

/** The layers, recall and the ledger for a loop of your own: `prepare` before each call of the model, `observe` after it. */
export async function createSession(options: SessionOptions = {}): Promise<Session> {
  return (await import('./create-session.ts')).createSession(options);
}
