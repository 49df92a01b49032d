/** Reads the transcripts of a session and of its agents; one that has not grown is not read again. */

import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isSessionId, sessionLayout } from '../../disk/home.ts';
import { sessionHolder } from '../../disk/sessions/hold.ts';
import type { InspectorContext } from '../context.ts';
import { type Scanned, scanTranscript } from './scan.ts';
import type { Transcripts } from './tree.ts';

/** Agents of one session that are shown, the newest. */
const MOST_AGENTS = 500;
/** Transcripts whose reading is kept. */
const MOST_KEPT = 600;

export function createTranscriptReader({ place }: Pick<InspectorContext, 'place'>) {
  const kept = new Map<string, { readonly state: string; readonly scanned: Scanned }>();

  async function scan(path: string, isLong: boolean): Promise<Scanned | null> {
    const facts = await stat(path).catch(() => null);
    if (facts === null) return null;
    const state = `${facts.size} ${facts.mtimeMs}`;
    const known = kept.get(path);
    if (known?.state === state) return known.scanned;
    const scanned = await scanTranscript(path, { limits: place.limits.transcripts, isLong });
    if (scanned === null) return null;
    kept.delete(path);
    kept.set(path, { state, scanned });
    for (const old of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(old);
    return scanned;
  }

  /** Null where the session has no transcript. */
  return async function read(sessionId: string): Promise<Transcripts | null> {
    const { home, slug } = place;
    const { transcript, folder } = sessionLayout({ home, slug, sessionId });
    const main = await scan(transcript, true);
    if (main === null) return null;
    const names = await readdir(join(folder, 'agents')).catch(() => []);
    const ids = names.filter((name) => name.endsWith('.jsonl')).map((name) => basename(name, '.jsonl'));
    const agents = new Map<string, Scanned>();
    for (const id of ids.filter(isSessionId).slice(-MOST_AGENTS)) {
      const scanned = await scan(join(folder, 'agents', `${id}.jsonl`), false);
      if (scanned !== null) agents.set(id, scanned);
    }
    return { main, agents, openSinceMs: sessionHolder({ home, slug, sessionId })?.at ?? null };
  };
}
