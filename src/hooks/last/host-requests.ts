/** What the user asked last in conversations of other coding agents. */

import { withoutInjected } from '../../base/text/injected-text.ts';
import { titleOf } from '../../disk/sessions/ends.ts';
import { type HostSession, newestHostSessions } from '../../disk/sessions/host-sessions.ts';
import { readTailLines } from '../../disk/tail.ts';
import type { HostFacts } from '../hosts/host.ts';
import { findHost } from '../hosts/hosts.ts';
import { isHostsOwn } from '../run/typed.ts';

/** Holds the last request unless the answer to it is longer. */
const TRANSCRIPT_BYTES = 262_144;
const SAID_CHARACTERS = 300;

export interface HostRequest {
  readonly host: string;
  readonly sessionId: string;
  /** As its makers write it. */
  readonly title: string;
  readonly at: string;
  readonly lastRequest: string;
}

/** The beginning of a request; null where it holds a secret or nothing that a person typed. */
export async function keptRequest(text: string): Promise<string | null> {
  const request = titleOf(withoutInjected(text), SAID_CHARACTERS);
  if (request === '') return null;
  const { findSecrets } = await import('../../base/secrets/secrets.ts');
  return (await findSecrets(text)).length === 0 ? request : null;
}

/** Newest first. Only so many transcripts are opened as there are requests wanted. */
export function readHostRequests(
  project: { readonly home: string; readonly slug: string },
  facts: HostFacts & { readonly most: number; readonly except?: string },
): readonly HostRequest[] {
  const found: HostRequest[] = [];
  for (const session of newestHostSessions(project)) {
    if (found.length >= facts.most) break;
    if (session.sessionId === facts.except) continue;
    const request = requestOf(session, facts);
    if (request !== null) found.push(request);
  }
  return found;
}

function requestOf(
  { host: name, sessionId, transcriptFile, said, at }: HostSession,
  facts: HostFacts,
): HostRequest | null {
  const host = findHost(name);
  if (host === null) return null;
  if (said !== null) return { host: name, sessionId, title: host.title, at, lastRequest: said };
  if (transcriptFile === null || !isHostsOwn(transcriptFile, host, facts)) return null;
  const texts = host.userTexts(readTailLines(transcriptFile, TRANSCRIPT_BYTES));
  const last = texts.findLast(({ text }) => withoutInjected(text).trim() !== '');
  if (last === undefined) return null;
  const lastRequest = titleOf(withoutInjected(last.text), SAID_CHARACTERS);
  return { host: name, sessionId, title: host.title, at, lastRequest };
}
