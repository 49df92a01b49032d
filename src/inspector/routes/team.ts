/** What a person shares with the team from the page, and takes back: the same checks and refusals as `reverie memory share`. */

import { shareMemory, unshareMemory } from '../../team/share.ts';
import { readTeamState } from '../../team/state.ts';
import type { Routes } from '../app.ts';
import type { InspectorContext } from '../context.ts';
import { scopeOf, textOf } from '../values.ts';

export function teamRoutes({ memory, place }: InspectorContext): Routes {
  return {
    reads: {
      /** Under which ids this user's own memories were shared. */
      async shared() {
        const known = hasTeam(place) ? Object.entries(readTeamState(place).shared) : [];
        return { shared: known.map(([id, { scope, file }]) => ({ id, scope, file })) };
      },
    },
    writes: {
      async share(body) {
        const entry = await memory.get(textOf(body, 'file'), { scope: scopeOf(body) });
        const { path, id, supersedes, isKnown } = await shareMemory(entry, { place });
        return { path, id, supersedes, isKnown };
      },
      async unshare(body) {
        const { path } = await unshareMemory(textOf(body, 'id'), place);
        return { path };
      },
    },
  };
}

export function hasTeam({ folders }: Pick<InspectorContext['place'], 'folders'>): boolean {
  return folders.some(({ scope }) => scope === 'team');
}
