/** The words that cases of dreaming are told in: memories as they were, what a dreamer left in its copy, and what becomes of it. */

import { createHash } from 'node:crypto';
import type { MemorySource, MemoryType } from '../../src/base/taxonomy.ts';
import { type JudgeFacts, judgeProposals } from '../../src/layers/6-dreaming/judge.ts';
import type { BaseMemory, FoundEvidence, JudgedProposal, Proposal } from '../../src/layers/6-dreaming/proposal.ts';
import type { DreamDrop, DreamEvidence } from '../../src/layers/6-dreaming/records/record.ts';
import { missingFrom, sentenceKeys, sentencesIn } from '../../src/layers/6-dreaming/sentences.ts';
import { LIMITS } from '../../src/limits.ts';
import { factsOf } from '../../src/memory/files/header.ts';
import { parseMemoryFile, renderMemoryFile } from '../../src/memory/files/memory-file.ts';
import { checkFit, type Quote, type SpanMessage } from '../../src/memory/gate/index.ts';

export const NOW = new Date('2026-06-01T10:00:00.000Z');

export interface Told {
  readonly type?: MemoryType;
  readonly name?: string;
  readonly description?: string;
  readonly source?: MemorySource;
  readonly pinned?: boolean;
  readonly modified?: string;
  readonly isListed?: boolean;
  readonly quotes?: readonly Quote[];
}

/** A memory as Reverie would have written it; its type is that of its file's name. */
export function known(file: string, body: string, told: Told = {}): BaseMemory {
  const type = told.type ?? (file.split('_', 1)[0] as MemoryType);
  const modified = told.modified ?? '2026-05-04T09:00:00.000Z';
  const text = renderMemoryFile({
    name: told.name ?? file.replace(/^[a-z]+_|\.md$/g, '').replaceAll('-', ' '),
    description: told.description ?? body.split('\n', 1)[0]!,
    type,
    body,
    source: told.source ?? 'said',
    created: modified,
    modified,
    ...(told.pinned ? { pinned: true } : {}),
    ...(told.quotes === undefined ? {} : { quote: told.quotes }),
  });
  return { ...asBase(file, text), isListed: told.isListed ?? true };
}

/** Any file as a memory. */
export function asBase(file: string, text: string): BaseMemory {
  const { body, ...parsed } = parseMemoryFile(Buffer.from(text));
  const { name, description, type, source, pinned, quote: quotes, created, modified } = factsOf(file, parsed);
  const hash = createHash('sha256').update(text).digest('hex');
  const changed = modified ?? '2026-05-04T09:00:00.000Z';
  return {
    file,
    text,
    hash,
    type,
    name,
    description,
    body,
    source,
    pinned,
    quotes,
    created,
    modified: changed,
    isListed: true,
  };
}

export function baseOf(memories: readonly BaseMemory[]): ReadonlyMap<string, BaseMemory> {
  return new Map(memories.map((memory) => [memory.file, memory]));
}

/** A file as a dreamer leaves it: the old one with another body, or a new one. */
export function dreamt(file: string, body: string, told: Told = {}): string {
  return known(file, body, told).text;
}

export function quote(from: string, words: string): DreamEvidence {
  return { from, quote: words };
}

const VOICES = { said: 'user', imported: 'user', inferred: 'assistant', seen: 'tool' } as const;

/** Looks quotes up in the memories, and elsewhere in what is given by name. */
export function lookUp(
  base: ReadonlyMap<string, BaseMemory>,
  elsewhere: Readonly<Record<string, SpanMessage>> = {},
): (evidence: DreamEvidence) => FoundEvidence {
  return ({ from, quote: words }) => {
    const memory = base.get(from);
    if (memory?.text.includes(words)) {
      const text = [memory.name, memory.description, memory.body].join('\n\n');
      const passage = { from: VOICES[memory.source], text, at: memory.modified };
      return { kind: 'found', passage, memory: from };
    }
    const passage = elsewhere[from];
    return passage?.text.includes(words)
      ? { kind: 'found', passage }
      : { kind: 'missing', reason: `it does not stand in ${from}` };
  };
}

export interface DreamCase {
  readonly base: readonly BaseMemory[];
  readonly proposals: readonly Proposal[];
  readonly elsewhere?: Readonly<Record<string, SpanMessage>>;
}

export function judge(dream: DreamCase, more: Partial<JudgeFacts> = {}): readonly JudgedProposal[] {
  return judgeProposals(factsOfCase(dream, more));
}

export function factsOfCase(dream: DreamCase, more: Partial<JudgeFacts> = {}): JudgeFacts {
  const base = baseOf(dream.base);
  return {
    proposals: dream.proposals,
    base,
    evidence: lookUp(base, dream.elsewhere),
    isGone: (path) => path.includes('gone'),
    checkFit,
    now: NOW,
    limits: LIMITS.dreaming,
    mode: 'apply',
    ...more,
  };
}

const REASON = 'The memories say the same thing.';

export function update(
  file: string,
  text: string,
  evidence: readonly DreamEvidence[],
  more: { readonly into?: readonly string[]; readonly drops?: readonly DreamDrop[] } = {},
): Proposal {
  return { action: 'update', file, reason: REASON, evidence, into: [], drops: [], ...more, text };
}

export function create(file: string, text: string, evidence: readonly DreamEvidence[]): Proposal {
  return { action: 'create', file, reason: REASON, evidence, into: [], drops: [], text };
}

/** `drops` by the sentence; `into` holds the rest. */
export function remove(
  file: string,
  into: readonly string[],
  evidence: readonly DreamEvidence[],
  drops: readonly DreamDrop[] = [],
): Proposal {
  return { action: 'remove', file, reason: REASON, evidence, into, drops, text: null };
}

export function relist(action: 'list' | 'unlist', file: string, evidence: readonly DreamEvidence[]): Proposal {
  return { action, file, reason: REASON, evidence, into: [], drops: [], text: null };
}

export function duplicate(words: string, file: string, same: string): DreamDrop {
  return { quote: words, because: 'duplicate', of: { file, quote: same } };
}

export function superseded(words: string, file: string, later: string): DreamDrop {
  return { quote: words, because: 'superseded', by: { file, quote: later } };
}

/** As a dreamer explains itself that has put what it drops into other words: each sentence, with the one that says it now. */
export function explained(dream: DreamCase): DreamCase {
  const base = baseOf(dream.base);
  const textNow = (file: string) => {
    const text = dream.proposals.find((proposal) => proposal.file === file)?.text;
    return text == null ? base.get(file) : asBase(file, text);
  };
  return {
    ...dream,
    proposals: dream.proposals.map((proposal) => {
      const { action, file, into, drops } = proposal;
      if (action !== 'remove' && action !== 'update') return proposal;
      const holders = (action === 'update' ? [file, ...into] : into).flatMap((each) => textNow(each) ?? []);
      const given = new Set(drops.flatMap(({ quote: words }) => [...sentenceKeys(words)]));
      const more = missingFrom(holders, base.get(file)!).flatMap((sentence): DreamDrop[] => {
        const alike = alikeIn(holders, sentence.text);
        return given.has(sentence.key) || alike === null ? [] : [duplicate(sentence.text, alike.file, alike.words)];
      });
      return { ...proposal, drops: [...drops, ...more] };
    }),
  };
}

function alikeIn(holders: readonly BaseMemory[], text: string): { file: string; words: string } | null {
  const wordsOf = (each: string) => new Set(each.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const wanted = wordsOf(text);
  const all = holders.flatMap((memory) => sentencesIn(memory).map((each) => ({ file: memory.file, words: each.text })));
  const shared = ({ words }: { words: string }) => [...wordsOf(words)].filter((word) => wanted.has(word)).length;
  return all.toSorted((one, other) => shared(other) - shared(one))[0] ?? null;
}

/** `land`, or the verdict with its reason: what a table compares. */
export function verdicts(judged: readonly JudgedProposal[]): readonly string[] {
  return judged.map(({ verdict }) => (verdict.kind === 'land' ? 'land' : `${verdict.kind}: ${verdict.reason}`));
}
