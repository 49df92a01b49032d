/** Decides what a new memory's file is called and holds, and what the person should know about it. Pure. */

import {
  isMemorySource,
  isMemoryType,
  MEMORY_SOURCES,
  MEMORY_TYPES,
  type MemorySource,
  type MemoryType,
} from '../../base/taxonomy.ts';
import { slugOfName } from '../../disk/safe-name.ts';
import { ReverieError } from '../../errors.ts';
import type { Limits } from '../../limits.ts';
import { indexWarnings } from '../index/index-file.ts';
import type { MemoryOrigin } from './header.ts';
import { renderMemoryFile } from './memory-file.ts';
import type { Quote } from './quote.ts';

export interface NewMemory {
  readonly type: MemoryType;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly source?: MemorySource;
  /** The user's words that it rests on. */
  readonly quote?: readonly Quote[];
  readonly origin?: MemoryOrigin;
  /** Other names for what it is about: `k8s`, a person's nickname. */
  readonly aliases?: readonly string[];
}

/** Callers may be plain JavaScript or a model: what the types promise is checked. */
export function checkNewMemory(memory: NewMemory): void {
  if (typeof memory !== 'object' || memory === null)
    throw usage('There is nothing to save', 'Give type, name, description and body.');
  if (!isMemoryType(memory.type)) {
    throw usage(`"${String(memory.type)}" is not a memory type`, `Choose one of ${MEMORY_TYPES.join(', ')}.`);
  }
  for (const field of ['name', 'description', 'body'] as const) {
    if (typeof memory[field] !== 'string') throw usage(`The memory's ${field} is missing`, `Give it a ${field}.`);
  }
  if (memory.name.trim() === '') throw usage("The memory's name is empty", 'Give it a short name.');
  if (memory.description.trim() === '' && memory.body.trim() === '') {
    throw usage('The memory says nothing', 'Give it a description and a body.');
  }
  if (memory.source !== undefined && !isMemorySource(memory.source)) {
    throw usage(`"${String(memory.source)}" is not a source`, `Choose one of ${MEMORY_SOURCES.join(', ')}.`);
  }
}

export function renderNewMemory(memory: NewMemory, now: Date): string {
  return renderMemoryFile({
    name: memory.name,
    description: memory.description,
    type: memory.type,
    body: memory.body,
    source: memory.source ?? 'said',
    ...(memory.quote === undefined || memory.quote.length === 0 ? {} : { quote: memory.quote }),
    origin: memory.origin,
    aliases: memory.aliases,
    created: now.toISOString(),
    modified: now.toISOString(),
  });
}

/** `{type}_{slug}.md`, with a number behind it when that name is taken. */
export function chooseFileName(wanted: { type: MemoryType; name: string }, isTaken: (file: string) => boolean): string {
  return freeName(`${wanted.type}_${slugOfName(wanted.name)}.md`, isTaken);
}

export function freeName(file: string, isTaken: (file: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const candidate = numberedName(file, number);
    if (!isTaken(candidate)) return candidate;
  }
}

export function numberedName(file: string, number: number): string {
  return number === 1 ? file : `${file.slice(0, -'.md'.length)}-${number}.md`;
}

/** The memory is there already. */
export class TwinError extends ReverieError {
  constructor(file: string) {
    super({ code: 'refused', message: `${file} says the same already.` });
  }
}

/** What recall reads of one memory. */
const LONG_BODY_CHARACTERS = 20_000;

/** What a save answers with: nothing here stops it. */
export function adviceFor(memory: Pick<NewMemory, 'type' | 'description' | 'body'>): string[] {
  const advice: string[] = [];
  if (memory.description.trim() === '')
    advice.push('No description: recall reads it first. Add one line that says what this is about.');
  if (memory.body.length > LONG_BODY_CHARACTERS) {
    advice.push(
      'A long body: recall reads its beginning. Split it by topic, or keep a link to where the whole text is.',
    );
  }
  if (memory.type === 'feedback' || memory.type === 'project') {
    const missing = ['**Why:**', '**How to apply:**'].filter((part) => !memory.body.includes(part));
    if (missing.length > 0)
      advice.push(`A ${memory.type} memory is easier to judge later with ${missing.join(' and ')} in its body.`);
  }
  return advice;
}

export function adviceForIndex(index: Buffer | null, limits: Limits): string[] {
  return index === null ? [] : indexWarnings(index, limits.index);
}

function usage(message: string, fix: string): ReverieError {
  return new ReverieError({ code: 'usage', message, fix });
}
