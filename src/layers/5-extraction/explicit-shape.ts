/** Gives a statement of the user the form of a memory: type, scope, name, description and body. */

import { isoDate, withAbsoluteDates } from '../../lib/relative-dates.ts';
import { defaultScope, type MemoryScope, type MemoryType } from '../../memory/taxonomy.ts';
import type { Statement } from './explicit-read.ts';
import { aboutUser } from './explicit-third-person.ts';
import { typeOf } from './explicit-type.ts';

export interface ExplicitMemory {
  readonly type: MemoryType;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly scope: MemoryScope;
  /** The cue that asked for it. */
  readonly cue: string;
  /** The user's sentence, as written. */
  readonly quote: string;
}

const NAME_CHARACTERS = 60;
const DESCRIPTION_CHARACTERS = 150;

export function shapeMemory(
  statement: Statement,
  facts: { readonly quote: string; readonly now: Date },
): ExplicitMemory {
  const { quote, now } = facts;
  const type = typeOf(statement);
  const said = type === 'project' ? withAbsoluteDates(statement.words, now) : statement.words;
  const rule = type === 'user' ? aboutUser(said) : said;
  return {
    type,
    name: shortened(capital(rule.replace(/^The user /, '')), NAME_CHARACTERS),
    description: shortened(sentence(rule), DESCRIPTION_CHARACTERS),
    body: bodyOf(statement, { type, rule, quote, now }),
    scope: scopeOf(quote, type),
    cue: statement.cue.name,
    quote,
  };
}

const EVERYWHERE =
  /\beverywhere\b|\b(?:in|for|across|on) (?:all|every|any|each)(?: of)? (?:my |our |the |your )?(?:projects?|repos?|repositor(?:y|ies)|codebases?)\b|\bglobally\b|\bno matter (?:which|what) (?:project|repo)\b|überall|in allen (?:meinen )?projekten|所有(?:的)?项目|任何项目|每个项目/i;
const ONLY_HERE =
  /\b(?:in|for|on) this (?:project|repo|repository|codebase)\b|in diesem (?:projekt|repo)|(?:这个|本)项目/i;

function scopeOf(quote: string, type: MemoryType): MemoryScope {
  if (ONLY_HERE.test(quote)) return 'project';
  if (type === 'feedback' && EVERYWHERE.test(quote)) return 'global';
  return defaultScope(type);
}

interface BodyFacts {
  readonly type: MemoryType;
  readonly rule: string;
  readonly quote: string;
  readonly now: Date;
}

function bodyOf(statement: Statement, facts: BodyFacts): string {
  const { type, rule, quote, now } = facts;
  const today = isoDate(now);
  switch (type) {
    case 'user':
      return `${sentence(rule)}\n\nSaid on ${today}: “${quote}”`;
    case 'reference':
      return statement.why === null
        ? sentence(rule)
        : `${sentence(rule)}\n\n**Why:** ${sentence(capital(statement.why))}`;
    case 'feedback':
    case 'project': {
      const reason =
        statement.why === null ? null : type === 'project' ? withAbsoluteDates(statement.why, now) : statement.why;
      const why = reason === null ? `The user said so on ${today}.` : sentence(capital(reason));
      return `${sentence(rule)}\n\n**Why:** ${why}\n\n**How to apply:** ${howToApply(facts)}`;
    }
  }
}

function howToApply({ type, rule, quote }: BodyFacts): string {
  if (type === 'feedback') {
    const where = scopeOf(quote, type) === 'global' ? 'In every project' : 'In this project';
    return `${where}, whenever it applies, without being asked again.`;
  }
  const date = [...rule.matchAll(/\d{4}-\d\d-\d\d/g)].at(-1)?.[0];
  if (date === undefined)
    return 'Take it into account when planning or explaining work here; check that it still holds.';
  return `Take it into account when planning work here; after ${date} check whether it still holds.`;
}

function capital(words: string): string {
  return /^\p{Ll}/u.test(words) && !/^\S*[A-Z._/-]\S*\s/.test(words) ? words[0]!.toUpperCase() + words.slice(1) : words;
}

function sentence(words: string): string {
  const whole = capital(words.trim());
  if (/[.!?。！？…]$/.test(whole)) return whole;
  return `${whole}${/[\u3400-\u9fff]/.test(whole) ? '。' : '.'}`;
}

/** Cut at a word's end where there is one. */
function shortened(words: string, characters: number): string {
  const all = [...words];
  if (all.length <= characters) return words;
  const cut = all.slice(0, characters - 1).join('');
  const atWord = cut.replace(/\s+\S*$/, '');
  return `${(atWord.length > characters / 2 ? atWord : cut).replace(/[\s,;:.–—-]+$/, '')}…`;
}
