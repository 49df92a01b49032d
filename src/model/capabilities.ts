/** What a model can do, by its name: the table first, then its family, then what is safe to assume. */

import { LONG_WINDOW_TOKENS, MODELS, type ModelFacts, OLDER_MODELS, STRANGER } from './capabilities-table.ts';

export interface KnownCapabilities extends ModelFacts {
  /** False when the name is in no table and its family, or a safe default, was used. */
  readonly known: boolean;
}

/** Newest of a family first. */
export const KNOWN_MODELS: readonly string[] = Object.keys(MODELS);

const LONG_SUFFIX = '[1m]';
/** Share of letter pairs above which a mistyped name counts as a known one. */
const LEAST_LIKENESS = 0.5;

export function capabilitiesOf(name: string): KnownCapabilities {
  const { facts, known } = factsOf(baseNameOf(name));
  const windowTokens = asksForLongWindow(name) ? LONG_WINDOW_TOKENS : facts.windowTokens;
  return { ...facts, windowTokens, known };
}

export function asksForLongWindow(name: string): boolean {
  return name.toLowerCase().endsWith(LONG_SUFFIX);
}

/** The name as the API takes it: without `[1m]`. */
export function wireNameOf(name: string): string {
  return asksForLongWindow(name) ? name.slice(0, -LONG_SUFFIX.length).trim() : name;
}

/** The name as in the tables: without a date, a version tag, or a reseller's prefix. */
export function baseNameOf(name: string): string {
  const bare = wireNameOf(name).toLowerCase();
  const own = bare.slice(Math.max(0, bare.search(/claude-/)));
  return own
    .replace(/(-v\d+)?(:\d+)?$/, '')
    .replace(/[-@](\d{8}|latest)$/, '')
    .replace(/-0$/, '');
}

/** The known name that was probably meant. */
export function nearestModel(name: string): string | null {
  const wanted = letterPairs(baseNameOf(name));
  const scored = KNOWN_MODELS.map((known) => ({ known, likeness: likeness(wanted, letterPairs(known)) }));
  const best = scored.reduce((one, other) => (other.likeness > one.likeness ? other : one));
  return best.likeness >= LEAST_LIKENESS ? best.known : null;
}

function factsOf(base: string): { facts: ModelFacts; known: boolean } {
  const exact = Object.hasOwn(MODELS, base) ? MODELS[base as keyof typeof MODELS] : undefined;
  const listed = exact ?? (Object.hasOwn(OLDER_MODELS, base) ? OLDER_MODELS[base] : undefined);
  if (listed) return { facts: listed, known: true };
  if (!base.startsWith('claude-')) return { facts: STRANGER, known: false };
  const words = new Set(base.split('-').slice(1));
  const relative = Object.entries(MODELS).find(([name]) => words.has(name.split('-')[1]!));
  return { facts: relative?.[1] ?? MODELS['claude-sonnet-5-5'], known: false };
}

/** Dice's coefficient over letter pairs: it forgives both a typo and a different word order. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((pair) => other.has(pair)).length;
  return one.size + other.size === 0 ? 0 : (2 * shared) / (one.size + other.size);
}

function letterPairs(name: string): ReadonlySet<string> {
  // Every name contains "claude", which would make all of them similar.
  const text = `^${name.replace(/^claude-/, '')}$`;
  return new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)));
}
