/** What the page asks of dreams: what runs, what was proposed, and the user's word on what waits. */

import { MEMORY_SCOPES } from '../../base/taxonomy.ts';
import { waitingOf } from '../../layers/6-dreaming/inbox/choose.ts';
import { type DreamInbox, openDreamInbox } from '../../layers/6-dreaming/inbox/inbox.ts';
import { stateOf } from '../../layers/6-dreaming/inbox/journal.ts';
import { askStop, readProgress } from '../../layers/6-dreaming/records/progress.ts';
import { INSPECTOR_LIMITS } from '../../limits.ts';
import type { Memory } from '../../memory/memory.ts';
import type { Routes } from '../app.ts';
import type { InspectorContext } from '../context.ts';
import { inProject, waitingElsewhere } from '../other-projects.ts';
import { Refusal } from '../refusal.ts';
import { cutText, numbersOf, scopeOf, textOf } from '../values.ts';

type Fields = Readonly<Record<string, unknown>>;

export function dreamRoutes(context: InspectorContext): Routes {
  const { memory, place, now } = context;
  const inboxOf = (opened: Memory) => openDreamInbox(opened, { patience: place.limits.lock, now });
  const inbox = inboxOf(memory);
  /** Of this project, unless another one is named. */
  function decide<Result>(
    fields: Fields,
    work: (inbox: DreamInbox, memory: Memory) => Promise<Result>,
  ): Promise<Result> {
    if (fields.project === undefined || fields.project === '') return work(inbox, memory);
    return inProject(context, textOf(fields, 'project'), (other) => work(inboxOf(other), other));
  }
  return {
    reads: {
      async dreams() {
        const { dreams, damaged } = inbox.dreams();
        const running = MEMORY_SCOPES.flatMap((scope) => {
          const folder = memory.folders[scope];
          const seen = folder === undefined ? null : readProgress(folder);
          return seen === null || seen.liveness === 'gone' ? [] : [seen.progress];
        });
        return {
          running,
          elsewhere: waitingElsewhere(context),
          dreams: dreams.map(({ scope, record }) => {
            const { id, startedAt, endedAt, by, status, problem, model, money, changes } = record;
            const facts = { id, scope, startedAt, endedAt, by, status, problem, model, money };
            return { ...facts, changes: changes.length, waiting: waitingOf(record).length };
          }),
          damaged,
        };
      },
      async dream(query) {
        const { scope, record, shown, journalled, stuck } = await decide(query, (each) =>
          each.show(textOf(query, 'id')),
        );
        const { id, startedAt, endedAt, by, status, problem, model, rounds, money, remarks = [] } = record;
        return {
          ...{ id, scope, startedAt, endedAt, by, status, problem, model, rounds, money, remarks },
          changes: shown.map(({ change, diff, note, takenBackBy }) => {
            const { number, action, file, reason, evidence, why, into } = change;
            const landed = journalled.get(number)?.change ?? null;
            return {
              ...{ number, action, file, reason, evidence, why, into, note, takenBackBy, landed },
              state: stateOf(change, journalled),
              cannotLand: stuck.get(number) ?? null,
              diff: diff === null ? null : { before: cut(diff.before), after: cut(diff.after) },
            };
          }),
        };
      },
    },
    writes: {
      approve: (body) => decide(body, (each) => each.approve(textOf(body, 'id'), numbersOf(body, 'numbers'))),
      reject: (body) => decide(body, (each) => each.reject(textOf(body, 'id'), numbersOf(body, 'numbers'))),
      'undo-dream': (body) =>
        decide(body, async (_, opened) => ({ undone: await opened.undo(textOf(body, 'change')) })),
      async 'stop-dream'(body) {
        const folder = memory.folders[scopeOf(body)];
        if (folder === undefined) throw new Refusal({ status: 404, message: 'There is no such memory.' });
        await askStop(folder, textOf(body, 'id'));
        return { asked: true };
      },
    },
  };
}

function cut(text: string | null): string | null {
  return text === null ? null : cutText(text, INSPECTOR_LIMITS.textCharacters).text;
}
