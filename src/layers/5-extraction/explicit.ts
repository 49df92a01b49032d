/** Keeps what the user asks to be kept, without a model: the explicit cues and nothing else, precision first. */

import { LIMITS, type Limits } from '../../limits.ts';
import { isQuestion } from './explicit-clauses.ts';
import { ownSentences, type Sentence } from './explicit-own-words.ts';
import { type Found, findCues, isUnfit, readStatement, type Statement, statementOf } from './explicit-read.ts';
import { type ExplicitMemory, shapeMemory } from './explicit-shape.ts';

export type { ExplicitMemory };

export interface ExplicitFacts {
  readonly now: Date;
  readonly limits?: Limits['explicit'];
}

export function extractExplicit(userText: string, facts: ExplicitFacts): ExplicitMemory[] {
  const limits = facts.limits ?? LIMITS.explicit;
  const sentences = ownSentences(userText, limits);
  if (sentences.some(({ masked }) => SPEAKS_TO_A_MODEL.test(masked))) return [];
  const memories = new Map<string, ExplicitMemory>();
  for (const index of sentences.keys()) {
    for (const { statement, quote } of statementsAt(sentences, index)) {
      const memory = shapeMemory(statement, { quote, now: facts.now });
      const key = memory.description.toLowerCase();
      if (!memories.has(key)) memories.set(key, memory);
    }
  }
  return [...memories.values()].slice(0, limits.memories);
}

/** A prompt that was pasted, or is being written. */
const SPEAKS_TO_A_MODEL = /^you are (?:an?|the) (?!bit\b|genius\b|star\b|hero\b|legend\b|best\b)/i;

/** Whether the user's own words carry a cue at all, even one that is not clear enough to be kept without a model. */
export function hasCue(userText: string): { cue: string } | null {
  for (const sentence of ownSentences(userText, LIMITS.explicit)) {
    const found = findCues(sentence)[0];
    if (found !== undefined) return { cue: found.cue.name };
  }
  return null;
}

interface Said {
  readonly statement: Statement;
  readonly quote: string;
}

function statementsAt(sentences: readonly Sentence[], index: number): readonly Said[] {
  const sentence = sentences[index]!;
  const found = findCues(sentence);
  const lead = found.find((one) => isListLead(sentence, one));
  if (lead !== undefined) return itemsAfter(sentences, index).flatMap((item) => saidInItem(item, lead));
  for (const one of found) {
    const isSpecification =
      one.cue.kind === 'rule' && sentences.length > FEW_SENTENCES && !IS_GENERAL.test(sentence.masked);
    const statement = isSpecification ? null : readStatement(sentence, one);
    if (statement !== null)
      return [{ statement: withReasonBehind(statement, sentences[index + 1]), quote: sentence.text }];
  }
  return [];
}

/** In a long message "always" tells how a program should behave more often than how to work. */
const FEW_SENTENCES = 6;
const IS_GENERAL =
  /\b(?:from now on|going forward|when i|when you|whenever|everywhere|in this (?:project|repo|repository|codebase)|in all|before (?:you )?(?:commit|push|merg|deploy)|every time|you)\b|以后|所有/i;

const LIST_LEAD_END =
  /^(?:,? (?:please )?(?:follow|stick to|respect|apply|do) (?:these|the following)|,? (?:this|these|the following))?(?: (?:things|rules|points|conventions|preferences|guidelines))?(?: please)?\s*[:：]\s*$/i;

function isListLead(sentence: Sentence, found: Found): boolean {
  const isLead = found.cue.kind === 'remember' || found.cue.kind === 'standing' || found.cue.kind === 'preference';
  return isLead && LIST_LEAD_END.test(sentence.masked.slice(found.to));
}

function itemsAfter(sentences: readonly Sentence[], index: number): readonly Sentence[] {
  const after = sentences.slice(index + 1);
  const end = after.findIndex((sentence) => !sentence.isItem);
  return end < 0 ? after : after.slice(0, end);
}

function saidInItem(item: Sentence, lead: Found): readonly Said[] {
  const statement = isUnfit(item.masked, lead.cue) || isQuestion(item.masked) ? null : statementOf(lead.cue, item.text);
  return statement === null ? [] : [{ statement, quote: item.text }];
}

/** "… Because npm breaks the lock file." */
function withReasonBehind(statement: Statement, next: Sentence | undefined): Statement {
  const reason =
    /^(?:that's |this is |it's )?(?:because|the reason is(?: that)?|reason:|why:|der grund(?: ist|:)|weil|因为)\s*/i.exec(
      next?.masked ?? '',
    );
  if (statement.why !== null || reason === null) return statement;
  const why = next!.text
    .slice(reason[0].length)
    .replace(/[.!。！]+$/, '')
    .trim();
  return why === '' ? statement : { ...statement, why };
}
