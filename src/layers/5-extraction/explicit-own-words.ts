/** The sentences of a message that are the user's own: without code, quotes, logs, pasted text and what was injected. */

import { withoutInjected } from '../../lib/injected-text.ts';
import { stripInvisible } from '../../lib/visible-text.ts';
import type { Limits } from '../../limits.ts';

export interface Sentence {
  /** As written. */
  readonly text: string;
  /** The same length; what is quoted or code is blanked, so that no cue is found in it. */
  readonly masked: string;
  /** It is an item of a list. */
  readonly isItem: boolean;
}

/** Stands for a character that is quoted. */
const BLANK = '\ue000';

const QUOTED =
  /`[^`\n]+`|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』|"[^"\n]*"|‘[^’\n]*’(?!\p{L})|(?<![\p{L}\p{N}])'(?=\S)[^'\n]*\s[^'\n]*'(?![\p{L}\p{N}])/gu;

/** Lines that a program wrote, or that somebody pasted. */
const FOREIGN = [
  String.raw`[>＞|{}\[\]]`, // quotes of mails, tables, data
  String.raw`#{1,6}\s`, // headings of documents
  String.raw`\/\/|\/\*|\*\/|#!`,
  String.raw`\[?\d{4}-\d\d-\d\d|\[?\d{1,2}:\d\d(?::\d\d)?\b`,
  String.raw`\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|NOTICE|FAIL|PASS)\b`,
  String.raw`(?:\w*(?:Error|Exception|Warning)|Traceback|Caused by|panic|npm (?:ERR|WARN))\b[^.]*[:!(]`,
  String.raw`at \S+ ?\(|File "`,
  String.raw`\$ |% |\.\.\. |[\w.-]+@[\w.-]+[:~]`,
  String.raw`commit [0-9a-f]{7,}|Author:|Date:|diff --git|@@ |--- |\+ ?\S`,
  String.raw`(?:const|def|function|SELECT|INSERT)\s[^.]*[({;=*]|import\s.*\sfrom\s["']|from\s\S+\simport\s`,
];
const FOREIGN_LINE = new RegExp(`^\\s*(?:${FOREIGN.join('|')})`);

/** `Bob: always use tabs` is Bob's word; a label such as `Rule:` is the user's. */
const SPEAKER_LINE = /^\s*(?:\*\*)?@?\p{Lu}[\p{L}\d._-]*(?: \p{Lu}[\p{L}\d._-]*)?(?: ?\([^)]*\))?(?:\*\*)?:(?:\*\*)? /u;
const LABEL_LINE =
  /^\s*(?:\*\*)?(?:remember|reminder|notes?|rules?|important|ps|btw|fyi|also|feedback|preferences?|conventions?|policy|correction|request|general|style|please|ok|okay|hint|memory|save|merke?|wichtig|regel|hinweis|bitte|wunsch)\b/i;
const CHINESE_SPEAKER = /^\s*(?!请?记住|注意|规则|以后|今后|从现在|备注|偏好|另外|补充)\p{L}{1,8}：/u;

/** A lead that a list of wishes may follow; any other line that ends with a colon announces something pasted. */
const LIST_LEAD =
  /\b(?:remember|memory|from now on|from here on|going forward|moving forward|note to self|for future reference|in future|in the future|always|never|rules?|preferences?|i prefer|merke?n?|ab (?:jetzt|sofort)|von nun an|in zukunft|künftig)\b|记住|以后|今后|从现在|偏好/i;

const LIST_ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s+/;

export function ownSentences(message: string, limits: Limits['explicit']): readonly Sentence[] {
  const text = withoutInjected(stripInvisible(message).text.replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n'));
  const paragraphs = ownParagraphs(text.split('\n'), limits);
  return paragraphs.flatMap((lines) => joinWrapped(lines).flatMap(sentencesOf));
}

function ownParagraphs(lines: readonly string[], limits: Limits['explicit']): readonly (readonly string[])[] {
  const paragraphs: string[][] = [];
  let paragraph: string[] = [];
  let isAnnounced = false;
  const finish = () => {
    // What a colon announced at the end of a paragraph is the paragraph after it.
    const lead = paragraph.at(-1);
    if (!isAnnounced) paragraphs.push(paragraph);
    isAnnounced = lead !== undefined && announcesPaste(lead);
    paragraph = [];
  };
  for (const line of withoutCode(lines)) {
    if (line.trim() === '') {
      if (paragraph.length > 0) finish();
    } else paragraph.push(line);
  }
  finish();
  const own = paragraphs
    .filter((one) => lengthOf(one) <= limits.pastedCharacters)
    .map(ownLines)
    .filter((one) => one.length > 0);
  return paragraphs.reduce((sum, one) => sum + lengthOf(one), 0) > limits.documentCharacters
    ? [...new Set([own[0], own.at(-1)])].filter((one) => one !== undefined)
    : own;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0);
}

function* withoutCode(lines: readonly string[]): Generator<string> {
  let fence: string | null = null;
  for (const line of lines) {
    const mark = /^\s*(?:[-*]\s+)?(```|~~~)/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (fence === mark) fence = null;
      yield '';
    } else if (fence === null) yield /^(?: {4}|\t)/.test(line) && !LIST_ITEM.test(line) ? '' : line;
  }
}

function ownLines(lines: readonly string[]): readonly string[] {
  const own: string[] = [];
  for (const line of lines) {
    if (!isForeign(line)) own.push(line);
    if (announcesPaste(line)) break;
  }
  return own;
}

function isForeign(line: string): boolean {
  const words = line.replace(LIST_ITEM, '');
  return FOREIGN_LINE.test(words) || isSpeaker(words);
}

function isSpeaker(line: string): boolean {
  return CHINESE_SPEAKER.test(line) || (SPEAKER_LINE.test(line) && !LABEL_LINE.test(line));
}

function announcesPaste(line: string): boolean {
  return /[:：]\s*$/.test(line) && !LIST_LEAD.test(line);
}

/** A line that was broken for its length goes on in the next one. */
function joinWrapped(lines: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    const goesOn =
      last !== undefined && last.length >= 60 && /[\p{L}\p{N},]$/u.test(last.trimEnd()) && /^\p{Ll}/u.test(line);
    if (goesOn) joined[joined.length - 1] = `${last.trimEnd()} ${line}`;
    else joined.push(line);
  }
  return joined;
}

const SENTENCE_END = /[.!?…]+(?=["'”’)\]*_]*(?:\s|$))|[。！？；]+|;(?=\s)/gu;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|mr|mrs|ms|dr|no|z\.\s?b|d\.\s?h|bzw|u\.\s?a|ca|usw|st)$/i;

function sentencesOf(line: string): readonly Sentence[] {
  const mark = LIST_ITEM.exec(line)?.[0] ?? '';
  const text = line.slice(mark.length).replace(/\*\*|__/g, '');
  const masked = text.replace(QUOTED, (quoted) => BLANK.repeat(quoted.length)).replaceAll('’', "'");
  const sentences: Sentence[] = [];
  let from = 0;
  const cut = (to: number) => {
    const piece = text.slice(from, to);
    const start = from + (piece.length - piece.trimStart().length);
    const end = start + piece.trim().length;
    if (end > start)
      sentences.push({ text: text.slice(start, end), masked: masked.slice(start, end), isItem: mark !== '' });
    from = to;
  };
  for (const end of masked.matchAll(SENTENCE_END)) {
    if (end[0] === '.' && ABBREVIATION.test(masked.slice(from, end.index))) continue;
    cut(end.index + end[0].length);
  }
  cut(text.length);
  return sentences;
}
