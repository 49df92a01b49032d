/** What dreams left for the user: which changes are waiting, what each would do, and approving or rejecting them. */

import type { MemoryScope } from '../../../base/taxonomy.ts';
import { checkInside } from '../../../disk/check-inside.ts';
import { hashOf } from '../../../disk/contents.ts';
import type { Journal } from '../../../disk/journal/journal.ts';
import type { LockPatience } from '../../../disk/lock.ts';
import { ReverieError } from '../../../errors.ts';
import type { Memory } from '../../../memory/memory.ts';
import { asEnded, readEndedDream, readEndedDreams } from '../records/dead.ts';
import { readProgress } from '../records/progress.ts';
import type { DreamChange, DreamRecord } from '../records/record.ts';
import { type KeptDreams, updateDreamRecord } from '../records/records.ts';
import { type ApprovalVerdict, judgeApproval, missingCompanions, plannedFiles } from './approve.ts';
import { chosenOf, companionsNeeded, noSuchDream, numbered, severalDreams, waitingOf } from './choose.ts';
import { rejectionsOf } from './decisions.ts';
import { approvalReason, type Journalled, journalledOf, readJournalled, withApprovals } from './journal.ts';
import { type ShownChange, showChange } from './show.ts';
import { stuckOf } from './stuck.ts';

export interface KeptDream {
  readonly scope: MemoryScope;
  readonly record: DreamRecord;
}

export interface ShownDream extends KeptDream {
  readonly shown: readonly ShownChange[];
  /** By number: what landed, and whether it was undone. */
  readonly journalled: ReadonlyMap<number, Journalled>;
  /** By number: why a waiting change could not land on the current files. */
  readonly stuck: ReadonlyMap<number, string>;
}

export interface Decision {
  readonly number: number;
  readonly file: string;
  readonly action: DreamChange['action'];
  readonly outcome: 'approved' | 'rejected' | 'refused' | 'waiting';
  /** Why it was not done, or that somebody else did it in the meantime; empty when it was done. */
  readonly why: string;
}

export interface Decided {
  readonly id: string;
  readonly scope: MemoryScope;
  /** The journal's id of what landed, for undo, even if somebody else approved it in the meantime; null when nothing landed. */
  readonly change: string | null;
  readonly decisions: readonly Decision[];
  /** What else is still waiting in this dream. */
  readonly waiting: readonly number[];
}

export interface DreamInbox {
  /** Of all scopes, newest first; files that are not records are named. */
  dreams(): { readonly dreams: readonly KeptDream[]; readonly damaged: KeptDreams['damaged'] };
  /** Those with waiting changes. */
  waiting(): readonly KeptDream[];
  /** By its id or a prefix of it. */
  find(id: string): KeptDream;
  /** With the texts before and after, one change or all of them. */
  show(id: string, numbers?: readonly number[]): Promise<ShownDream>;
  /** All waiting ones unless numbers are given: as one journalled change, through the rules that still apply. */
  approve(id: string, numbers?: readonly number[]): Promise<Decided>;
  reject(id: string, numbers?: readonly number[]): Promise<Decided>;
}

/** Says where and what kind, never the value; null when the text is clean. */
type DescribeSecrets = (text: string) => Promise<string | null>;

export function openDreamInbox(
  memory: Memory,
  ports: { readonly patience: LockPatience; readonly describeSecrets?: DescribeSecrets; readonly now?: () => Date },
): DreamInbox {
  const describeSecrets = ports.describeSecrets ?? describeSecretsIn;
  const folderOf = (scope: MemoryScope) => memory.folders[scope]!;

  function dreams(): ReturnType<DreamInbox['dreams']> {
    const scopes = Object.entries(memory.folders) as [MemoryScope, string][];
    const kept = scopes.map(([scope, folder]) => ({ scope, ...readEndedDreams(folder) }));
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

  /** Records the decision on the newest record: another process may have decided otherwise, and what landed counts as approved. */
  async function note(
    { scope, record }: KeptDream,
    { decisions, rebased = new Map(), rejections = new Map() }: Pick<Noting, 'decisions'> & Partial<Noting>,
  ): Promise<{ readonly record: DreamRecord; readonly journalled: ReadonlyMap<number, Journalled> }> {
    let journalled: ReadonlyMap<number, Journalled> = new Map();
    const update = (newest: DreamRecord, journal: Journal): DreamRecord => {
      const ended = asEnded(newest, { seen: readProgress(folderOf(scope)), journal });
      journalled = journalledOf(ended, journal);
      const { changes, ...rest } = withApprovals(ended, journalled);
      return { ...rest, changes: changes.map((change) => noted(change, { decisions, rebased, rejections })) };
    };
    const updated = await updateDreamRecord(folderOf(scope), { id: record.id, patience: ports.patience, update });
    return { record: updated ?? record, journalled };
  }

  /** Under the folder's lock: the current record, plus what landed without being recorded. */
  function newestOf({ scope, record }: KeptDream): DreamRecord {
    const newest = readEndedDream(folderOf(scope), record.id) ?? { ...record, changes: [] };
    return withApprovals(newest, readJournalled(folderOf(scope), newest));
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
      const journalled = readJournalled(folderOf(dream.scope), dream.record);
      for (const change of wanted) shown.push(await showChange(memory, { scope: dream.scope, change, journalled }));
      return { ...dream, shown, journalled, stuck: stuckOf(folderOf(dream.scope), dream.record) };
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
          const newest = newestOf(dream);
          const stillWaits = new Set(waitingOf(newest).map(({ number }) => number));
          // Names that lead outside hold nothing a removal could rest on.
          const safely = (file: string) => (isInside(folderOf(scope), file) ? read(file) : null);
          const all = newest.changes.map((change) =>
            secrets.has(change.number) || outside.has(change.number)
              ? { ...change, state: 'refused' as const }
              : change,
          );
          const open = eligible.filter(({ number }) => stillWaits.has(number));
          verdicts = judgeApproval({ chosen: open, all }, safely);
          const landing = open.filter(({ number }) => verdicts.get(number)?.kind === 'land');
          const numbers = landing.map(({ number }) => number);
          return { reason: approvalReason(record.id, numbers), files: plannedFiles(landing) };
        },
        { who: 'dream' },
      );
      const decisions = chosen.map((change) => decisionOf(change, { secrets, outside, verdicts }));
      const updated = await note(dream, { decisions, rebased: rebasedBy(decisions, chosen) });
      return { ...answerOf(dream, { decisions, updated: updated.record }), change: saved?.change ?? null };
    },
    async reject(id, numbers) {
      const dream = find(id);
      const chosen = chosenOf(dream.record, numbers);
      const now = ports.now?.() ?? new Date();
      const rejections = rejectionsOf(folderOf(dream.scope), { chosen, now });
      const decisions = chosen.map(
        ({ number, file, action }): Decision => ({ number, file, action, outcome: 'rejected', why: '' }),
      );
      const updated = await note(dream, { decisions, rejections });
      const answer = answerOf(dream, { decisions, updated: updated.record });
      const landed = answer.decisions.find(({ outcome }) => outcome === 'approved');
      const change = landed === undefined ? undefined : updated.journalled.get(landed.number)?.change;
      return { ...answer, change: change ?? null };
    },
  };
}

/** The decision as the record finally has it: another process may have been first. */
function answerOf(
  { scope, record }: KeptDream,
  facts: { readonly decisions: readonly Decision[]; readonly updated: DreamRecord },
): Omit<Decided, 'change'> {
  const decisions = facts.decisions.map((decision): Decision => {
    const state = facts.updated.changes.find(({ number }) => number === decision.number)?.state;
    if (state === undefined) return { ...decision, outcome: 'refused', why: 'it is not on record any more' };
    if (state === decision.outcome || (state !== 'approved' && state !== 'rejected')) return decision;
    return { ...decision, outcome: state, why: `it was ${state} meanwhile` };
  });
  return { id: record.id, scope, decisions, waiting: waitingOf(facts.updated).map(({ number }) => number) };
}

async function describeSecretsIn(text: string): Promise<string | null> {
  const { describeSecrets, findSecrets } = await import('../../../base/secrets/secrets.ts');
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

interface Noting {
  readonly decisions: readonly Decision[];
  /** The new hashes of files whose text was approved. */
  readonly rebased: ReadonlyMap<string, string>;
  readonly rejections: ReturnType<typeof rejectionsOf>;
}

function noted(change: DreamChange, { decisions, rebased, rejections }: Noting): DreamChange {
  if (change.state !== 'waiting') return change;
  const decision = decisions.find(({ number }) => number === change.number);
  if (decision !== undefined && decision.outcome !== 'waiting') {
    const why = decision.outcome === 'refused' ? decision.why : change.why;
    const rejection = decision.outcome === 'rejected' ? rejections.get(change.number) : {};
    return { ...change, ...rejection, state: decision.outcome, why, text: null };
  }
  const base = isOnlyLine(change) ? rebased.get(change.file) : undefined;
  return base === undefined ? change : { ...change, base };
}

/** An index line is meant for the memory as this dream leaves it: approving its text first is not somebody else's edit. */
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
