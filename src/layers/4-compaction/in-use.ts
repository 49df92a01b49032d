/** Which paths, identifiers and values the work is about: those used or said; more often and later ranks higher. */

import type { ContentBlock } from '../../conversation/message.ts';
import { ESTIMATE_LIMITS } from '../../limits.ts';
import type { Economy } from './decide.ts';

/** Tokens of paths, identifiers and values in use that are repeated after the notes, normally and at `max`. */
const IN_USE_TOKENS = 2_500;
const MAX_IN_USE_TOKENS = 2_000;
/** The weight of being said, or shown by a tool, relative to being used by a call; and the number of calls after which weights halve. */
const SAID_WEIGHT = 0.5;
const SHOWN_WEIGHT = 0.2;
const IN_USE_HALF_LIFE_CALLS = 150;

export interface InUse {
  /** Takes blocks as they come into the conversation. */
  add(blocks: readonly ContentBlock[]): void;
  /** Sections for the end of notes, without what the remaining messages already have, as long as the window allows; empty when nothing is left. */
  sections(staying: readonly ContentBlock[], within?: (tokens: number) => number): string;
}

interface Weighed {
  readonly weight: number;
  /** The call at which it had that weight. */
  readonly at: number;
}

const HEADING = '# Paths, names and values in use';
const LINE_CHARACTERS = 200;
/** So that no section is long enough to be cut. */
const SECTION_LINES = 25;

export function inUseTokensOf(economy: Economy): number {
  switch (economy) {
    case 'off':
      return 0;
    case 'balanced':
      return IN_USE_TOKENS;
    case 'max':
      return MAX_IN_USE_TOKENS;
  }
}

export function createInUse(economy: Economy): InUse {
  const weights = new Map<string, Weighed>();
  let calls = 0;
  const weightOf = ({ weight, at }: Weighed) => weight * 2 ** ((at - calls) / IN_USE_HALF_LIFE_CALLS);

  return {
    add(blocks) {
      for (const block of blocks) {
        if (block.type === 'tool_use') calls += 1;
        const added = addedBy(block);
        if (added === 0) continue;
        for (const reference of referencesOf(block)) {
          const before = weights.get(reference);
          weights.set(reference, { weight: added + (before === undefined ? 0 : weightOf(before)), at: calls });
        }
      }
    },
    sections(staying, within = (tokens) => tokens) {
      // A result that stays may be cleared at any time.
      const lasting = staying.filter(({ type }) => type !== 'tool_result');
      const there = new Set(lasting.flatMap((block) => [...referencesOf(block)]));
      const ranked = [...weights]
        .filter(([reference]) => !there.has(reference) && !BARE_NUMBER.test(reference))
        .map(([reference, known]) => ({ reference, weight: weightOf(known) }))
        .sort((one, other) => other.weight - one.weight);
      const lines = fill(
        ranked.map(({ reference }) => reference),
        within(inUseTokensOf(economy)) * ESTIMATE_LIMITS.bytesPerToken,
      );
      const starts = lines.flatMap((_, at) => (at % SECTION_LINES === 0 ? [at] : []));
      return starts.map((at) => [HEADING, ...lines.slice(at, at + SECTION_LINES)].join('\n')).join('\n\n');
    },
  };
}

/** A number without what it counts tells nobody anything; dates, versions and addresses do. */
const BARE_NUMBER = /^[\d_]+(?:[.,/:-]\d+)?$/;

/** What a call used will be used again; what was said is asked about; most of what a tool showed is never needed. */
function addedBy({ type }: ContentBlock): number {
  if (type === 'tool_use') return 1;
  if (type === 'text') return SAID_WEIGHT;
  return type === 'tool_result' ? SHOWN_WEIGHT : 0;
}

/** In lines, so that a cut loses only a few. */
function fill(words: readonly string[], bytes: number): readonly string[] {
  const lines: string[] = [];
  let left = bytes;
  let line = '';
  for (const word of words) {
    const taken = Buffer.byteLength(word) + 1;
    if (taken > left) continue;
    left -= taken;
    line = line === '' ? word : `${line} ${word}`;
    if (line.length < LINE_CHARACTERS) continue;
    lines.push(line);
    line = '';
  }
  return line === '' ? lines : [...lines, line];
}

// The paths, identifiers and values in a text: a later call can only repeat them if it can still see them.

const RUN = /[A-Za-z0-9_./~@+-]+/g;
const EDGES = /^(?:\.\/)+|^[.@+-]+(?=\w)|[./@+~-]+$/g;

/** Each once. */
export function referencesIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [run] of text.matchAll(RUN)) {
    if (run.length < 2 || run.length > LONGEST) continue;
    const term = run.replace(EDGES, '');
    if (isReference(term)) found.add(term);
  }
  return found;
}

/** Longer runs are data (hashes in one piece, encoded files), which nobody repeats from memory. */
const LONGEST = 200;

function isReference(term: string): boolean {
  if (term.length < 2) return false;
  if (/^\d+$/.test(term)) return true;
  if (!/[A-Za-z]/.test(term)) return /\d/.test(term);
  return /[/_\d]|\w\.\w|[a-z][A-Z]/.test(term);
}

/** A cache, not state: blocks never change. */
const known = new WeakMap<ContentBlock, ReadonlySet<string>>();

export function referencesOf(block: ContentBlock): ReadonlySet<string> {
  const before = known.get(block);
  if (before !== undefined) return before;
  const references = referencesIn(textWithin(block));
  known.set(block, references);
  return references;
}

/** All words of a block; a call's input by its values. */
function textWithin(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return block.thinking;
    case 'tool_use':
      return valuesOf(block.input).join('\n');
    case 'tool_result':
      return block.content.map(textWithin).join('\n');
    case 'image':
    case 'document':
    case 'redacted_thinking':
    case 'opaque':
      return '';
  }
}

function valuesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(valuesOf);
}
