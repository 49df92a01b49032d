/** What dreams left to the user: which changes wait, what each would do, and approving or rejecting them. */

import { ReverieError } from '../errors.ts';
import type { MemoryScope } from '../memory/taxonomy.ts';
import { checkInside } from '../store/check-inside.ts';
import { hashOf } from '../store/contents.ts';
import type { DreamChange, DreamRecord } from '../store/dream-record.ts';
import { type KeptDreams, readDreamRecords, updateDreamRecord } from '../store/dream-records.ts';
import type { LockPatience } from '../store/lock.ts';
import {
  type ApprovalVerdict,
  approvalReason,
  judgeApproval,
  missingCompanions,
  plannedFiles,
} from './dream-approve.ts';
import { chosenOf, companionsNeeded, noSuchDream, numbered, severalDreams, waitingOf } from './dream-choose.ts';
import { type ShownChange, showChange } from './dream-show.ts';
import type { Memory } from './memory.ts';

export interface KeptDream {
  readonly scope: MemoryScope;
  readonly record: DreamRecord;
}

export interface Decision {
  readonly number: number;
  readonly file: string;
  readonly action: DreamChange['action'];
  readonly outcome: 'approved' | 'rejected' | 'refused' | 'waiting';
  /** Why it was not done; empty where it was. */
  readonly why: string;
}

export interface Decided {
  readonly id: string;
  readonly scope: MemoryScope;
  /** The journal's id of what landed, for undo; null where nothing did. */
  readonly change: string | null;
  readonly decisions: readonly Decision[];
  /** What else still waits in this dream. */
  readonly waiting: readonly number[];
}

export interface DreamInbox {
  /** Of all scopes, newest first; files that are no records are named. */
  dreams(): { readonly dreams: readonly KeptDream[]; readonly damaged: KeptDreams['damaged'] };
  /** Those with changes that wait. */
  waiting(): readonly KeptDream[];
  /** By its id or the beginning of it. */
  find(id: string): KeptDream;
  /** With the texts before and after, one change or all of them. */
  show(id: string, numbers?: readonly number[]): Promise<KeptDream & { readonly shown: readonly ShownChange[] }>;
  /** All that wait unless numbers are given: as one journalled change, through the rules that still count. */
  approve(id: string, numbers?: readonly number[]): Promise<Decided>;
  reject(id: string, numbers?: readonly number[]): Promise<Decided>;
}

/** Says where and what kind, never the value; null when the text is clean. */
type DescribeSecrets = (text: string) => Promise<string | null>;

export function openDreamInbox(
  memory: Memory,
  ports: { readonly patience: LockPatience; readonly describeSecrets?: DescribeSecrets },
): DreamInbox {
  const describeSecrets = ports.describeSecrets ?? describeSecretsIn;
  const folderOf = (scope: MemoryScope) => memory.folders[scope]!;

  function dreams(): ReturnType<DreamInbox['dreams']> {
    const scopes = Object.entries(memory.folders) as [MemoryScope, string][];
    const kept = scopes.map(([scope, folder]) => ({ scope, ...readDreamRecords(folder) }));
    const all = kept.flatMap(({ scope, records }) => records.map((record) => ({ scope, record })));
    return {
      dreams: all.sort((one, other) => Date.parse(other.record.startedAt) - Date.parse(one.record.startedAt)),
      damaged: kept.flatMap(({ damaged }) => damaged),
    };
  }

  function find(id: string): KeptDream {
    if (!memory.enabled) throw new ReverieError({ code: 'memory-off', message: memory.offReason ?? 'Memory is off.' });
    const all = dreams().dreams;
    const exact = all.filter(({ record }) => record.id === id);
    const found = exact.length > 0 ? exact : id === '' ? [] : all.filter(({ record }) => record.id.startsWith(id));
    if (found.length === 1) return found[0]!;
    throw found.length === 0 ? noSuchDream(id, all) : severalDreams(id, found);
  }

  /** Notes what was decided, on the newest record: another process may have decided other changes meanwhile. */
  async function note(
    dream: KeptDream,
    decisions: readonly Decision[],
    rebased: ReadonlyMap<string, string> = new Map(),
  ): Promise<DreamRecord> {
    const update = (record: DreamRecord): DreamRecord => ({
      ...record,
      changes: record.changes.map((change) => noted(change, { decisions, rebased })),
    });
    const { scope, record } = dream;
    return (await updateDreamRecord(folderOf(scope), { id: record.id, patience: ports.patience, update })) ?? record;
  }

  async function withoutSecrets(chosen: readonly DreamChange[]): Promise<ReadonlyMap<number, string>> {
    const found = new Map<number, string>();
    for (const { number, text } of chosen) {
      const secret = text === null ? null : await describeSecrets(text);
      if (secret !== null) found.set(number, secret);
    }
    return found;
  }

  return {
    dreams,
    waiting: () => dreams().dreams.filter(({ record }) => waitingOf(record).length > 0),
    find,
    async show(id, numbers) {
      const dream = find(id);
      const { changes } = dream.record;
      const wanted = numbers === undefined ? changes : numbers.map((number) => numbered(dream.record, number));
      const shown: ShownChange[] = [];
      for (const change of wanted) shown.push(await showChange(memory, { ...dream, change }));
      return { ...dream, shown };
    },
    async approve(id, numbers) {
      const dream = find(id);
      const { record, scope } = dream;
      const chosen = chosenOf(record, numbers);
      const missing = missingCompanions(chosen, record.changes);
      if (missing.length > 0) throw companionsNeeded(record.id, { chosen, missing });
      const secrets = await withoutSecrets(chosen);
      const outside = new Map(chosen.flatMap((change) => outsideReason(folderOf(scope), change)));
      const eligible = chosen.filter(({ number }) => !secrets.has(number) && !outside.has(number));
      let verdicts: ReadonlyMap<number, ApprovalVerdict> = new Map();
      const saved = await memory.filesOf(scope).change(
        eligible.map(({ file }) => file),
        (read) => {
          // Names that lead elsewhere hold nothing that a removal could rest on.
          const safely = (file: string) => (isInside(folderOf(scope), file) ? read(file) : null);
          const all = record.changes.map((change) =>
            secrets.has(change.number) || outside.has(change.number)
              ? { ...change, state: 'refused' as const }
              : change,
          );
          verdicts = judgeApproval({ chosen: eligible, all }, safely);
          const landing = eligible.filter(({ number }) => verdicts.get(number)?.kind === 'land');
          return { reason: approvalReason(record.id), files: plannedFiles(landing) };
        },
        { who: 'dream' },
      );
      const decisions = chosen.map((change) => decisionOf(change, { secrets, outside, verdicts }));
      const updated = await note(dream, decisions, rebasedBy(decisions, chosen));
      const waiting = waitingOf(updated).map(({ number }) => number);
      return { id: record.id, scope, change: saved?.change ?? null, decisions, waiting };
    },
    async reject(id, numbers) {
      const dream = find(id);
      const decisions = chosenOf(dream.record, numbers).map(
        ({ number, file, action }): Decision => ({ number, file, action, outcome: 'rejected', why: '' }),
      );
      const updated = await note(dream, decisions);
      const waiting = waitingOf(updated).map(({ number }) => number);
      return { id: dream.record.id, scope: dream.scope, change: null, decisions, waiting };
    },
  };
}

async function describeSecretsIn(text: string): Promise<string | null> {
  const { describeSecrets, findSecrets } = await import('../lib/secrets.ts');
  const findings = await findSecrets(text);
  return findings.length === 0 ? null : describeSecrets(findings);
}

function decisionOf(
  { number, file, action }: DreamChange,
  facts: {
    readonly secrets: ReadonlyMap<number, string>;
    readonly outside: ReadonlyMap<number, string>;
    readonly verdicts: ReadonlyMap<number, ApprovalVerdict>;
  },
): Decision {
  const about = { number, file, action };
  const secret = facts.secrets.get(number) ?? facts.outside.get(number);
  if (secret !== undefined) return { ...about, outcome: 'refused', why: secret };
  const verdict = facts.verdicts.get(number);
  if (verdict === undefined || verdict.kind === 'keep')
    return { ...about, outcome: 'waiting', why: verdict?.why ?? '' };
  return { ...about, outcome: 'approved', why: '' };
}

function noted(
  change: DreamChange,
  { decisions, rebased }: { readonly decisions: readonly Decision[]; readonly rebased: ReadonlyMap<string, string> },
): DreamChange {
  if (change.state !== 'waiting') return change;
  const decision = decisions.find(({ number }) => number === change.number);
  if (decision !== undefined && decision.outcome !== 'waiting') {
    const why = decision.outcome === 'refused' ? decision.why : change.why;
    return { ...change, state: decision.outcome, why, text: null };
  }
  const base = isOnlyLine(change) ? rebased.get(change.file) : undefined;
  return base === undefined ? change : { ...change, base };
}

/** A line of the index is meant for the memory as this dream leaves it: approving its text first is no edit by somebody else. */
function rebasedBy(decisions: readonly Decision[], chosen: readonly DreamChange[]): ReadonlyMap<string, string> {
  const approved = new Set(decisions.flatMap(({ number, outcome }) => (outcome === 'approved' ? [number] : [])));
  return new Map(
    chosen.flatMap(({ number, file, text }) =>
      approved.has(number) && text !== null ? [[file, hashOf(Buffer.from(text))] as const] : [],
    ),
  );
}

function isOnlyLine({ action }: DreamChange): boolean {
  return action === 'list' || action === 'unlist';
}

function outsideReason(folder: string, { number, file, action }: DreamChange): [number, string][] {
  const check = checkInside(folder, file, action === 'remove' ? 'delete' : 'write');
  return check.verdict === 'allow' ? [] : [[number, check.reason]];
}

function isInside(folder: string, file: string): boolean {
  return checkInside(folder, file, 'read').verdict === 'allow';
}
