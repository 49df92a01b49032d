/** The write gate as a writer of files meets it: a file as a proposed memory, an edit as what it changes, and the answer as a file. */

import type { MemoryScope, MemorySource } from '../../../base/taxonomy.ts';
import type { Limits } from '../../../limits.ts';
import { factsOf, type MemoryFacts, type MemoryOrigin } from '../../files/header.ts';
import { parseMemoryFile } from '../../files/memory-file.ts';
import type { Memory } from '../../memory.ts';
import { namedAsSuperseded, whyNotSuperseded } from '../../supersede.ts';
import { isCarried } from '../carried.ts';
import { changedText } from '../changed.ts';
import type { GateDecision, ProjectView, ProposedMemory, SpanMessage, WriteFacts } from '../index.ts';
import { normalise } from '../normalise.ts';
import { coreText, partsOf } from '../parts.ts';
import type { RefusalRule } from '../rules.ts';
import { keysOf, overlap, termsOf } from '../terms.ts';
import { existingFor } from './existing.ts';
import { keptKeys, standingText } from './standing-text.ts';

export { type SpanMessage, spanOf } from './span.ts';

export interface GuardedWrite {
  readonly scope: MemoryScope;
  readonly file: string;
  readonly text: string;
  /** What the file holds; null when it is new. */
  readonly before: string | null;
}

/** The text as it may be written, with what its writer should know; or why not. */
export type Judged =
  | {
      readonly kind: 'pass';
      readonly text: string;
      readonly notes: readonly string[];
      /** Files whose place it takes. */
      readonly supersedes?: readonly string[];
    }
  | { readonly kind: 'refused'; readonly rule: RefusalRule; readonly reason: string };

/** Stands between a writer and the memory folders. */
export interface WriteGuard {
  judge(write: GuardedWrite): Promise<Judged>;
  onWritten(write: GuardedWrite): void;
}

/** As `checkWrite` has it. */
export type WriteGate = (facts: WriteFacts) => Promise<GateDecision> | GateDecision;

export type Accepted = Extract<GateDecision, { memory: object }>;

export interface GateFacts {
  readonly memory: Memory;
  readonly gate: WriteGate;
  readonly span: readonly SpanMessage[];
  /** What the project shows by itself of the names in a text; asked about what is not the user's word. */
  readonly viewProject?: (text: string) => Promise<ProjectView>;
  readonly origin: MemoryOrigin;
  readonly now: () => Date;
  readonly limits: Pick<Limits, 'extraction' | 'gate'>;
}

export type MemoryContent = MemoryFacts & { readonly body: string; readonly modified: string | null };

export async function judgeWrite(write: GuardedWrite, facts: GateFacts): Promise<Judged> {
  if (Buffer.byteLength(write.text) > facts.limits.extraction.memoryBytes)
    return refused('oversize', 'It is too long for a memory. Keep its point.');
  const { unmarked } = facts.memory.filesOf(write.scope);
  const after = contentOf(write.file, write.text, unmarked);
  const before = write.before === null ? null : contentOf(write.file, write.before, unmarked);
  if (before !== null && isKept(after, before)) return judgeKept({ write, after, before }, facts);
  if (isBare(after) && (before === null || !isBare(before))) {
    return refused(
      'form',
      'A memory begins with front matter: `name`, `description` and `type` (user, feedback, project, reference).',
    );
  }
  const existing = await existingOf(write, after, facts);
  const judging = { write, after, before, existing };
  const answer = before === null ? await ask(proposedOf(judging), judging, facts) : await judgeEdit(judging, facts);
  if (!('memory' in answer)) return refused(answer.reason, answer.advice);
  const source = before === null ? answer.memory.source : await sourceOfEdit(answer.memory.source, judging, facts);
  if (before?.source === 'said' && source !== 'said') return refused('users-word', yieldsNot(write.file));
  const accepted = { ...answer, memory: { ...answer.memory, source } };
  const judged = standingText(write, { after, before, facts, answer: accepted });
  return before === null ? withSuperseded(judged, { write, memory: accepted.memory, facts }) : judged;
}

/** An edit that says nothing new: it may take something away, which what the user said yields to their words alone. */
async function judgeKept(
  { write, after, before }: Pick<Judging, 'write' | 'after'> & { readonly before: MemoryContent },
  facts: GateFacts,
): Promise<Judged> {
  if (isStronger(after.source, before.source)) return confirm({ write, after, before }, facts);
  const gone = goneFrom(before, after);
  if (before.source === 'said' && gone.length > 0 && !isSpokenOf(gone, facts.span))
    return refused('users-word', takesAway(write.file));
  const isSame = after.body === before.body && after.description === before.description && after.name === before.name;
  const kept = keptKeys(after, before);
  const isAsBefore = Object.keys(kept.set).length + kept.remove.length === 0;
  return isSame && isAsBefore
    ? { kind: 'pass', text: write.text, notes: [] }
    : standingText(write, { after, before, facts });
}

/** Sentences that were taken out; one in the place of another is no loss. */
function goneFrom(before: MemoryContent, after: MemoryContent): readonly string[] {
  const textsOf = (memory: MemoryContent) => partsOf({ ...memory, type: '' }).map(({ text }) => normalise(text));
  const [old, left] = [textsOf(before), textsOf(after)];
  return left.length < old.length ? old.filter((text) => !left.includes(text)) : [];
}

/** Whether the user typed a word about it. */
function isSpokenOf(texts: readonly string[], span: readonly SpanMessage[]): boolean {
  const typed = span.flatMap(({ from, text }) => (from === 'user' ? [text] : []));
  return overlap(termsOf(texts.join('\n')), keysOf(typed.join('\n'))).count > 0;
}

function takesAway(file: string): string {
  return `${file} is the user’s word, and nothing they typed speaks of what this edit takes out of it. Leave it, or ask them.`;
}

/** Marks what the writer says this memory replaces, as far as that yields to it. */
async function withSuperseded(
  judged: Judged,
  { write, memory, facts }: { write: GuardedWrite; memory: Accepted['memory']; facts: GateFacts },
): Promise<Judged> {
  if (judged.kind === 'refused') return judged;
  const supersedes: string[] = [];
  const notes: string[] = [];
  for (const name of namedAsSuperseded(write.text)) {
    const old = await facts.memory.get(name, { scope: write.scope }).catch(() => null);
    const reason = old === null ? 'there is no such memory in this folder' : whyNotSuperseded(old, memory);
    if (reason === null) supersedes.push(name);
    notes.push(reason === null ? `${name} is superseded by it.` : `${name} is not superseded: ${reason}.`);
  }
  return { ...judged, notes: [...judged.notes, ...notes], supersedes };
}

/** What the user said yields to their later word alone. */
function yieldsNot(file: string): string {
  return `${file} is the user’s word, and nothing they typed carries this change. Add their words to its \`quote\`, or write what you found as a memory of its own.`;
}

interface Judging {
  readonly write: GuardedWrite;
  readonly after: MemoryContent;
  readonly before: MemoryContent | null;
  readonly existing: WriteFacts['existing'];
}

/** A file without a type is a person's own; what is added to it is held to what the strictest type asks. */
function proposedOf({ write, after, before }: Pick<Judging, 'write' | 'after' | 'before'>): ProposedMemory {
  const { name, description, body } = after;
  // What it rested on before says nothing about a change.
  const known = new Set(before?.quote.map(({ text }) => text));
  const quote = after.quote.filter(({ text }) => !known.has(text));
  return { file: write.file, type: after.type ?? 'feedback', name, description, body, quote };
}

/** The project is looked up only where that can matter: what the user said is kept whatever the project shows. */
async function ask(
  proposed: ProposedMemory,
  { existing }: Pick<Judging, 'existing'>,
  { gate, span, viewProject }: GateFacts,
): Promise<GateDecision> {
  const answer = await gate({ span, existing, proposed });
  if (viewProject === undefined || !('memory' in answer) || answer.memory.source === 'said') return answer;
  const { name, description, body } = proposed;
  return gate({ span, existing, proposed, project: await viewProject([name, description, body].join('\n')) });
}

/** Faults that may lie in what stood there before, which is not this writer's. */
function mayBeOld(answer: GateDecision): boolean {
  if (answer.verdict !== 'reject') return false;
  const { reason } = answer;
  return reason === 'unsupported' || reason === 'negative-judgement' || reason.startsWith('derivable-');
}

async function judgeEdit(judging: Judging & { readonly before: MemoryContent | null }, facts: GateFacts) {
  const { after, before } = judging;
  const whole = after.body === before!.body ? null : await ask(proposedOf(judging), judging, facts);
  if (whole !== null && !mayBeOld(whole)) return whole;
  const changed = changedText(after, before!);
  const answer = await ask({ ...proposedOf(judging), ...changed.text }, judging, facts);
  if (!('memory' in answer)) return whole ?? answer;
  const restored = changed.restore(answer.memory);
  return restored === null ? (whole ?? answer) : { ...answer, memory: { ...answer.memory, ...restored } };
}

/** An edit raises nobody's word: what was seen becomes said when the user says all of it, not when they correct a detail. */
async function sourceOfEdit(source: MemorySource, judging: Judging, facts: GateFacts): Promise<MemorySource> {
  const { after, before } = judging;
  const kept = before!.source;
  // A new title, reason or piece of advice does not make the rule anybody else's.
  if (source === 'inferred' && coreText(after.body) === coreText(before!.body)) return kept;
  if (!isStronger(source, kept)) return source;
  const asNew = await judgeAsNew(judging, facts);
  return 'memory' in asNew && asNew.memory.source === 'said' ? 'said' : kept;
}

/** As if it were not there yet. */
function judgeAsNew({ write, after, existing }: Pick<Judging, 'write' | 'after' | 'existing'>, facts: GateFacts) {
  const { file: _file, ...proposed } = proposedOf({ write, after, before: null });
  return ask(proposed, { existing: existing.filter(({ file }) => file !== write.file) }, facts);
}

/** The same text under a stronger `source`: that takes the user's words behind it. */
async function confirm(
  kept: Pick<Judging, 'write' | 'after'> & { readonly before: MemoryContent },
  facts: GateFacts,
): Promise<Judged> {
  const { write, after, before } = kept;
  const answer = await judgeAsNew({ write, after, existing: await existingOf(write, after, facts) }, facts);
  if (!('memory' in answer)) return refused(answer.reason, answer.advice);
  if (answer.memory.source === 'said') return standingText(write, { after, before, facts, answer });
  return refused(
    'unsupported',
    `Nothing that the user said makes it \`${after.source}\`: it stays \`${before.source}\`.`,
  );
}

const STRENGTH: Readonly<Record<MemorySource, number>> = { said: 3, inferred: 2, seen: 1, imported: 1 };

function isStronger(one: MemorySource, other: MemorySource): boolean {
  return STRENGTH[one] > STRENGTH[other];
}

/** Whether the gate has nothing to judge in an edit: other keys of the front matter, or words that stood there already. */
function isKept(after: MemoryContent, before: MemoryContent): boolean {
  if (after.type !== before.type && before.source !== 'said') return false;
  if (isBare(after) && !isBare(before)) return false;
  const time = before.modified ?? before.created;
  return isCarried(after, { before, day: time === null ? null : new Date(time) });
}

function isBare({ type, description }: MemoryContent): boolean {
  return type === null || description.trim() === '';
}

function contentOf(file: string, text: string, unmarked?: MemorySource): MemoryContent {
  const { body, ...parsed } = parseMemoryFile(Buffer.from(text));
  return { ...factsOf(file, parsed, unmarked), body };
}

/** With the file as it was: what a command wrote is on the disk before it is judged, and must not speak for itself. */
async function existingOf({ scope, file, before }: GuardedWrite, { body }: MemoryContent, { memory }: GateFacts) {
  const found = await existingFor(memory, { scope, file, body });
  const others = found.filter((each) => each.file !== file);
  if (before === null) return others;
  const { type, name, description, source, body: text } = contentOf(file, before);
  return [{ file, type: type ?? '', name, description, source, body: text }, ...others];
}

function refused(rule: RefusalRule, reason: string): Judged {
  return { kind: 'refused', rule, reason };
}
