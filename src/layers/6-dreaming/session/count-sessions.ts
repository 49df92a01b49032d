/** The sessions that call for a dream. */

import type { Steps } from '../../../base/async/in-turns.ts';
import type { MemoryScope } from '../../../base/taxonomy.ts';
import { countingHostSessions } from '../../../disk/sessions/host-sessions.ts';
import { countingSessionsSince } from '../../../disk/sessions/since.ts';
import type { Place } from '../../../settings/place.ts';

export interface CountFacts {
  readonly place: Pick<Place, 'home' | 'slug' | 'limits' | 'settings'>;
  readonly scope: MemoryScope;
  /** Milliseconds since the epoch; null for all there are. */
  readonly sinceMs: number | null;
  /** The session that asks. */
  readonly except: string | null;
}

/** Those of coding agents count where memories come from them. */
export function* countingSessions({ place, scope, sinceMs, except }: CountFacts): Steps<number> {
  const { home, slug } = place;
  const [projects, most] = [scope === 'global' ? 'all' : { slug }, place.limits.dreaming.sessions] as const;
  const own = yield* countingSessionsSince({ home, projects, sinceMs, except, most });
  if (own >= most || place.settings.values.learn !== 'on') return own;
  const project = { home, slug: scope === 'global' ? null : slug };
  return own + (yield* countingHostSessions(project, { sinceMs, most: most - own }));
}
