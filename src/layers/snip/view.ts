/** Entries without what was removed: a marker from the user's side takes its place, and joins its neighbours if roles would not alternate. */

import type { Entry } from '../../conversation/entry.ts';
import { NO_USAGE } from '../../conversation/message.ts';
import type { Snip } from './state.ts';

export function snipped(entries: readonly Entry[], snips: readonly Snip[]): readonly Entry[] {
  return snips.reduce(withoutRange, entries);
}

function withoutRange(entries: readonly Entry[], { uuids, at, by }: Snip): readonly Entry[] {
  const gone = new Set(uuids);
  const last = entries.findLastIndex(({ uuid }) => gone.has(uuid));
  if (last === -1) return entries;
  const first = entries.findIndex(({ uuid }) => gone.has(uuid));
  const marker = markerFor(entries[last]!, { parentUuid: entries[first]!.parentUuid, removed: uuids.length, by });
  return entries.flatMap((entry, position) => {
    if (position === last) return [marker];
    return gone.has(entry.uuid) ? [] : [entry.at <= at ? uncounted(entry) : entry];
  });
}

function markerFor(
  { uuid, at }: Entry,
  facts: { readonly parentUuid: string | null; readonly removed: number; readonly by: Snip['by'] },
): Entry {
  const { parentUuid, removed, by } = facts;
  const who = by === 'agent' ? 'You' : 'The user';
  const text = `[${who} took ${removed === 1 ? 'a message' : `${removed} messages`} out of the conversation here.]`;
  return {
    uuid,
    parentUuid,
    at,
    message: { role: 'user', content: [{ type: 'text', text }] },
    injected: [{ block: 0, source: 'snip' }],
  };
}

/** The usage was for the longer conversation. */
function uncounted(entry: Entry): Entry {
  if (entry.response === undefined) return entry;
  return { ...entry, response: { ...entry.response, usage: NO_USAGE } };
}
