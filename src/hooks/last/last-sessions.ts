/** What was done last in a project, whoever it was done with: our own sessions by their notes or transcripts, other agents' by their last request. */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { stripInvisible } from '../../base/text/visible-text.ts';
import { sessionLayout } from '../../disk/home.ts';
import { isUnasked, listSessions, type SessionSummary } from '../../disk/sessions/sessions.ts';
import { openProjectLog, workSessionName } from '../../disk/work-log/work-log.ts';
import { parseTemplate } from '../../layers/3-session-notes/headings.ts';
import type { Place } from '../../settings/place.ts';
import { workSummary } from '../capture/work-text.ts';
import type { HostFacts } from '../hosts/host.ts';
import { readHostRequests } from './host-requests.ts';

/** Of notes: their title and state stand at the beginning. */
const NOTES_BYTES = 16_384;
const TITLE_SECTION = 'session title';
const STATE_SECTION = 'current state';

export interface LastSession {
  /** `reverie`, or the host's name. */
  readonly host: string;
  /** The name for people. */
  readonly in: string;
  /** ISO time of the last that is known of it. */
  readonly at: string;
  /** Of our own sessions, to resume it; null for another agent's. */
  readonly id: string | null;
  readonly title: string | null;
  /** Where the work stood, by the session's notes. */
  readonly state: string | null;
  readonly lastRequest: string | null;
  /** What was done, where that is captured. */
  readonly work: string | null;
}

export interface LastFacts extends HostFacts {
  readonly most: number;
  /** A conversation that is not to be told of itself. */
  readonly except?: string;
}

/** Newest first. Reads the ends of the newest few files, whatever else is there. */
export async function lastSessions(
  { home, slug, limits }: Pick<Place, 'home' | 'slug' | 'limits'>,
  facts: LastFacts,
): Promise<readonly LastSession[]> {
  const noted = (id: string) => notesOf({ home, slug, sessionId: id });
  const own = await listSessions({
    ...{ home, slug, limits: limits.transcripts, most: facts.most },
    leaveOut: (session) => isUnasked(session) && noted(session.id).state === null,
  }).catch(() => []);
  const hosts = readHostRequests({ home, slug }, facts);
  const log = openProjectLog({ home, slug });
  const sessions: readonly LastSession[] = [
    ...own.map((session) => ownSession(session, noted(session.id))),
    ...hosts.map(({ host, sessionId, title, at, lastRequest }) => ({
      ...{ host, in: title, at, id: null, title: null, state: null },
      lastRequest: oneLine(lastRequest),
      work: workSummary(log.steps(workSessionName({ host, sessionId }))),
    })),
  ];
  return sessions.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, facts.most);
}

interface Noted {
  readonly title: string | null;
  readonly state: string | null;
}

function ownSession({ id, modified, title, lastPrompt }: SessionSummary, noted: Noted): LastSession {
  return {
    ...{ host: 'reverie', in: 'Reverie', at: modified, id },
    title: noted.title ?? (oneLine(title) || null),
    state: noted.state,
    lastRequest: oneLine(lastPrompt) || null,
    work: null,
  };
}

function notesOf(session: { readonly home: string; readonly slug: string; readonly sessionId: string }): Noted {
  const sections = parseTemplate(readBeginning(sessionLayout(session).notesFile));
  const noted = (name: string) => {
    const body = sections.find(({ heading }) => heading.toLowerCase() === name)?.body ?? '';
    return oneLine(body) || null;
  };
  return { title: noted(TITLE_SECTION), state: noted(STATE_SECTION) };
}

function oneLine(text: string): string {
  return stripInvisible(text).text.replace(/\s+/g, ' ').trim();
}

/** Empty where there is no such file. */
function readBeginning(path: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return '';
  }
  try {
    if (!fstatSync(descriptor).isFile()) return '';
    const bytes = Buffer.alloc(NOTES_BYTES);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, NOTES_BYTES, 0));
  } catch {
    return '';
  } finally {
    closeSync(descriptor);
  }
}
