/** The user's rules, limits and decisions: a model says which they are, code carries only what the user typed. */

import { keysOf, overlap, termsOf } from '../../memory/gate/terms.ts';
import { holds, plain } from './terms.ts';
import { wholeSentence } from './whole-sentence.ts';

/** As the summariser or the notes name it, not verified yet. */
export interface ListedRule {
  readonly words: string;
  /** The older words that it took the place of. */
  readonly replaces: string | null;
}

const ITEM = /^\s*[-*•]\s+(.+)$/;
const REPLACES = /^\s*(?:[-*•]\s+)?replaces:\s*(.+)$/;
const QUOTED = /^["“„«「](.+)["”“»」]$/;
/** Both on one line, although the prompt asks for two. */
const BOTH = /^["“„«「](.+?)["”“»」]\s*\(?replaces:\s*["“„«「](.+?)["”“»」]\)?$/;

export function readRules(text: string): readonly ListedRule[] {
  const rules: ListedRule[] = [];
  for (const line of text.split('\n')) {
    const older = REPLACES.exec(line)?.[1];
    const last = rules.at(-1);
    if (older !== undefined) {
      if (last !== undefined) rules[rules.length - 1] = { ...last, replaces: unquoted(older) };
      continue;
    }
    const item = ITEM.exec(line)?.[1]?.trim();
    if (item === undefined) continue;
    const [, words, replaces] = BOTH.exec(item) ?? [];
    rules.push(words === undefined ? { words: unquoted(item), replaces: null } : { words, replaces: replaces! });
  }
  return rules;
}

/** Notes are prose: only a list item that is a quotation names a rule. */
export function quotedRules(notes: string): readonly ListedRule[] {
  const lines = notes.split('\n').filter((line) => {
    const item = ITEM.exec(line)?.[1]?.trim() ?? '';
    return QUOTED.test(item) || BOTH.test(item) || REPLACES.test(line);
  });
  return readRules(lines.join('\n'));
}

function unquoted(text: string): string {
  return QUOTED.exec(text.trim())?.[1] ?? text.trim();
}

interface PlacedRule {
  readonly words: string;
  /** Larger is later. */
  readonly place: number;
}

/** Fewer characters are found in any text. */
const LEAST_CHARACTERS = 4;

/**
 * The rules from now on, oldest first: those carried so far, and those listed that the user typed, each as the whole sentence. One goes
 * only when a listed rule on the same subject replaces it that was typed later. So a summary, and whoever wrote what it read, can
 * neither invent a rule, nor turn one around, nor bring an old one back.
 */
export function rulesFrom(facts: {
  readonly earlier: readonly string[];
  /** What the user typed, oldest first. */
  readonly typed: readonly string[];
  readonly listed: readonly ListedRule[];
}): readonly string[] {
  const typed = facts.typed.map((text): TypedText => ({ text, plain: plain(text) }));
  const known = facts.earlier.map((words, at): PlacedRule => ({ words, place: at - facts.earlier.length }));
  const found = facts.listed.flatMap(({ words, replaces }) => {
    const rule = placed(plain(words), { known, typed });
    return rule === null ? [] : [{ ...rule, replaces }];
  });
  const isReplaced = (rule: PlacedRule) =>
    found.some(
      ({ replaces, place, words }) =>
        replaces !== null && place > rule.place && isSame(rule.words, replaces) && sharesSubject(rule.words, words),
    );
  const all = [...known, ...found].filter((rule) => !isReplaced(rule)).sort((one, other) => one.place - other.place);
  return [...new Set(all.map(({ words }) => words))];
}

interface TypedText {
  readonly text: string;
  readonly plain: string;
}

/** A part of a rule that is carried already is that rule. */
function placed(
  words: string,
  { known, typed }: { readonly known: readonly PlacedRule[]; readonly typed: readonly TypedText[] },
): PlacedRule | null {
  if (words.length < LEAST_CHARACTERS) return null;
  const at = typed.findLastIndex((message) => holds(message.plain, words));
  if (at >= 0) {
    const message = typed[at]!;
    const whole = wholeSentence(words, message.text);
    return whole === null
      ? null
      : { words: whole, place: at + message.plain.lastIndexOf(words) / (message.plain.length + 1) };
  }
  return known.findLast((rule) => holds(plain(rule.words), words)) ?? null;
}

/** A word of it does not name a rule: at least half of it does. */
function isSame(rule: string, older: string): boolean {
  const [one, other] = [plain(rule), plain(older)];
  return holds(other, one) || (other.length * 2 >= one.length && holds(one, other));
}

/** "Thanks." takes the place of nothing. */
function sharesSubject(rule: string, later: string): boolean {
  return overlap(termsOf(later), keysOf(rule)).count > 0;
}
