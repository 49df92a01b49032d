/** Whether a command rule covers a command: to the letter where it allows, looking past options and paths where it restricts. */

import { wildcardMatches } from './path-pattern.ts';
import type { Rule } from './rule.ts';
import type { ShellWord } from './shell-commands.ts';

type CommandRule = Extract<Rule, { readonly kind: 'command' }>;

/** Where the rule says nothing any more, a glob may stand, but nothing whose words a shell makes up. */
export function allowsCommand(rule: CommandRule, words: readonly ShellWord[]): boolean {
  if (words.some((word) => word.expands) || words[0]?.text.startsWith('~')) return false;
  if (rule.isPrefix ? words.length < rule.words.length : words.length !== rule.words.length) return false;
  return rule.words.every((wanted, index) => {
    const word = words[index]!;
    return word.isLiteral && starMatches(wanted, word.text);
  });
}

/** `maybe`: a shell decides what the command is, and it may well be the forbidden one. */
export type Restriction = 'yes' | 'maybe' | 'no';

/**
 * `git -C /elsewhere push` is a `git push`: options, each with a value perhaps, are skipped before a word of the rule.
 * A lone `*` within a rule stands for one word or more.
 */
export function restrictsCommand(rule: CommandRule, words: readonly ShellWord[]): Restriction {
  const [program] = words;
  if (program === undefined) return 'no';
  if (!program.isLiteral) return 'maybe';
  if (programName(program.text) !== programName(rule.words[0]!)) return 'no';
  const length = rule.words.length;
  // later[skip][index]: the verdict when the words from there on meet the rule's words from `index` on.
  const atEnd = rule.words.map((): Restriction => 'no');
  let later: Restriction[][] = [
    [...atEnd, 'yes'],
    [...atEnd, 'no'],
  ];
  for (let at = words.length - 1; at >= 1; at--) {
    const word = words[at]!;
    const now: Restriction[] = new Array(length + 1).fill('no');
    now[length] = rule.isPrefix ? 'yes' : 'no';
    for (let index = 1; index < length; index++) now[index] = meet(rule.words[index]!, word, { index, later });
    later = [now, later[0]!];
  }
  return later[0]![Math.min(1, length)]!;
}

function meet(
  wanted: string,
  word: ShellWord,
  facts: { readonly index: number; readonly later: readonly Restriction[][] },
): Restriction {
  const { index, later } = facts;
  if (!word.isLiteral) return 'maybe';
  const ways: Restriction[] = [];
  if (wanted === '*') ways.push(later[0]![index + 1]!, later[0]![index]!);
  else if (starMatches(wanted.toLowerCase(), word.text.toLowerCase())) ways.push(later[0]![index + 1]!);
  if (word.text.startsWith('-') && !wanted.startsWith('-')) ways.push(later[0]![index]!, later[1]![index]!);
  return ways.includes('yes') ? 'yes' : ways.includes('maybe') ? 'maybe' : 'no';
}

/** `/bin/RM` and `rm` are one program to somebody's disk. */
export function programName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1).toLowerCase();
}

/** Only `*` is special in a command rule: `[` and `?` are common in commands themselves. */
function starMatches(pattern: string, text: string): boolean {
  return wildcardMatches(pattern.replace(/[?[\\]/g, '\\$&'), text);
}
