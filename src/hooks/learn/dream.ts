/**
 * A due dream with a model that the user pays for elsewhere: a coding agent's own program, or the model of an MCP client. It has no
 * tools, so it is given the texts and asked for a plan; copy, judge, gate, journal and record are those of any dream.
 */

import { randomUUID } from 'node:crypto';
import { inTurns } from '../../base/async/in-turns.ts';
import type { MemoryScope } from '../../base/taxonomy.ts';
import { type Ledger, openLedger } from '../../disk/ledger/ledger.ts';
import { deciding } from '../../layers/6-dreaming/decide.ts';
import { type DreamOutcome, runDream } from '../../layers/6-dreaming/index.ts';
import { type AskForPlan, dreamByPlan } from '../../layers/6-dreaming/session/plan.ts';
import { dreamFolder, dreamPorts } from '../../layers/6-dreaming/session/ports.ts';
import type { Memory } from '../../memory/memory.ts';
import { equivalentTokens } from '../../model/metered-usage.ts';
import { openMemory } from '../../session/open-memory.ts';
import { findPlace, type Place, type PlaceOptions } from '../../settings/place.ts';
import { askHost } from './ask.ts';
import type { LearnFacts } from './learn.ts';
import { spentOn } from './spent.ts';

export interface HostDreamFacts {
  readonly place: PlaceOptions & { readonly home: string };
  /** The session after which it runs, for the ledger. */
  readonly session: string;
  /** Whose model it is. */
  readonly model: string;
  readonly ask: AskForPlan;
  /** Where the process has it open already. */
  readonly memory?: Memory;
  readonly signal?: AbortSignal;
}

export type HostDream =
  | { readonly kind: 'not-due' }
  | { readonly kind: 'capped'; readonly spent: number; readonly cap: number }
  | { readonly kind: 'dreamt'; readonly scope: MemoryScope; readonly outcome: DreamOutcome };

const now = () => new Date();

/** With the coding agent's own program, after what was said there was looked through. */
export function dreamThroughHost({ host, sessionId, place, environment }: LearnFacts): Promise<HostDream> {
  return dreamIfDue({
    ...{ place, session: sessionId, model: host.name },
    ask: (question, signal) =>
      askHost(question, {
        ...{ host: host.name, model: findPlace(place).settings.values['learn.model'] ?? null },
        ...{ home: place.home, cwd: place.cwd, environment, signal },
      }),
  });
}

/** Does nothing unless the user switched learning on. One dream at most: the global memory waits where the project's is due. */
export async function dreamIfDue(facts: HostDreamFacts): Promise<HostDream> {
  const place = findPlace(facts.place);
  if (place.offReason !== null || place.settings.values.learn !== 'on') return { kind: 'not-due' };
  const memory = facts.memory ?? (await openMemory(facts.place));
  const ledger = openLedger({
    ...{ home: place.home, session: facts.session.slice(0, 200), project: place.slug, limits: place.limits },
    ...{ now, onProblem: () => undefined },
  });
  try {
    for (const scope of ['project', 'global'] as const) {
      const dreamt = await dreamOf(scope, { ...facts, found: place, memory, ledger });
      if (dreamt.kind !== 'not-due') return dreamt;
    }
    return { kind: 'not-due' };
  } finally {
    ledger.close();
    if (facts.memory === undefined) await memory.close();
  }
}

interface ScopeFacts extends HostDreamFacts {
  readonly found: Place;
  readonly memory: Memory;
  readonly ledger: Ledger;
}

async function dreamOf(scope: MemoryScope, facts: ScopeFacts): Promise<HostDream> {
  const { found, memory, ledger } = facts;
  const folder = dreamFolder(memory, scope);
  if (folder === null) return { kind: 'not-due' };
  const ports = dreamPorts({
    ...{ place: found, memory, scope, folder, sessionId: null, now, onProgress: () => undefined },
    recordEvent: (name, numbers) => ledger.event({ name, numbers }),
  });
  await ports.settleDead();
  const asked = ports.facts('itself', { scannedAtMs: null });
  const decision = await inTurns(deciding(asked, found.limits.dreaming));
  if (decision.kind !== 'dream') return { kind: 'not-due' };
  const cap = found.limits.learn.dreamDayTokens;
  const { tokens: spent } = await spentOn('dreaming', { home: found.home, now: now(), days: 1 });
  if (spent >= cap) {
    ledger.event({ name: 'cap', numbers: { spent, cap }, cause: 'day: dream: limits.learn.dreamDayTokens' });
    return { kind: 'capped', spent, cap };
  }
  await memory.noticeOutsideEdits();
  const outcome = await runDream(
    {
      by: 'itself',
      mode: found.settings.values['dreaming.mode'] === 'review' ? 'review' : 'apply',
      signal: facts.signal ?? new AbortController().signal,
    },
    {
      ...ports,
      model: () => facts.model,
      dream: async (work) =>
        dreamByPlan(work, { question: await ports.planQuestion(work.workshop), ask: metered(facts), memory }),
    },
  );
  return { kind: 'dreamt', scope, outcome };
}

/** The caps of Reverie's own background work do not count it: it has one of its own. */
function metered({ ask, ledger, model }: ScopeFacts): AskForPlan {
  return async (question, signal) => {
    const began = now();
    const answer = await ask(question, signal);
    if (answer.kind === 'answered') {
      ledger.record({
        ...{ id: randomUUID(), at: began.toISOString(), purpose: 'dream', background: false, model },
        ...{ usage: answer.usage, equivalentTokens: equivalentTokens(answer.usage), money: answer.money },
        ...{ milliseconds: now().getTime() - began.getTime(), outcome: 'done' },
        ...(answer.isEstimated ? { estimated: true } : {}),
      });
    }
    return answer;
  };
}
