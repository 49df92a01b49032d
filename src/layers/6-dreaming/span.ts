/** What a dreamt write rests on, in the words of the gate: the passages that it quotes, and the memories that it is made from. */

import type { SpanMessage } from '../../memory/gate/index.ts';
import type { MemoryType } from '../../memory/taxonomy.ts';
import type { BaseMemory, FoundEvidence } from './proposal.ts';
import { isFact, type Origin } from './trust.ts';

export type Passage = Extract<FoundEvidence, { kind: 'found' }>;

export interface SpanFacts {
  readonly type: MemoryType;
  /** The memory that is updated. */
  readonly own: BaseMemory | null;
  /** Memories whose text goes into this one. */
  readonly superseded: readonly BaseMemory[];
  readonly passages: readonly Passage[];
  readonly base: ReadonlyMap<string, BaseMemory>;
}

export interface DreamSpan {
  readonly span: readonly SpanMessage[];
  /** The memories in it. */
  readonly origins: readonly Origin[];
  /** What the user said in it outside of any memory. */
  readonly said: readonly string[];
}

export function dreamSpan(facts: SpanFacts): DreamSpan {
  const { type, own, superseded, passages, base } = facts;
  const whole = [...(own === null ? [] : [own]), ...superseded.filter(isFact)].map((memory) => {
    return { memory, text: wholeText(memory) };
  });
  const quoted = passages.flatMap(({ memory: file, passage }) => {
    const memory = file === undefined ? undefined : base.get(file);
    return memory === undefined || !isFact(memory) ? [] : [{ memory, text: passage.text }];
  });
  const spoken = [...whole, ...quoted].map(({ memory, text }) => ({
    from: voiceOf(memory, type),
    text: bothReadings(asSpoken(text)),
    at: memory.modified.slice(0, 'YYYY-MM-DD'.length),
  }));
  const others = passages.flatMap(({ memory, passage }) => (memory !== undefined && base.has(memory) ? [] : [passage]));
  const isAssistant = ({ from }: SpanMessage) => from === 'assistant';
  const all = [...spoken, ...others];
  return {
    // To the gate, "yes" confirms what an assistant said just before it. Quotes stand in the dreamer's order, which proves no such thing.
    span: [...all.filter((each) => !isAssistant(each)), ...all.filter(isAssistant)],
    origins: [...whole, ...quoted].map(({ memory, text }) => ({ text, source: memory.source })),
    said: others.flatMap(({ from, text }) => (from === 'user' ? [text] : [])),
  };
}

export function wholeText({ name, description, body }: Pick<BaseMemory, 'name' | 'description' | 'body'>): string {
  return `${name}\n${description}\n${body}`;
}

/**
 * As whom a memory speaks. What was inferred speaks as the user, so that it can be kept and put in order at all: the result is
 * held to `inferred` all the same. It grounds a rule only where it was one before.
 */
function voiceOf(memory: BaseMemory, type: MemoryType): 'user' | 'assistant' | 'tool' {
  switch (memory.source) {
    case 'said':
    case 'imported':
      return 'user';
    case 'inferred':
      return isRule(type) && !isRule(memory.type) ? 'assistant' : 'user';
    case 'seen':
      return 'tool';
  }
}

function isRule(type: MemoryType | null): boolean {
  return type === 'feedback' || type === 'user';
}

/** In chat, quoted lines, fences and long lines were pasted; in a memory they are its text. */
function asSpoken(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*(?:```|~~~)/.test(line))
    .map((line) => line.replace(/^\s*>+\s?/, ''))
    .flatMap((line) => line.split(/(?<=[.!?;])\s+|(?<=[。！？；])/u))
    .join('\n');
}

/** On a Monday, "next Thursday" is in three days to some and in ten to others: who wrote the day down may have meant either. */
function bothReadings(text: string): string {
  const nearer = text.replace(/\bnext (?=(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)/gi, 'this ');
  return nearer === text ? text : `${text}\n${nearer}`;
}
