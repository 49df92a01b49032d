/** Reads one sentence: which cue it carries, and what it says when the cue is taken at its word. */

import {
  type Clause,
  clausesOf,
  isForNow,
  isForThisConversation,
  isOrder,
  isQuestion,
  isSupposed,
  isTakenBack,
  pointsAtSomething,
  withoutFillers,
} from './explicit-clauses.ts';
import { CUES, type Cue } from './explicit-cues.ts';
import type { Sentence } from './explicit-own-words.ts';
import { cutTail, ORDER_START, readRemembered, SHARED_ORDER_START, splitReason } from './explicit-phrases.ts';

export interface Statement {
  readonly cue: Cue;
  /** What is to be kept, in the user's words. */
  readonly words: string;
  /** The reason that the user gave. */
  readonly why: string | null;
}

export interface Found {
  readonly cue: Cue;
  readonly clause: Clause;
  /** Where the cue begins and ends in the sentence. */
  readonly from: number;
  readonly to: number;
}

/** The cues of a sentence, in the order of the table; none in a question, a supposition or a wish taken back. */
export function findCues(sentence: Sentence): readonly Found[] {
  const { masked } = sentence;
  if (isSupposed(masked) || isTakenBack(masked)) return [];
  const isAsked = isQuestion(masked);
  const clauses = clausesOf(masked);
  return CUES.flatMap((cue) => {
    if (isAsked && cue.kind !== 'identity' && cue.kind !== 'preference') return [];
    return clauses.flatMap((clause) => findAt(masked, cue, clause));
  });
}

function findAt(masked: string, cue: Cue, clause: Clause): readonly Found[] {
  // "Please, I prefer" asks for nothing; but "I want you to remember" begins like a statement.
  const from = cue.kind === 'preference' || cue.kind === 'identity' ? withoutFillers(masked, clause.from) : clause.at;
  const match = cue.pattern.exec(masked.slice(from));
  if (match === null) return [];
  const at = from + match.index;
  return [{ cue, clause, from: at, to: at + match[0].length }];
}

/** Null when the cue is there but what it says is not meant to last, or not clear enough to be kept. */
export function readStatement(sentence: Sentence, found: Found): Statement | null {
  switch (found.cue.kind) {
    case 'remember':
      return readRemember(sentence, found);
    case 'standing':
    case 'next-time':
      return readStanding(sentence, found);
    case 'standing-behind':
      return readStandingBehind(sentence, found);
    case 'rule':
      return readRule(sentence, found);
    case 'reasoned':
      return readReasoned(sentence, found);
    case 'preference':
    case 'identity':
      return readAboutUser(sentence, found);
  }
}

function readRemember(sentence: Sentence, found: Found): Statement | null {
  if (found.clause.isConditional || isForThisConversation(sentence.masked)) return null;
  const from = readRemembered(sentence.masked.slice(found.to), found.cue);
  return from === null ? null : statementOf(found.cue, sentence.text.slice(found.to + from));
}

/** Subjects of reports: "from now on the server returns 404" tells what is, not what should be. */
const REPORT_START =
  /^(?:it|this|that|things?|there|everything|nothing|he|she|what|how|i'm going|i(?:'ll| will) (?:be|have|need|try|send|give|paste|let)|we(?:'ll| will)? need|läuft|geht|funktioniert|ist|sind|wird|klappt|es|das|kommt|gibt|habe?n?|hat|再|可能|也许|会不会|怎么|要不要|我会|它|这)\b|^(?:再|可能|也许|会不会|怎么|要不要|我会|它|这)|\b(?:the|a|an) [\w-]+ (?:is|are|was|were|returns?|fails?|works?|crash(?:es)?|takes?|shows?|gets?|throws?|seems?)\b/i;

function readStanding(sentence: Sentence, found: Found): Statement | null {
  const { masked, text } = sentence;
  const gap = /^[\s,，:：]*/.exec(masked.slice(found.to))![0].length;
  const from = found.to + gap + polite(masked.slice(found.to + gap));
  const words = masked.slice(from);
  if (REPORT_START.test(words) || isUnfit(words, found.cue)) return null;
  if (found.cue.kind === 'next-time' && !ORDER_START.test(words)) return null;
  return statementOf(found.cue, text.slice(from));
}

/** Ways to ask that add nothing to what is asked. */
function polite(words: string): number {
  const asked =
    /^(?:(?:please|pls|just|also|bitte|请|都|i want you to|i'd like you to|i would like you to|you should|you must|you need to|(?:can|could|would|will) you)[\s,，]*)+/i;
  return asked.exec(words)?.[0].length ?? 0;
}

function readStandingBehind(sentence: Sentence, found: Found): Statement | null {
  const { masked, text } = sentence;
  const start = found.clause.at;
  const before = masked.slice(start, found.from);
  if (before.trim() === '' || isUnfit(before, found.cue)) return null;
  const isGerman = found.cue.language === 'de';
  const isWish = isGerman
    ? GERMAN_ORDER_START.test(before)
    : ORDER_START.test(before) || SHARED_ORDER_START.test(before);
  if (!isWish) return null;
  const tail = tailOf(text.slice(found.to), found.cue);
  if (tail === null) return null;
  return statementOf(found.cue, `${text.slice(start, found.from).trim().replace(/,$/, '')}${tail}`);
}

/** What may follow "from now on" behind an order: nothing, politeness, or the reason. In German the order goes on. */
function tailOf(after: string, cue: Cue): string | null {
  if (cue.language === 'de') return ` ${after.trim()}`;
  if (/^[\s,]*(?:please|pls|thanks|thank you|ok|okay)?[\s.!)?]*$/i.test(after)) return '';
  if (/^[,\s]*(?:because|since|so that|otherwise)\s/i.test(after)) return ` ${after.replace(/^[,\s]+/, '')}`;
  const words = /^\s*[,;–—-]\s*(.+)$/.exec(after)?.[1];
  return words === undefined || ORDER_START.test(words) || /\?\s*$/.test(words) ? null : ` because ${words}`;
}

const GERMAN_ORDER_START =
  /^(?:bitte |immer )*(?:nutze?|verwende|benutze|schreibe?|mache?|nimm|antworte|frage?|gib|lasse?|committe|pushe?|erkläre?|formatiere|sprich|duze|kommentiere|teste|prüfe|füge|halte|setze|keine?n?|nie|niemals|wir \p{L}+en)\s/iu;

/** "Here", in an order, is the place in the code that is being worked on. */
const IN_THE_CODE = /(?<!around |over )\bhere\b/i;
/** An order has no such verb: "Never ask again should be the second button". */
const SAYS_WHAT_IS =
  /^(?:always|never) [a-z]+(?: [a-z]+)? (?:should|must|would|will|does|doesn't|is|isn't|button|checkbox|label)\b/i;

function readRule(sentence: Sentence, found: Found): Statement | null {
  const { masked, text } = sentence;
  const { clause } = found;
  if (!clause.isConditional && isOrder(clause.before)) return null;
  const from = clause.isConditional ? withoutFillers(masked, 0) : found.from;
  const words = masked.slice(found.from);
  if (isUnfit(masked.slice(from), found.cue) || pointsAtSomething(words, found.cue)) return null;
  if (IN_THE_CODE.test(words) || SAYS_WHAT_IS.test(words)) return null;
  return statementOf(found.cue, text.slice(from));
}

/** Reasons that pass: somebody is at it, something is down just now. Some words on -ing are no activity. */
const PASSING_REASON =
  /\b(?:i'm|i am|we're|we are|he's|she's|they're|they are|is|are|it's) (?:still |just |currently |about to )?(?!confusing|annoying|distracting|misleading|boring|tiring|surprising|overwhelming|interesting|nothing|something|anything|everything)[a-z-]+ing\b|\b(?:still|yet|currently|at the moment|right now|down|already|gerade|noch)\b|正在|还在|现在/i;

function readReasoned(sentence: Sentence, found: Found): Statement | null {
  const { masked, text } = sentence;
  if (found.clause.isConditional || isOrder(found.clause.before)) return null;
  const words = masked.slice(found.from);
  const reason = splitReason(words);
  if (reason === null && !/^stop\b.*\b(?:every|each)\b/i.test(words)) return null;
  if (reason !== null && PASSING_REASON.test(words.slice(reason.whyFrom))) return null;
  if (isUnfit(words, found.cue) || IN_THE_CODE.test(words)) return null;
  return statementOf(found.cue, text.slice(found.from));
}

/** A choice between things on the table is no preference of the person. */
const CHOICE =
  /^[\s:]*(?:(?:to (?:use|do|go with|keep|have)|using|going with) )?(?:this|that(?! you\b)|these|those|it|them|your|yours|option|approach|solution|variant|version|plan|[a-d1-9]\b|(?:the |die |das |den )?(?:first|second|third|last|latter|former|other|new|old|current|simpler|shorter|above|previous|original|erste[nr]?|zweite[nr]?|letzte[nr]?|andere[nr]?)\b|diese[nrs]?|das$|es$|deine?|not to\b|if we\b)|^(?:这|那|第|你的|它|一下|前者|后者|方案|选项)|\b(?:option|approach|variant|version|variante) (?:[a-d]|\d|one|two)\b/i;

function isChoice(preferred: string): boolean {
  return preferred.trim() === '' || CHOICE.test(preferred) || FOR_THAT.test(preferred) || isForNow(preferred);
}

function readAboutUser(sentence: Sentence, found: Found): Statement | null {
  const { masked, text } = sentence;
  if (found.clause.isConditional) return null;
  const end = cutTail(masked, found.to);
  const words = masked.slice(found.from, end);
  if (isQuestion(masked) && (end === masked.length || isQuestion(words))) return null;
  if (found.cue.kind === 'preference' && isChoice(masked.slice(found.to, end))) return null;
  return statementOf(found.cue, text.slice(found.from, end));
}

/** "… for that": about something that the sentence does not name. */
const FOR_THAT =
  /\b(?:for|with|in|to|about|of) (?:this|that|it|these|those)\b(?! (?:project|repo|repository|codebase|team|company|you)\b)/i;

const PUT_IT_THERE = /\b(?:put|add|write|copy|paste|insert) (?:that|this|it) (?:in|into|to|on)\b/i;

/** For now only, or about something that the sentence does not name. */
export function isUnfit(words: string, cue: Cue): boolean {
  const rule = words.slice(0, splitReason(words)?.ruleTo);
  return isForNow(words) || pointsAtSomething(words, cue) || FOR_THAT.test(rule) || PUT_IT_THERE.test(words);
}

/** Longer than this it is a text, not a wish. */
const LONGEST_CHARACTERS = 600;

/** Null when too little or too much is left without politeness and punctuation. */
export function statementOf(cue: Cue, said: string): Statement | null {
  const words = said
    .replace(/^[\s,:：，]+/, '')
    .replace(/(?:[\s,，]+(?:please|pls|thanks|thank you|thx|ok|okay|bitte|danke|谢谢))*[\s.!?。！,，;；]*$/i, '')
    .trim();
  const wordCount = words.split(/\s+/).length;
  const isTooShort = cue.language === 'zh' || /[\u3400-\u9fff]/.test(words) ? words.length < 3 : wordCount < 2;
  if (isTooShort || words.length > LONGEST_CHARACTERS) return null;
  const reason = splitReason(words);
  if (reason === null) return { cue, words, why: null };
  return { cue, words: words.slice(0, reason.ruleTo).trim(), why: words.slice(reason.whyFrom).trim() };
}
