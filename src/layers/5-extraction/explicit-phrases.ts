/** Parts of sentences: how "remember" goes on, where a reason begins, where the statement about a person ends. */

import type { Cue } from './explicit-cues.ts';
import { WORK_VERBS } from './explicit-words.ts';

/** How an order begins. */
export const ORDER_START = new RegExp(
  `^(?:please |just |also )*(?:don't|do not|never|always|no(?= [a-z])|no more|only|stop|avoid|(?:${WORK_VERBS})(?=[\\s,]))`,
  'i',
);

/** "We use tabs", said of what holds from now on. */
export const SHARED_ORDER_START = new RegExp(`^we (?:${WORK_VERBS})\\b`, 'i');

const COLON =
  /^(?: (?:this|that|the following|these(?: things| rules)?|down))?(?: for (?:the future|later|next time|future reference|me))?(?: please)?\s*(?:[:：]|\s[-–—]\s)\s*/i;
const THAT = /^(?: (?:for (?:the future|later|next time)|going forward|please|down))?,? that\s+/i;

/** "Remember that bug?" points at something; "remember that bugs go to Linear" tells something. */
const POINTING =
  /^(?:time|bug|issue|file|function|thing|day|one|error|conversation|discussion|chat|pr|commit|script|test|trick|part|place|problem|guy|moment|meeting|change|fix|branch|config|method|class|page|ticket|idea|stuff|feature|service|endpoint|code|comment|email|message|night|week|article|post|talk|library|table|query|feeling|for\b|from\b|about\b|with\b)(?:\b|$)(?! (?:must|should|needs|has to|may|can|always|never)\b)/i;
const THE_CODE_AT_HAND =
  /^(?:this|that|these|those|the above) (?:function|file|method|class|test|variable|line|component|endpoint|query|loop|branch|pr|code|module|script|error|bug|one|change|commit|field|column|button|page|is|was|will|needs|should|has|means|works)\b/i;
const TALK =
  /^(?:i|we|you|he|she|they)(?:'ve| have| had)?(?: already| just| also)? (?:said|told|asked|mentioned|talked|discussed|tried|saw|spoke|looked|did)\b|^i (?:want|need) (?:this|that|it|you)\b/i;
const STORY =
  /^(?:i|we|you)(?:'d| had)? (?:had|were|was|made|changed|wrote|broke|ran|got|used|fixed|added|went|built|found|needed|wanted|decided|did|have to|need to|still|also)\b/i;
const EVERY_TIME =
  /\b(?:always|never|every ?time|each time|any ?time|whenever|(?:before|after|on|with|for) (?:every|each)|from now on|going forward)\b/i;

/** Notes of this kind may be followed by any statement; after "remember" more is needed. */
const PLAIN_NOTES = new Set(['note to self', 'save to memory', 'for future reference', 'make a note', 'keep in mind']);

/** Where the thing to be kept begins in the words behind the cue; null when there is none. */
export function readRemembered(rest: string, cue: Cue): number | null {
  switch (cue.language) {
    case 'en':
      return readEnglish(rest, cue);
    case 'de':
      return readGerman(rest);
    case 'zh':
      return readChinese(rest, cue);
  }
}

function readEnglish(rest: string, cue: Cue): number | null {
  const colon = COLON.exec(rest)?.[0].length;
  if (colon !== undefined) return isFit(rest.slice(colon)) ? colon : null;
  const that = THAT.exec(rest)?.[0].length;
  if (that !== undefined) {
    const words = rest.slice(that);
    return isFit(words) && !POINTING.test(words) && !THE_CODE_AT_HAND.test(words) && !TALK.test(words) ? that : null;
  }
  const gap = /^[,\s]+/.exec(rest)?.[0].length;
  if (gap === undefined) return null;
  const words = rest.slice(gap);
  if (PLAIN_NOTES.has(cue.name)) return isFit(words) && !/^(?:of|about|to)\b/i.test(words) ? gap : null;
  const order = /^(?:to|not to) /i.exec(words)?.[0];
  if (order !== undefined) {
    // "Remember to push" is over once it is done; "remember to always push" is not.
    return EVERY_TIME.test(words) && order.toLowerCase() === 'to ' ? gap + order.length : null;
  }
  const isOwn = /^(?:my|our|we|we're|we've|i'm|i am|i|i've|never|always|no) /i.test(words);
  return isOwn && isFit(words) && !TALK.test(words) && !STORY.test(words) ? gap : null;
}

/** Not only "this", and not for later. */
function isFit(words: string): boolean {
  return (
    !/^(?:this|that|it|these|those|them|me|him|her|us)?[\s.,!]*$/i.test(words) &&
    !/\b(?:right|correct|remember|no)\s*\?$/i.test(words)
  );
}

function readGerman(rest: string): number | null {
  const lead =
    /^(?: bitte| mal| für die zukunft| auch)*(?:,? (?=dass )|\s*:\s*|,\s+(?=(?:wir|ich|mein|meine|unser|unsere)\s))/i.exec(
      rest,
    )?.[0];
  if (lead === undefined) return null;
  return /^(?:das|es|dies)?[\s.!]*$/i.test(rest.slice(lead.length)) ? null : lead.length;
}

function readChinese(rest: string, cue: Cue): number | null {
  const lead = /^(?:了|一下|着)?[\s，,：:]*/.exec(rest)![0].length;
  const words = rest.slice(lead);
  if (/^(?:这个|那个|这些|它|这点|这一点|上次|刚才|之前|吗|我说|我们说)/.test(words) || words === '') return null;
  // "记住要跑测试" is a task; with "every time" it is a rule.
  if (/^(?:要|得|先|把|去|在.{0,8}(?:前|后)要?)/.test(words) && !/每次|总是|都|一直|永远/.test(words)) return null;
  if (cue.name === '别忘了' && !/^(?:我|我们|这个项目|项目|团队|咱们)/.test(words)) return null;
  return lead;
}

const REASON =
  /[\s,;，]+(?:because|since(?= (?:i|we|it|it's|they|that|this|our|my|the|you|otherwise)\b)|so that|weil|damit|denn(?= )|otherwise|sonst)\s+|[\s,，;；]*(?:因为|否则|不然)[，,\s]*/i;
/** These tell what would happen, and make no sense without their first word. */
const KEEPS_FIRST_WORD = /^(?:so that|damit|otherwise|sonst|否则|不然)/i;

export interface Reason {
  /** Where the rule ends and where its reason begins. */
  readonly ruleTo: number;
  readonly whyFrom: number;
}

export function splitReason(words: string): Reason | null {
  const found = REASON.exec(words);
  if (found === null || found.index === 0) return null;
  const behind = found.index + found[0].length;
  if (words.slice(behind).trim().length < 3) return null;
  const marker = found[0].replace(/^[\s,;，；]+/, '');
  return { ruleTo: found.index, whyFrom: KEEPS_FIRST_WORD.test(marker) ? behind - marker.length : behind };
}

/** What follows a statement about the person is the matter at hand: "I'm a designer, so can you …". */
const TAIL =
  /(?:[,;，]|\s[-–—])\s*(?:so|but|and (?:i|we|can|could|would|need|want|now|please|how|what|this|it)|can|could|would|please|what|how|why|is|are|do|does|which|should|i need|i want|i'd like|i was|i am trying|help|let's|let me|now|also|aber|und (?:ich|kannst)|kannst|wie|was|所以|但是?|请|能|可以|帮我|怎么|你)(?![\p{L}'])|\s(?:and|so) (?:i (?:want|need|have to)|i'm|i'd|can|could|please|need|want)\s|\sso (?!that\b|far\b|much\b|many\b)/iu;

export function cutTail(masked: string, from: number): number {
  const tail = TAIL.exec(masked.slice(from));
  return tail === null ? masked.length : from + tail.index;
}
