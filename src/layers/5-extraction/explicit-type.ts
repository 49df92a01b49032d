/** Which of the four types a statement of the user belongs to. */

import type { MemoryType } from '../../memory/taxonomy.ts';
import { ORDER_START } from './explicit-phrases.ts';
import type { Statement } from './explicit-read.ts';
import { PLACES } from './explicit-words.ts';

const PLACE_AT_THE_END = new RegExp(
  String.raw`\b(?:is|are|lives?|live|kept|tracked|stored|found|located|filed|documented|reported|posted|goes?|liegt|liegen|steht|stehen|findest)\b[^.]{0,60}?\b(?:in|at|on|under|to|unter|im|auf|bei)\b[^.]{0,40}(?:\b(?:${PLACES})\b|#[a-z][\w-]+|\b[\w-]+\.(?:internal|local|com|io|dev|net|org)\b)`,
  'i',
);
const PLACE_AT_THE_START = new RegExp(
  String.raw`^(?:our|the|my|unser|unsere|das|die|der)\b[^.]{0,40}\b(?:${PLACES})\b[^.]{0,40}\b(?:is|are|lives?|ist|liegt)\b`,
  'i',
);
const ADDRESS = /https?:\/\/\S+/i;
const CHINESE_PLACE =
  /在\s*(?:https?|Linear|Jira|飞书|钉钉|语雀|Notion|Confluence|Grafana|Slack|wiki)|看板|(?:地址|链接)是/i;
const WHERE_THINGS_ARE = [ADDRESS, PLACE_AT_THE_END, PLACE_AT_THE_START, CHINESE_PLACE];

const GERMAN_ORDER =
  /^(?:bitte |immer |nie |niemals |keine?n? |nicht )|^(?:nutze?|verwende|benutze|schreibe?|mache?|nimm|antworte|frage?|gib|lass|sprich|duze|formatiere|teste|prüfe|füge|halte|setze)\b|\p{L}{3,}(?:en|ern)$/iu;
const CHINESE_ORDER =
  /^(?:请|不要|别|都|用|使用|先|永远|始终|一律|总是|每次|禁止|提交|回答|写|不许|务必|要)|(?:要用|不要|应该|必须|都要|都用)/;
/** A demand on the work, whoever its subject is. */
const DEMAND =
  /^(?:you|your|nobody)\b|^(?:every|each|all|any)\b.*\b(?:needs?|gets?)\b|\b(?:must|should|shouldn't|mustn't|has to|have to|needs to|allowed|forbidden|may not|always|never|only)\b|\b(?:muss|müssen|sollen|sollte|immer|nie|nur)\b/i;
const DATE =
  /\b(?:today|tomorrow|yesterday|tonight|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next (?:week|month|year|quarter)|this (?:week|month|quarter)|end of|until|deadline|due|morgen|heute|montag|dienstag|mittwoch|donnerstag|freitag|nächste)\b|明天|今天|下周|下个月|周[一二三四五六日]/i;
const ABOUT_THE_AGENT =
  /\b(?:you(?! know\b)|your|yours|answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|commits?|commit messages?|pull requests?|prs?|diffs?|code reviews?)\b|\b(?:du|dein|deine|antworten|erklärungen)\b|你|回答|回复|解释/i;

export function typeOf(statement: Statement): MemoryType {
  const { cue } = statement;
  const words = statement.words.replace(/^dass /i, '');
  if (cue.kind === 'identity') return 'user';
  if (cue.kind === 'preference') return ABOUT_THE_AGENT.test(words) ? 'feedback' : 'user';
  if (cue.kind === 'rule' || cue.kind === 'reasoned' || cue.kind === 'next-time') return 'feedback';
  if (isOrder(words)) return 'feedback';
  if (WHERE_THINGS_ARE.some((pattern) => pattern.test(words))) return 'reference';
  const isAboutUser = /^(?:i|i'm|i've|i'd|my|me|ich|mein|meine)(?=[\s'])|^我(?!们)/i.test(words.replaceAll('’', "'"));
  if (isAboutUser) {
    if (DATE.test(words)) return 'project';
    // "I'm …" and "my …" tell about the person, whatever follows.
    const isPerson = /^(?:i'm|i am|i've|i have|my|ich bin|mein|meine)\b/i.test(words.replaceAll('’', "'"));
    return !isPerson && ABOUT_THE_AGENT.test(words) ? 'feedback' : 'user';
  }
  if (DATE.test(words)) return 'project';
  if (DEMAND.test(words)) return 'feedback';
  return cue.kind === 'standing' || cue.kind === 'standing-behind' ? standingType(words) : 'project';
}

/** Who speaks of a "we" or of the team tells how things are; the rest of what holds from now on is for the agent to do. */
function standingType(words: string): MemoryType {
  return /^(?:we|our|the|all|every|wir|unser|unsere|我们|团队)/i.test(words) ? 'project' : 'feedback';
}

/** Not the start of an order, though an English or German one may end alike. */
const STATEMENT_START =
  /^(?:(?:we|i|i'm|our|my|the|wir|ich|unser|unsere|mein|meine|der|die|das|[A-Z][a-z]+ (?:is|ist)) |[a-z]+ing\b)/i;

function isOrder(words: string): boolean {
  if (/[\u3400-\u9fff]/.test(words)) return CHINESE_ORDER.test(words) && !/^我们?(?!要)/.test(words);
  return ORDER_START.test(words) || (!STATEMENT_START.test(words) && GERMAN_ORDER.test(words));
}
