/** Does for killed sessions what the hook for a session's end does, a few at a time. */

import { messageOf } from '../../base/values.ts';
import { type HostSession, leftHostSessions, markHostSession } from '../../disk/sessions/host-sessions.ts';
import { findPlace, type Place } from '../../settings/place.ts';
import { findHost } from '../hosts/hosts.ts';
import { isForgedHook } from '../hosts/who-runs.ts';
import { keepSaid } from '../run/keep-said.ts';
import { openHookSession } from '../run/session.ts';
import { type LearnFacts, type Learnt, learn } from './learn.ts';

export type LeftFacts = Omit<LearnFacts, 'host' | 'sessionId' | 'transcriptFile'>;

export interface LearntFrom {
  readonly facts: LearnFacts;
  readonly learnt: Learnt;
}

/** Stops when the cap is reached or a program does not answer: a later start goes on with the others. */
export async function learnFromLeft(facts: LeftFacts): Promise<readonly LearntFrom[]> {
  const place = findPlace(facts.place);
  const done: LearntFrom[] = [];
  if (place.offReason !== null) return done;
  for (const left of leftHostSessions(place, facts.now)) {
    const host = findHost(left.host);
    // Of another version: others would wait behind it for a week.
    if (host === null) markHostSession(place, left, { lookedAtMs: facts.now.getTime() });
    if (host === null || isForgedHook(host.name, facts.environment)) continue;
    const named = { ...facts, host, sessionId: left.sessionId, transcriptFile: left.transcriptFile ?? '' };
    const learnt = await lookThrough(left, named, place).catch(
      (error): Learnt => ({ kind: 'failed', problem: messageOf(error) }),
    );
    done.push({ facts: named, learnt });
    if (learnt.kind === 'failed') markHostSession(place, left, { hasFailed: true });
    if (learnt.kind === 'failed' || learnt.kind === 'capped') break;
  }
  return done;
}

async function lookThrough(left: HostSession, facts: LearnFacts, place: Place): Promise<Learnt> {
  const { host, environment, userHome } = facts;
  const { sessionId, transcriptFile } = left;
  const session = openHookSession(place.home, { host: host.name, sessionId });
  // As of when it ended.
  const ports = { host: host.name, voice: host, environment, userHome, now: new Date(left.at), isForged: false };
  await keepSaid({ ports, place, options: facts.place, session, sessionId, transcriptFile }, { isLast: true });
  // A session that began before learning was on is not learnt from.
  const learnt: Learnt = left.learns ? await learn(facts) : { kind: 'nothing', why: 'off' };
  if (learnt.kind === 'nothing' && learnt.why === 'off') {
    markHostSession(place, left, { lookedAtMs: facts.now.getTime() });
  }
  return learnt;
}
