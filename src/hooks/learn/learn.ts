/**
 * Learning with the model that the user already pays for: what was said in a coding agent's conversation is looked through by the
 * agent's own program, in a process that nobody waits for. The user's consent, a cap a day, the gate and the ledger bind it.
 */

import { randomUUID } from 'node:crypto';
import { fillPrompt } from '../../base/prompt-file.ts';
import { type Ledger, openLedger } from '../../disk/ledger/ledger.ts';
import { markHostSession } from '../../disk/sessions/host-sessions.ts';
import { readTailLines } from '../../disk/tail.ts';
import type { Memory } from '../../memory/memory.ts';
import { manifestLine } from '../../memory/shown/manifest.ts';
import { equivalentTokens } from '../../model/metered-usage.ts';
import { openMemory } from '../../session/open-memory.ts';
import { findPlace, memoryPaths, type Place, type PlaceOptions } from '../../settings/place.ts';
import type { Host } from '../hosts/host.ts';
import { isForgedHook } from '../hosts/who-runs.ts';
import { openHookSession } from '../run/session.ts';
import { isHostsOwn } from '../run/typed.ts';
import { type Asked, askHost, exportedSession, LONGEST_ASK_MS } from './ask.ts';
import { type Conversation, conversationIn, conversationText } from './conversation.ts';
import { type KeepFacts, keepProposal, readProposals } from './proposals.ts';
import { LEARN_PURPOSE, spentOn } from './spent.ts';

/** Less typed text is not worth a question. */
const LEAST_CHARACTERS = 40;
const TRANSCRIPT_BYTES = 8_388_608;
/** Longer than asking takes and keeping what it found. */
const CLAIM_MS = LONGEST_ASK_MS + 60_000;
const LISTED_MEMORIES = 60;
const DESCRIPTION_CHARACTERS = 120;

export interface LearnFacts {
  readonly host: Host;
  readonly sessionId: string;
  /** Empty for a host whose program writes its sessions out. */
  readonly transcriptFile: string;
  readonly place: PlaceOptions & { readonly home: string; readonly cwd: string };
  readonly environment: NodeJS.ProcessEnv;
  readonly userHome: string;
  readonly now: Date;
}

export type Learnt =
  | { readonly kind: 'nothing'; readonly why: 'off' | 'agent' | 'little' | 'taken' }
  | { readonly kind: 'capped'; readonly spent: number; readonly cap: number }
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'done'; readonly saved: readonly string[]; readonly refused: number };

export async function learn(facts: LearnFacts): Promise<Learnt> {
  const { host, sessionId } = facts;
  if (isForgedHook(host.name, facts.environment)) return { kind: 'nothing', why: 'agent' };
  const place = findPlace(facts.place);
  if (place.offReason !== null || place.settings.values.learn !== 'on') return { kind: 'nothing', why: 'off' };
  const session = openHookSession(place.home, { host: host.name, sessionId });
  const lines = await linesOf(facts, place);
  if ('problem' in lines) return lines;
  const conversation = conversationIn(lines, { host, since: session.read().learntUntil, limits: place.limits });
  const markLookedThrough = () =>
    markHostSession(place, { host: host.name, sessionId }, { lookedAtMs: facts.now.getTime() });
  if (conversation.typedCharacters < LEAST_CHARACTERS) {
    markLookedThrough();
    return { kind: 'nothing', why: 'little' };
  }
  const claim = `learn:${conversation.until}`;
  if (!session.claimSaid(claim, CLAIM_MS)) return { kind: 'nothing', why: 'taken' };

  const origin = { session: sessionId.slice(0, 200), host: host.name };
  const ledger = openLedger({
    ...{ home: place.home, session: origin.session, project: place.slug, limits: place.limits },
    ...{ now: () => new Date(), onProblem: () => undefined },
  });
  const memory = await openMemory(facts.place);
  let learnt: Learnt = { kind: 'failed', problem: 'it was cut off' };
  try {
    learnt = await lookThrough(conversation, { ...facts, settled: place, memory, ledger, origin });
  } finally {
    if (learnt.kind === 'done') {
      session.markLearnt(conversation.until);
      session.finishSaid(claim);
      markLookedThrough();
    } else session.releaseSaid(claim);
    ledger.close();
    await memory.close();
  }
  return learnt;
}

async function linesOf(
  { host, sessionId, transcriptFile, ...facts }: LearnFacts,
  { home }: Place,
): Promise<Lines | Extract<Learnt, { kind: 'failed' }>> {
  const { environment, userHome } = facts;
  if (host.exportsSessions) {
    const { cwd } = facts.place;
    const exported = await exportedSession(sessionId, { host: host.name, home, cwd, environment });
    return exported.kind === 'failed' ? exported : [exported.text];
  }
  const isOwn = isHostsOwn(transcriptFile, host, { env: environment, userHome });
  return isOwn ? readTailLines(transcriptFile, TRANSCRIPT_BYTES) : [];
}

type Lines = readonly string[];

interface LookFacts extends LearnFacts {
  readonly settled: Place;
  readonly memory: Memory;
  readonly ledger: Ledger;
  readonly origin: KeepFacts['origin'];
}

async function lookThrough(conversation: Conversation, facts: LookFacts): Promise<Learnt> {
  const { settled, memory, ledger, origin } = facts;
  const cap = settled.limits.learn.dayTokens;
  const { tokens: spent } = await spentOn('learning', { home: settled.home, now: facts.now, days: 1 });
  if (spent >= cap) {
    ledger.event({ name: 'cap', numbers: { spent, cap }, cause: 'day: learning: limits.learn.dayTokens' });
    return { kind: 'capped', spent, cap };
  }
  const asked = await ask(await questionOf(conversation, memory, facts.now), facts);
  const proposals = asked.kind === 'answered' ? readProposals(asked.text) : null;
  if (proposals === null) {
    ledger.event({ name: 'cut', numbers: {}, cause: 'no answer: learning' });
    const problem = asked.kind === 'failed' ? asked.problem : 'the answer is not the JSON that was asked for';
    return { kind: 'failed', problem };
  }
  const saved: string[] = [];
  let refused = 0;
  for (const proposal of proposals) {
    const kept = await keepProposal(proposal, {
      ...{ memory, span: conversation.span, project: projectOf(settled), origin },
    });
    if (kept.kind === 'saved') saved.push(kept.file);
    if (kept.kind !== 'refused') continue;
    refused += 1;
    ledger.event({ name: 'refused', numbers: {}, cause: `${kept.rule}: learning` });
  }
  return { kind: 'done', saved, refused };
}

/** The caps of Reverie's own background work do not count it: it has one of its own. */
async function ask(question: string, { host, settled, ledger, ...facts }: LookFacts): Promise<Asked> {
  const began = Date.now();
  const asked = await askHost(question, {
    ...{ host: host.name, model: settled.settings.values['learn.model'] ?? null },
    ...{ home: settled.home, cwd: facts.place.cwd, environment: facts.environment },
  });
  if (asked.kind === 'answered') {
    ledger.record({
      ...{ id: randomUUID(), at: new Date(began).toISOString(), purpose: LEARN_PURPOSE, background: false },
      ...{ model: host.name, usage: asked.usage, equivalentTokens: equivalentTokens(asked.usage) },
      ...{ money: asked.money, milliseconds: Date.now() - began, outcome: 'done' },
    });
  }
  return asked;
}

function projectOf(place: Place) {
  return {
    projectRoot: place.projectRoot,
    memoryFolders: memoryPaths(place),
    limits: place.limits,
  };
}

async function questionOf({ span }: Conversation, memory: Memory, now: Date): Promise<string> {
  const entries = (await memory.list()).filter(
    ({ refuted, supersededBy }) => refuted === null && supersededBy === null,
  );
  const newest = entries.toSorted((one, other) => (one.modified < other.modified ? 1 : -1)).slice(0, LISTED_MEMORIES);
  const lines = newest.map((entry) => manifestLine(entry, { descriptionCharacters: DESCRIPTION_CHARACTERS }));
  return fillPrompt('learn', {
    memories: lines.length === 0 ? '(nothing yet)' : lines.join('\n'),
    today: now.toISOString().slice(0, 10),
    conversation: conversationText(span),
  });
}
