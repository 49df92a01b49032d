/** What of a message the user said in their own words: no lists, logs, mails, tables, code, nor long or announced pieces. */

import { withoutInjected } from '../../base/text/injected-text.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';
import type { Limits } from '../../limits.ts';
import { readTyped, type TypedSentence } from '../../memory/gate/typed.ts';

const LIST_ITEM = /^\s*(?:[-*•+]|\d{1,2}[.)])\s+/;

/** Lines that a program wrote, or that somebody pasted. */
const FOREIGN_LINE = new RegExp(
  `^(?: {4}|\\t)|${LIST_ITEM.source}|^\\s*(?:${[
    String.raw`[>＞|{}\[\]+]|#{1,6}\s|\/\/|\/\*|\*\/|#!|@@ |--- |diff --git`,
    String.raw`\[?\d{4}-\d\d-\d\d|\[?\d{1,2}:\d\d(?::\d\d)?\b`,
    String.raw`\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|NOTICE|FAIL|PASS)\b`,
    String.raw`(?:\w*(?:Error|Exception|Warning)|Traceback|Caused by|panic|npm (?:ERR|WARN))\b[^.]*[:!(]`,
    String.raw`at \S+ ?\(|File "|\$ |% |\.\.\. |[\w.-]+@[\w.-]+[:~]|commit [0-9a-f]{7,}`,
  ].join('|')})`,
);

/** `Bob: use tabs` is Bob's word; a label such as `Rule:` is the user's. */
const SPEAKER = /^\s*(?:\*\*)?@?\p{Lu}[\p{L}\d._-]*(?: \p{Lu}[\p{L}\d._-]*)?(?: ?\([^)]*\))?(?:\*\*)?: /u;
const LABEL =
  /^\s*(?:\*\*)?(?:remember|reminder|note|rule|important|ps|btw|fyi|feedback|preference|request|memory|save|please|merke?|wichtig|regel|hinweis|bitte|important|rappel|note|importante|nota|regola|regra|onthoud|regel|запомни|важно)/i;

/** A mail that was pasted goes on to the end of the message. */
const MAIL =
  /^(?:(?:From|To|Subject|Sent|Cc|Von|An|Betreff|De|À|Objet|Para|Asunto|Assunto|Da|Oggetto|Van|Aan|Onderwerp|От|Тема): \S|-{3,} ?Original|.{0,200}\b(?:wrote|schrieb|écrit|escribió|scritto|escreveu|schreef):\s*$)[\s\S]*/mu;
/** A line that ends with a colon announces the paragraph behind it, or the rest of its own. */
const ANNOUNCED = /(?<=[:：])[ \t]*\n\s*(?:[^\n]*\S[^\n]*(?:\n|$))+/g;
/** A line that was broken for its length. */
const WRAPPED = /(?<=^.{59,500}[\p{L}\p{N},]) ?\n(?=\p{Ll})/gmu;

export function ownSentences(message: string, limits: Limits['explicit']): readonly TypedSentence[] {
  const text = withoutInjected(stripInvisible(message).text.replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n'));
  const paragraphs = withoutFences(text.replace(MAIL, ''))
    .replace(ANNOUNCED, '\n\n')
    .split(/\n\s*\n/);
  const own = paragraphs
    .filter(({ length }) => length <= limits.pastedCharacters)
    .map((paragraph) => paragraph.split('\n').filter(isOwn).join('\n').replace(WRAPPED, ' '))
    .filter((paragraph) => paragraph.trim() !== '');
  const said = text.length > limits.documentCharacters ? [...new Set([own.at(0), own.at(-1)])] : own;
  return readTyped(said.join('\n\n').slice(0, limits.documentCharacters)).sentences;
}

function isOwn(line: string): boolean {
  return !FOREIGN_LINE.test(line) && (!SPEAKER.test(line) || LABEL.test(line));
}

/** Also one that begins in a list's item. */
function withoutFences(text: string): string {
  let isFenced = false;
  const lines = text.split('\n').map((line) => {
    const isFence = /^\s*(?:[-*]\s+)?(?:```|~~~)/.test(line);
    if (isFence) isFenced = !isFenced;
    return isFence || isFenced ? '' : line;
  });
  return lines.join('\n');
}
