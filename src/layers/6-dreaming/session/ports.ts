/** What every dream gets, in a session or on its own: lock, copy, evidence, rules, landing and record. */

import { realpathSync } from 'node:fs';
import { inTurns } from '../../../base/async/in-turns.ts';
import type { MemoryScope } from '../../../base/taxonomy.ts';
import { logsSince } from '../../../memory/daily-log/read.ts';
import { checkFit } from '../../../memory/gate/index.ts';
import { readUsefulness } from '../../../memory/history/usefulness.ts';
import type { Memory } from '../../../memory/memory.ts';
import type { Place } from '../../../settings/place.ts';
import { findEvidence } from '../evidence/evidence.ts';
import { findGone } from '../evidence/gone.ts';
import { directiveFor, type HintFacts, planQuestionFor } from '../evidence/hints.ts';
import { askedRemovals, earlierDecisions } from '../inbox/decisions.ts';
import type { DreamFacts, DreamingPorts, DreamProgress, DreamWorkshop } from '../index.ts';
import { retirements } from '../index.ts';
import { settleDeadDreams } from '../records/dead.ts';
import { openDreamLock } from '../records/lock.ts';
import { clearProgress, isStopAsked, writeProgress } from '../records/progress.ts';
import { newDreamId, pruneDreamRecords, writeDreamRecord } from '../records/records.ts';
import { countingMemories, openDreamCopy } from './copy.ts';
import { countingSessions } from './count-sessions.ts';
import { landDream } from './land.ts';

/** Days that dreams without open changes stay on record. */
const KEPT_DAYS = 90;

export interface DreamPlace {
  readonly place: Place;
  readonly memory: Memory;
  readonly scope: MemoryScope;
  /** The real path of the scope's folder. */
  readonly folder: string;
  /** The session that is dreaming; null for a dream on its own. */
  readonly sessionId: string | null;
  readonly now: () => Date;
  readonly recordEvent: (name: string, numbers: Readonly<Record<string, number>>) => void;
  /** Called for each step. */
  readonly onProgress: (progress: DreamProgress) => void;
}

/** All but the dreamer itself and its model. */
export type SharedPorts = Omit<DreamingPorts, 'dream' | 'model'> & {
  facts(by: DreamFacts['by'], state: { readonly scannedAtMs: number | null }): DreamFacts;
  /** One that died is settled at once, so that other hosts see the time before it; the next dream may be a day away. */
  settleDead(): Promise<void>;
  directive(workshop: DreamWorkshop): Promise<string>;
  /** All that a model without tools is told, texts included. */
  planQuestion(workshop: DreamWorkshop): Promise<string>;
};

export function dreamPorts(given: DreamPlace): SharedPorts {
  const { place, memory, scope, folder, sessionId, now } = given;
  const { limits } = place;
  const lock = openDreamLock(folder, { limits: limits.dreaming, now });
  const progress = progressFile(folder);
  const since = () => lock.look().unseenSinceMs;
  let settling: Promise<void> = Promise.resolve();
  const hintFacts = (workshop: DreamWorkshop): HintFacts => ({
    ...{ workshop, memoryFolder: folder, home: place.home, slug: place.slug, limits },
    readableFolders: Object.values(memory.folders),
    projectRoot: scope === 'project' ? place.projectRoot : null,
    hasTeam: scope === 'project' && memory.folders.team !== undefined,
    ...{ sinceMs: since(), except: sessionId, now: now() },
  });
  return {
    scope,
    limits: limits.dreaming,
    now,
    newId: () => newDreamId(now()),
    async whyNothing() {
      const isAny =
        (await inTurns(countingMemories(folder))) > 0 ||
        logsSince(folder, { sinceMs: since() ?? 0, limits: limits.dailyLog }).length > 0;
      if (isAny) return null;
      return {
        reason: `There is nothing in ${folder} to dream about yet`,
        fix: 'Save a memory first: reverie memory save',
      };
    },
    settleDead() {
      settling = (async () => {
        if (await lock.reclaim()) await settleDeadDreams(folder, { patience: limits.lock });
      })().catch(() => {});
      return settling;
    },
    async take() {
      // Otherwise this process would find the lock taken by itself.
      await settling;
      const hold = await lock.take();
      // Before this dream's first progress overwrites what a dead one left.
      if (hold.kind === 'held')
        await settleDeadDreams(folder, { patience: limits.lock, isAlone: true }).catch(() => {});
      return hold;
    },
    openWorkshop: (id) => openDreamCopy({ home: place.home, memoryFolder: folder, id, limits, now }),
    directive: (workshop) => directiveFor(hintFacts(workshop)),
    planQuestion: (workshop) => planQuestionFor(hintFacts(workshop)),
    findEvidence: (evidence, { base, index }) =>
      findEvidence(evidence, {
        ...{ base, index, memoryFolder: folder, limits },
        ...{ projectRoot: place.projectRoot, home: place.home, slug: place.slug },
      }),
    describeSecretsIn,
    findGone: (claims) =>
      findGone(claims, { projectRoot: scope === 'project' ? place.projectRoot : null, memoryFolder: folder, limits }),
    checkFit: (proposed, facts) => checkFit(proposed, { ...facts, limits: limits.gate }),
    async retirements(base) {
      // A changed memory gets another chance: its old text was recalled in vain, not the new one.
      const fileOf = (key: string) => (key.startsWith(`${scope}:`) ? key.slice(scope.length + 1) : '');
      const since = (key: string) => base.get(fileOf(key))?.modified;
      const all = await readUsefulness({ place, now: now(), since });
      const own = [...all].flatMap(([key, use]) =>
        key.startsWith(`${scope}:`) ? [[key.slice(scope.length + 1), use] as const] : [],
      );
      const already = askedRemovals(folder, base);
      return retirements({ base, usefulness: new Map(own), limits: limits.dreaming, now: now(), already });
    },
    earlier: () => earlierDecisions(folder),
    land: (facts) => landDream(facts, { files: memory.filesOf(scope), describeSecretsIn }),
    async keepRecord(record) {
      await writeDreamRecord(folder, record);
      if (record.status !== 'running') pruneDreamRecords(folder, { now: now(), keptDays: KEPT_DAYS });
    },
    showProgress(shown) {
      progress.show(shown);
      given.onProgress(shown);
    },
    clearProgress: progress.clear,
    isStopAsked: (id) => isStopAsked(folder, id),
    record: ({ name, numbers }) => given.recordEvent(name, numbers),
    facts: (by, { scannedAtMs }) => ({
      by,
      isOn: memory.enabled && place.switches.isOn('layers.dreaming'),
      isDailyLog: place.settings.values.dailyLog,
      nowMs: now().getTime(),
      scannedAtMs,
      lastDream: lock.lastDream,
      look: lock.look,
      countMemories: () => countingMemories(folder),
      countSessions: (sinceMs) => countingSessions({ place, scope, sinceMs, except: sessionId }),
    }),
  };
}

/** Null when the scope has no folder yet, or none at all. */
export function dreamFolder(memory: Memory, scope: MemoryScope): string | null {
  const folder = memory.folders[scope];
  if (folder === undefined) return null;
  try {
    return realpathSync(folder);
  } catch {
    return null;
  }
}

/** One write at a time, the newest only: steps may come faster than the disk can write. */
function progressFile(folder: string) {
  let waiting: DreamProgress | null = null;
  let writing: Promise<void> = Promise.resolve();
  const writeNewest = async () => {
    const newest = waiting;
    waiting = null;
    if (newest !== null) await writeProgress(folder, newest).catch(() => {});
  };
  return {
    show(progress: DreamProgress): void {
      if (progress.status !== 'running') return;
      const isQueued = waiting !== null;
      waiting = progress;
      if (!isQueued) writing = writing.then(writeNewest);
    },
    async clear(id: string): Promise<void> {
      await writing;
      clearProgress(folder, id);
    },
  };
}

async function describeSecretsIn(text: string): Promise<string | null> {
  const { describeSecrets, findSecrets } = await import('../../../base/secrets/secrets.ts');
  const findings = await findSecrets(text);
  return findings.length === 0 ? null : describeSecrets(findings);
}
