/** The rules by which a write is refused, in words for the user: what was not kept, and why. */

import type { RejectReason } from './write.ts';

export type RefusalRule =
  | RejectReason
  | 'exact-duplicate'
  /** No memory file: its front matter is missing or cannot be read. */
  | 'form'
  /** What the user said does not give way to what they did not. */
  | 'users-word'
  /** The session keeps a log instead. */
  | 'daily-log';

const WORDS: Readonly<Record<RefusalRule, string>> = {
  'opted-out': 'you asked not to',
  secret: 'it holds a secret',
  'negative-judgement': 'it judges a person',
  'derivable-code': 'the project shows it',
  'derivable-git': 'the history of the repository shows it',
  'in-instruction-file': 'an instruction file says it',
  'injected-echo': 'it repeats what Reverie itself had put in',
  unsupported: 'nothing you typed supports it',
  oversize: 'it is too long',
  'traversal-name': 'its file name is not allowed',
  'wrong-type': 'it is not well formed',
  empty: 'it is empty',
  form: 'it is not well formed',
  'exact-duplicate': 'it is known already',
  'users-word': 'it would have changed what you said',
  'daily-log': 'this session keeps a log instead',
};

/** Also for a rule from a ledger that another version wrote. */
export function ruleInWords(rule: string): string {
  return Object.hasOwn(WORDS, rule) ? WORDS[rule as RefusalRule] : rule;
}

/** A slip of form that its writer can put right at once; and what says the same already is no loss. */
const SLIPS: ReadonlySet<RefusalRule> = new Set(['traversal-name', 'wrong-type', 'empty', 'form', 'exact-duplicate']);

export function isSlip(rule: RefusalRule): boolean {
  return SLIPS.has(rule);
}

/** Whether the name of what was refused may be shown: where a secret was found, or not looked for yet, it may hold it. */
export function mayBeNamed(rule: RefusalRule): boolean {
  return rule !== 'secret' && rule !== 'oversize' && rule !== 'traversal-name' && rule !== 'form';
}
