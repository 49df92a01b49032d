/** A memory that a dreamer wrote or changed: through the gate, held to the trust of what it is made from, and made into a file. */

import type { Steps } from '../../lib/in-turns.ts';
import { stripInvisible } from '../../lib/visible-text.ts';
import type { Limits } from '../../limits.ts';
import type { ExistingMemory, GateDecision, WriteFacts } from '../../memory/gate/index.ts';
import { editMemoryFile, parseMemoryFile, renderMemoryFile } from '../../memory/memory-file.ts';
import { factsOf, type MemoryOrigin } from '../../memory/memory-header.ts';
import type { MemorySource, MemoryType } from '../../memory/taxonomy.ts';
import { lookingForUnfounded } from './founded.ts';
import type { BaseMemory, Proposal } from './proposal.ts';
import type { SameTexts } from './same-text.ts';
import { type DreamSpan, dreamSpan, type Passage, wholeText } from './span.ts';
import { findingRoots, isLower, lowest } from './trust.ts';

/** A memory as it is once the dream has landed. */
export type AfterMemory = Pick<BaseMemory, 'type' | 'name' | 'description' | 'body' | 'source'>;

export type WriteVerdict =
  | { readonly kind: 'refuse'; readonly reason: string; readonly isSecret: boolean }
  /** `waits` says why the user is to be asked first. */
  | { readonly kind: 'write'; readonly text: string; readonly after: AfterMemory; readonly waits: string | null };

/** The gate of memory, `checkWrite`. */
export type CheckWrite = (facts: WriteFacts) => GateDecision;

export interface WriteContext {
  readonly base: ReadonlyMap<string, BaseMemory>;
  /** Memories whose text goes into this one. */
  readonly superseded: readonly BaseMemory[];
  readonly passages: readonly Passage[];
  /** All memories, and the new ones of this dream that were judged before. */
  readonly texts: SameTexts;
  readonly checkWrite: CheckWrite;
  readonly limits: Pick<Limits['dreaming'], 'foundedShare'>;
  readonly now: Date;
  readonly origin: MemoryOrigin;
}

/** In steps, of which the gate is the longest. */
export function* judgingWrite(proposal: Proposal, context: WriteContext): Steps<WriteVerdict> {
  const own = context.base.get(proposal.file) ?? null;
  const read = readText(proposal, own);
  if ('problem' in read) return refuse(read.problem);
  const { memory } = read;
  // A file without a type keeps none; the gate judges it by the strictest of what it may be.
  const type = memory.type ?? 'project';
  yield;
  const dreamt = dreamSpan({ ...context, type, own });
  yield;
  const decision = context.checkWrite(gateFacts({ proposal, memory: { ...memory, type }, own, dreamt, context }));
  yield;
  switch (decision.verdict) {
    case 'merge':
      return refuse(`${decision.duplicateOf} says the same already.`);
    case 'reject': {
      if (own === null || !isOldFault(decision.reason))
        return { ...refuse(decision.advice), isSecret: decision.reason === 'secret' };
      const source = yield* findingSource(memory, { gate: 'inferred', own, dreamt });
      yield;
      return written({ ...memory, source }, { own, context, waits: decision.advice });
    }
    case 'accept':
    case 'accept-as-seen': {
      const { name, description, body } = decision.memory;
      const copy = copiesOf(body, { own, context })[0];
      if (copy !== undefined) return refuse(`${copy.file} says the same already.`);
      const after = { ...memory, name, description, body };
      const source = yield* findingSource(after, { gate: decision.memory.source, own, dreamt });
      const texts = dreamt.span.map(({ text }) => text);
      const waits =
        waitReason({ ...after, source }, own) ??
        (yield* lookingForUnfounded(after, { texts, foundedShare: context.limits.foundedShare }));
      yield;
      return written({ ...after, source }, { own, context, waits });
    }
  }
}

type Text = Omit<AfterMemory, 'source'>;

/** What a file says of itself beyond these fields is not the dreamer's to change. */
function readText({ file, text }: Proposal, own: BaseMemory | null): { memory: Text } | { problem: string } {
  const bytes = Buffer.from(text ?? '');
  const { body, ...parsed } = parseMemoryFile(bytes);
  const { name, description, type } = factsOf(file, parsed);
  if (own !== null) {
    const hadHeader = parseMemoryFile(Buffer.from(own.text)).hasFrontMatter;
    if (hadHeader && !parsed.hasFrontMatter) return { problem: 'Its front matter cannot be read any more.' };
    const memory = {
      name: parsed.meta.name === undefined ? own.name : name,
      description: description.trim() === '' ? own.description : description,
      type: type ?? own.type,
      body,
    };
    if (stripInvisible(body).text.trim() === '' && own.body.trim() !== '')
      return { problem: 'It would be left without a text.' };
    return isSame(memory, own) ? { problem: 'It changes nothing.' } : { memory };
  }
  if (type === null || description.trim() === '' || parsed.meta.name === undefined) {
    return {
      problem: 'A memory begins with front matter: name, description and type (user, feedback, project, reference).',
    };
  }
  if (!file.startsWith(`${type}_`)) return { problem: `A memory of type ${type} is called ${type}_….md.` };
  return { memory: { name, description, type, body } };
}

function isSame(one: Text, other: Text): boolean {
  return (['type', 'name', 'description', 'body'] as const).every((field) => one[field] === other[field]);
}

function gateFacts(facts: {
  readonly proposal: Proposal;
  readonly memory: Text & { readonly type: MemoryType };
  readonly own: BaseMemory | null;
  readonly dreamt: DreamSpan;
  readonly context: WriteContext;
}): WriteFacts {
  const { proposal, memory, own, dreamt, context } = facts;
  // What was only seen is judged as if it came in anew: the text that is there already is not the user's word for it.
  const isFresh = own?.source === 'seen';
  const existing = copiesOf(memory.body, { own, context });
  if (own !== null && !isFresh) existing.push({ ...own, type: own.type ?? '', ...asHead(own) });
  const { name, description, body, type } = memory;
  const proposed = { type, name, description, body, ...(isFresh ? {} : { file: proposal.file }) };
  return { span: dreamt.span, existing, proposed };
}

/** Others that say the same, and stay. */
function copiesOf(
  body: string,
  { own, context }: { readonly own: BaseMemory | null; readonly context: WriteContext },
): ExistingMemory[] {
  const gone = new Set([own?.file, ...context.superseded.map(({ file }) => file)]);
  return context.texts.of(body).filter(({ file }) => !gone.has(file));
}

/** A memory is no copy of itself, though its description alone may change: its text counts, in a place that is not compared. */
function asHead({ description, body }: BaseMemory): Pick<ExistingMemory, 'description' | 'body'> {
  return { description: `${description}\n${body}`, body: '' };
}

/** Faults that a memory may have had before anybody dreamt: whether it is kept all the same is the user's to say. */
function isOldFault(reason: Extract<GateDecision, { verdict: 'reject' }>['reason']): boolean {
  return reason.startsWith('derivable-') || reason === 'in-instruction-file';
}

function* findingSource(
  after: Text,
  facts: { readonly gate: MemorySource; readonly own: BaseMemory | null; readonly dreamt: DreamSpan },
): Steps<MemorySource> {
  const { gate, own, dreamt } = facts;
  const roots = yield* findingRoots(wholeText(after), dreamt);
  // Words that all stand in memories were put in order, not inferred.
  const isOnlyOrdered = gate === 'inferred' && roots.isWhole && roots.source !== null;
  const sources = [...(isOnlyOrdered ? [] : [gate]), ...(own === null ? [] : [own.source])];
  return lowest(roots.source === null ? sources : [...sources, roots.source])!;
}

function waitReason(after: AfterMemory, own: BaseMemory | null): string | null {
  if (own === null) return null;
  if (own.pinned) return 'It is pinned: what changes it is yours to approve.';
  if (own.type !== null && after.type !== own.type) return `It would be of type ${after.type} instead of ${own.type}.`;
  if (isLower(after.source, own.source))
    return `It would be ${after.source} instead of ${own.source}: part of it rests on less than the memory did.`;
  return null;
}

function written(
  after: AfterMemory,
  facts: {
    readonly own: BaseMemory | null;
    readonly context: WriteContext;
    readonly waits: string | null;
  },
): WriteVerdict {
  const { own, context, waits } = facts;
  const made = own === null ? { text: newFile(after, context) } : editedFile(after, own, context.now);
  return 'problem' in made ? refuse(made.problem) : { kind: 'write', text: made.text, after, waits };
}

/** As old as the oldest that it replaces: merging makes nothing new. */
function newFile(after: AfterMemory, { superseded, now, origin }: WriteContext): string {
  const times = superseded.map(({ created, modified }) => created ?? modified).sort();
  const { type, ...fields } = after;
  return renderMemoryFile({
    ...fields,
    ...(type === null ? {} : { type }),
    origin,
    created: times[0] ?? now.toISOString(),
    modified: now.toISOString(),
  });
}

function editedFile(after: AfterMemory, own: BaseMemory, now: Date): { text: string } | { problem: string } {
  if (/[\p{Surrogate}\ufffd]/u.test(own.text)) {
    return { problem: 'The file is not plain UTF-8: changing it could lose something. Save it as UTF-8 first.' };
  }
  const set: Record<string, string> = { modified: now.toISOString() };
  for (const field of ['name', 'description', 'type', 'source'] as const) {
    const value = after[field];
    if (value !== null && value !== own[field]) set[field] = value;
  }
  const edited = editMemoryFile(Buffer.from(own.text), {
    set,
    ...(after.body === own.body ? {} : { body: after.body }),
  });
  return 'bytes' in edited ? { text: Buffer.from(edited.bytes).toString('utf8') } : { problem: edited.refused };
}

function refuse(reason: string): Extract<WriteVerdict, { kind: 'refuse' }> {
  return { kind: 'refuse', reason, isSecret: false };
}
