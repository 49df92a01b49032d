/** How messages that stay are told to the transcript: by naming the first and the last, or, where that would not find them, written again. */

import type { Entry } from '../../conversation/entry.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import type { BoundaryRecord } from '../../disk/transcript/record.ts';
import type { Plan } from './plan.ts';
import { areLinked, withoutResponse } from './rounds.ts';

export interface Kept {
  readonly entries: readonly Entry[];
  readonly written: readonly Entry[];
  readonly preserved?: NonNullable<BoundaryRecord['preserved']>;
}

export interface SummaryDraft {
  readonly at: string;
  readonly content: readonly ContentBlock[];
  readonly injected: NonNullable<Entry['injected']>;
}

/** The new conversation. Messages that stay are the very same objects, so that they go out byte for byte. */
export function joinKept(
  plan: Plan,
  facts: { readonly boundaryUuid: string; readonly draft: SummaryDraft; readonly newUuid: () => string },
): Kept {
  const { draft, boundaryUuid, newUuid } = facts;
  const stays = plan.before.length > 0 ? plan.before : plan.after;
  const isFirst = plan.before.length > 0;
  const summaryAfter = (parentUuid: string): Entry => ({
    uuid: newUuid(),
    parentUuid,
    at: draft.at,
    message: { role: 'user', content: draft.content },
    injected: draft.injected,
  });
  const ordered = (kept: readonly Entry[], summary: Entry) => (isFirst ? [...kept, summary] : [summary, ...kept]);
  if (areLinked(stays)) {
    const summary = summaryAfter(boundaryUuid);
    const entries = ordered(stays.map(withoutResponse), summary);
    const [head, tail] = [stays[0]?.uuid, stays.at(-1)?.uuid];
    if (head === undefined || tail === undefined) return { entries, written: [summary] };
    return { entries, written: [summary], preserved: { head, anchor: isFirst ? null : summary.uuid, tail } };
  }
  if (isFirst) {
    const copies = writtenAgain(stays, { parentUuid: boundaryUuid, newUuid });
    const entries = [...copies, summaryAfter(copies.at(-1)!.uuid)];
    return { entries, written: entries };
  }
  const summary = summaryAfter(boundaryUuid);
  const entries = [summary, ...writtenAgain(stays, { parentUuid: summary.uuid, newUuid })];
  return { entries, written: entries };
}

/** An earlier compaction put them together from places that do not follow one another. */
function writtenAgain(
  entries: readonly Entry[],
  facts: { readonly parentUuid: string; readonly newUuid: () => string },
): readonly Entry[] {
  let { parentUuid } = facts;
  return entries.map((entry) => {
    const copy = { ...withoutResponse(entry), uuid: facts.newUuid(), parentUuid };
    parentUuid = copy.uuid;
    return copy;
  });
}
