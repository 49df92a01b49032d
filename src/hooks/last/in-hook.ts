/** What the hooks of a conversation do for the one that comes after it. */

import { markHostSession, recordHostSession, sweepHostSessions } from '../../disk/sessions/host-sessions.ts';
import { settleWorkLog } from '../capture/in-hook.ts';
import type { StartReason } from '../run/event.ts';
import type { Conversation } from '../run/run.ts';
import { keptRequest } from './host-requests.ts';

type Known = Pick<Conversation, 'ports' | 'place' | 'sessionId' | 'transcriptFile'>;

/** A new conversation is told what was done here last. */
export async function whereItStood(reason: StartReason, { ports, place, sessionId }: Known): Promise<string | null> {
  if (reason !== 'startup' || !place.settings.values.lastSessions) return null;
  const { lastSessionsContext } = await import('./context.ts');
  const { environment: env, userHome } = ports;
  return lastSessionsContext(place, { env, userHome, except: sessionId });
}

/** Of a host whose transcript can be read later, that is enough. */
export function rememberSession(conversation: Known): void {
  sweepHostSessions(conversation.place.home, conversation.ports.now);
  settleWorkLog(conversation);
  if (isTranscriptRead(conversation)) record(conversation, null);
}

/** For a host that keeps no transcript we can read. */
export async function rememberRequest(text: string, conversation: Known): Promise<void> {
  if (isTranscriptRead(conversation) || !isWanted(conversation)) return;
  const said = isTold(conversation) ? await keptRequest(text) : null;
  if (said !== null || isLearntFrom(conversation)) record(conversation, said);
}

/** Its end came, and what was said in it was looked through. */
export function rememberEnd(conversation: Known): void {
  const { ports, place, sessionId } = conversation;
  if (!isWanted(conversation)) return;
  markHostSession(place, { host: ports.host, sessionId }, { lookedAtMs: ports.now.getTime() });
}

function record(conversation: Known, said: string | null): void {
  if (!isWanted(conversation)) return;
  const { ports, place, sessionId, transcriptFile } = conversation;
  const learns = isLearntFrom(conversation);
  recordHostSession(place, { host: ports.host, sessionId, transcriptFile, said, at: ports.now.toISOString(), learns });
}

function isWanted(conversation: Known): boolean {
  return !conversation.ports.isForged && (isTold(conversation) || isLearntFrom(conversation));
}

function isTold({ place }: Known): boolean {
  return place.settings.values.lastSessions;
}

function isLearntFrom({ place }: Known): boolean {
  return place.settings.values.learn === 'on';
}

function isTranscriptRead({ ports: { voice, environment: env, userHome } }: Known): boolean {
  return voice.transcripts({ env, userHome }) !== null;
}
