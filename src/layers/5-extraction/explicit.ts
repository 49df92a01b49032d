/** Keeps what the user asks to be kept, without a model: a sentence that opens like a request or says who they are, and nothing else. */

import { withAbsoluteDates } from '../../base/dates/relative-dates.ts';
import { fenceFollower } from '../../base/markdown/marks.ts';
import { fold } from '../../base/text/fold.ts';
import { withoutInjected } from '../../base/text/injected-text.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';
import { asksToRemember, isOptOut } from '../../memory/gate/phrases.ts';
import { readTyped, type TypedSentence } from '../../memory/gate/typed.ts';
import { mayAsk } from './explicit-hints.ts';
import { type Cue, lead, openings } from './explicit-openings.ts';
import { capital, type ExplicitMemory, shapeMemory, typeOfStatement } from './explicit-shape.ts';

/** A longer paragraph, in characters, was pasted, not said. */
const PASTED_CHARACTERS = 1_000;
/** In a longer message, in characters, only the first and last paragraph count as the user's own words. */
const DOCUMENT_CHARACTERS = 3_000;
/** Memories taken from one message; anyone who says more at once is dictating a document. */
const MOST_MEMORIES = 10;

export type { ExplicitMemory };

export interface ExplicitFacts {
  readonly now: Date;
}

export function extractExplicit(userText: string, facts: ExplicitFacts): readonly ExplicitMemory[] {
  return findExplicit(userText, facts).memories;
}

/** With how many wishes of the message are left out. */
export function findExplicit(
  userText: string,
  facts: ExplicitFacts,
): { readonly memories: readonly ExplicitMemory[]; readonly omitted: number } {
  const sentences = ownSentences(userText);
  if (sentences.some(({ text }) => SPEAKS_TO_A_MODEL.test(text) || isOptOut(text))) return { memories: [], omitted: 0 };
  const memories = new Map<string, ExplicitMemory>();
  for (const sentence of sentences) {
    const kept = wishesIn(sentence).find((wish) => isKept(wish, sentences.length));
    if (kept === undefined) continue;
    const memory = shapeMemory({ ...kept, quote: sentence.text, now: facts.now });
    const key = fold(memory.description);
    if (!memories.has(key)) memories.set(key, memory);
  }
  return {
    memories: [...memories.values()].slice(0, MOST_MEMORIES),
    omitted: Math.max(0, memories.size - MOST_MEMORIES),
  };
}

/** Whether the user's own words contain a cue at all, even one not clear enough to keep without a model. */
export function hasCue(userText: string): { cue: string } | null {
  for (const sentence of ownSentences(userText)) {
    const [wish] = wishesIn(sentence);
    if (wish !== undefined && !isOptOut(sentence.text)) return { cue: wish.cue };
  }
  return null;
}

/** "Remember …", "add to memory: …": asked for in so many words. */
export function asksOutright(userText: string): boolean {
  return ownSentences(userText).some(
    (sentence) => !isOptOut(sentence.text) && wishesIn(sentence).some(({ cue }) => cue === 'remember'),
  );
}

/** A prompt that was pasted, or is being written. */
const SPEAKS_TO_A_MODEL = /^you are (?:an?|the) (?!bit\b|genius\b|star\b|hero\b|legend\b|best\b)/i;

interface Wish {
  readonly cue: Cue;
  /** What follows the opening; null when nothing does. */
  readonly rest: string | null;
}

/** After a comma only what is plain anywhere, and not somebody else's words. */
const NEXT_CLAUSE = /[,;，；]\s*|\s[-–—]\s/gu;
const NOT_OWN =
  /\b(?:sa(?:id|ys?|ying)|told|tells|asked|wrote|suggests?|recommends?|thinks?|if|when|whenever|unless|once|whether|suppose|imagine|pretend|would|might|wenn|falls|sagte?|meinte?|angenommen|si|dit|disait|dice|dijo|se|ha detto|disse|als|zei)\b|если|сказал|说|如果|假如|比如|让我|と言|もし|라고|만약/iu;

function wishesIn(sentence: TypedSentence): readonly Wish[] {
  const text = readable(sentence.text).replace(/\*\*|__/g, '');
  if (!mayAsk(text)) return [];
  const starts = [0, ...[...text.matchAll(NEXT_CLAUSE)].map(({ 0: comma, index }) => index + comma.length)];
  return starts.flatMap((start) => {
    if (start > 0 && NOT_OWN.test(text.slice(0, start))) return [];
    return openingsOf(text.slice(start)).flatMap(({ cue, opening, rest }): Wish[] => {
      const isPlain = start === 0 || cue === 'remember' || cue === 'from now on';
      if (!isPlain || !sentence.own.includes(fold(opening))) return [];
      if (sentence.isQuestion && !(cue === 'remember' && ASKED.test(text) && asksToRemember(text))) return [];
      return [{ cue, rest }];
    });
  });
}

/** As the openings are spelt; a text in NFC keeps its length. */
function readable(text: string): string {
  return text.normalize('NFC').replace(/[‘’]/g, "'");
}

/** How a clause opens, in each way that it does. */
function openingsOf(text: string): readonly (Wish & { readonly opening: string; readonly after: string })[] {
  const clause = text.replace(lead(), '');
  return openings().flatMap(({ cue, seen, kept }) => {
    const opening = seen.exec(clause)?.[0];
    if (opening === undefined) return [];
    const whole = (kept ?? seen).exec(clause)?.[0];
    const rest = whole === undefined ? null : withoutJoint(clause.slice(whole.length));
    return [{ cue, opening, rest, after: clause.slice(opening.length) }];
  });
}

function withoutJoint(text: string): string {
  return text.replace(/^[\s,:，：]+/, '').trim();
}

/** "Can you please remember that …?" asks for it; "remember that bug?" asks about it. */
const ASKED = /^.{0,20}(?:can|could|would|will) you please /i;

const HERE =
  '(?! ?(?:project|repo|codebase|team|company|machine|projekt|projet|proyecto|progetto|projeto|проект|项目|仓库))';

/** For the work at hand, or about something that the sentence does not name. */
const FOR_THE_CONVERSATION =
  /\b(?:for now|for the moment|for the time being|just (?:this )?once|for the rest of)\b|\b(?:for|in|during) (?:this|the current) (?:task|session|chat|conversation|change|pr|commit|request|question|step)\b|\buntil (?:you|i) (?:finish|are done|say|tell)|vorerst|diesmal|pour l'instant|por ahora|por agora|per ora|voorlopig|пока что|暂时|这次|今回|とりあえず|일단|이번/iu;
const FOR_NOW = new RegExp(
  [
    String.raw`\b(?:right now|at the moment|today|tonight|temporarily|yet|this time|after (?:that|this))\b`,
    String.raw`\b(?:until|while) (?:i|we|you|it|this|that|the)\b|\b(?:when|once|after|before|as soon as) (?:i|we|you|it)?(?:'re| are|'s| is)? ?(?:done|finish(?:ed)?|ready|start|continue)\b`,
    String.raw`\b(?:for|in|on|with|during|of|to|about) (?:this|that|these|those|it|the current|the following)\b${HERE}`,
    String.raw`^\W*(?:\S+ ){0,2}(?:this|that|these|those|it|them|anything)\b(?! you )${HERE}`,
    String.raw`\b(?:put|add|write|copy|paste) (?:that|this|it) (?:in|into|to|on)\b`,
    String.raw`\b(?:gerade|momentan|im moment|heute|erstmal|fürs erste|in diese[rm] \p{L}+|en train de|en este|in questo|neste|in deze)\b${HERE}`,
    `сейчас|目前|现在先|正在|还在|这个${HERE}|本次|先这样|今は|この(?!プロジェクト)|지금은|이 (?!프로젝트)`,
  ].join('|'),
  'iu',
);
/** At the work at hand; behind "from now on" it is the project. */
const RIGHT_HERE = /\b(?<!around |over )here\b/i;
/** Temporary reasons: somebody is doing something. A few words ending in -ing are not activities. */
const PASSING_REASON =
  /\b(?:i'm|i am|we're|we are|he's|she's|they're|is|are|it's) (?:still |just |currently )?(?!confusing|annoying|distracting|misleading|boring|nothing|something|anything)[a-z-]+ing\b|\b(?:still|currently|already|down)\b|i want to/i;
/** A choice between the options at hand does not show a lasting preference. */
const CHOICE =
  /^(?:(?:the|die|das|den|la|le|el|il|o|de|het) )?(?:first|second|third|last|latter|former|other|new|old|current|simpler|shorter|previous|above|your|yours|option|approach|solution|version|variant|plan|[a-d1-9]\b|erste|zweite|letzte|andere|deine?|première|deuxième|seconde|premier|autre|primer|segund|otr|prim[ao]|seconda?|altr|primeir|outr|eerste|tweede|andere|перв|втор|друг|эт|это|ce|cette|ça|est[eao]|quest|dit|deze)|^(?:这|那|第|你的|它|一下|前者|后者|方案|选项|これ|それ|この|その|이|그)/iu;

/** What is corrected lies before the user's eyes: the next task has another. */
const POINTS_AT = new RegExp(
  [
    `\\b(?:this|that|these|those|dies\\p{L}*|ce(?:t|tte|s)?|est[eao]s?|quest\\p{L}*|dit|deze)\\b${HERE}`,
    String.raw`\b(?:it|its|below|above|line \d+|the (?:first|second|third|last|latter|former|other|new|old|current|previous)|die|jen\p{L}*)\b`,
    'эт(?:о|у|от|и)(?!\\p{L})|这(?!里|个项目)|那|これ|それ|この(?!プロジェクト)|その|이거|그거',
  ].join('|'),
  'iu',
);

/** In a long message "always" more often says how a program should behave than how to work. */
const FEW_SENTENCES = 6;
const LONGEST_CHARACTERS = 600;

function isKept(wish: Wish, sentences: number): wish is Wish & { readonly rest: string } {
  const { cue, rest } = wish;
  if (rest === null || rest.length > LONGEST_CHARACTERS || FOR_THE_CONVERSATION.test(rest)) return false;
  const words = rest.replace(/[\s.!?。！？]+$/u, '');
  if (cue !== 'always' && words.split(/\s+/).length < 2 && !/[\u3040-\u9fff\uac00-\ud7af]{2}/u.test(words))
    return cue === 'about me' || (cue === 'I prefer' && /^\p{L}{3,}$/u.test(words) && !isForNow(words, cue));
  if (cue === 'remember' || cue === 'about me') return !/^(?:this|that|it)?[^\p{L}\p{N}]*$/iu.test(words);
  if (cue === 'always' && sentences > FEW_SENTENCES) return false;
  if (cue === "don't … because" && PASSING_REASON.test(words)) return false;
  if (cue === 'I prefer' && CHOICE.test(words)) return false;
  // "Here" is where a rule of the project holds.
  if (cue === 'we use … not' || cue === 'no, use … instead') return !POINTS_AT.test(words);
  const [clause = ''] = words.split(/[,;，；]|\b(?:because|since|weil)\b|因为/u, 1);
  return !isForNow(clause, cue);
}

function isForNow(text: string, cue: Wish['cue']): boolean {
  return FOR_NOW.test(text) || (cue !== 'from now on' && RIGHT_HERE.test(text));
}

/** A text that is a memory whatever it says: without the words that only ask to keep it; type, name and description by its first line. */
export function proposeMemory(
  text: string,
  now: Date,
): Pick<ExplicitMemory, 'type' | 'name' | 'description' | 'scope' | 'body'> {
  const body = statementIn(text.normalize('NFC').trim());
  const [line = body] = body.split('\n', 1);
  const first = line.replace(/^#+\s+/, '');
  const opens = openingsOf(readable(first)).find(({ cue, rest }) => !isRequest(cue) && rest !== null);
  const cue = opens?.cue ?? 'remember';
  const asked = { cue, rest: opens?.rest ?? first, quote: first, now };
  const type = opens === undefined ? typeOfStatement({ whole: first, core: first.replace(lead(), '') }) : undefined;
  const memory = shapeMemory({ ...asked, type });
  return { ...memory, body: memory.type === 'feedback' ? body : withAbsoluteDates(body, now) };
}

/** "And remember: X", "note that X": X is what is said. */
function statementIn(text: string): string {
  const [line = ''] = text.split('\n', 1);
  for (const { cue, rest, after } of openingsOf(readable(line))) {
    // French elides: what follows "notez qu" is not a word.
    const said = rest ?? (cue === 'note that' && /^\s/.test(after) ? after.trim() : '');
    if (isRequest(cue) && said !== '') return capital(text.slice(line.trimEnd().length - said.length));
  }
  return text;
}

function isRequest(cue: Cue): boolean {
  return cue === 'remember' || cue === 'note that';
}

// Which parts of a message are the user's own words: no lists, logs, mails, tables, code, nor long or announced pieces.

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

/** `Bob: use tabs` is what Bob said; a label such as `Rule:` is the user's. */
const SPEAKER = /^\s*(?:\*\*)?@?\p{Lu}[\p{L}\d._-]*(?: \p{Lu}[\p{L}\d._-]*)?(?: ?\([^)]*\))?(?:\*\*)?: /u;
const LABEL =
  /^\s*(?:\*\*)?(?:remember|reminder|note|rule|important|ps|btw|fyi|feedback|preference|request|memory|save|please|merke?|wichtig|regel|hinweis|bitte|important|rappel|note|importante|nota|regola|regra|onthoud|regel|запомни|важно)/i;

/** A pasted mail continues to the end of the message. */
const MAIL =
  /^(?:(?:From|To|Subject|Sent|Cc|Von|An|Betreff|De|À|Objet|Para|Asunto|Assunto|Da|Oggetto|Van|Aan|Onderwerp|От|Тема): \S|-{3,} ?Original|.{0,200}\b(?:wrote|schrieb|écrit|escribió|scritto|escreveu|schreef):\s*$)[\s\S]*/mu;
/** A line that ends with a colon announces the next paragraph, or the rest of its own. */
const ANNOUNCED = /(?<=[:：])[ \t]*\n\s*(?:[^\n]*\S[^\n]*(?:\n|$))+/g;
/** A line wrapped for its length. */
const WRAPPED = /(?<=^.{59,500}[\p{L}\p{N},]) ?\n(?=\p{Ll})/gmu;

function ownSentences(message: string): readonly TypedSentence[] {
  const text = withoutInjected(stripInvisible(message).text.replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n'));
  const paragraphs = withoutFences(text.replace(MAIL, ''))
    .replace(ANNOUNCED, '\n\n')
    .split(/\n\s*\n/);
  const own = paragraphs
    .filter(({ length }) => length <= PASTED_CHARACTERS)
    .map((paragraph) => paragraph.split('\n').filter(isOwn).join('\n').replace(WRAPPED, ' '))
    .filter((paragraph) => paragraph.trim() !== '');
  const said = text.length > DOCUMENT_CHARACTERS ? [...new Set([own.at(0), own.at(-1)])] : own;
  return readTyped(said.join('\n\n').slice(0, DOCUMENT_CHARACTERS)).sentences;
}

function isOwn(line: string): boolean {
  return !FOREIGN_LINE.test(line) && (!SPEAKER.test(line) || LABEL.test(line));
}

/** Also one that begins in a list item. */
function withoutFences(text: string): string {
  const isCode = fenceFollower();
  const lines = text.split('\n').map((line) => (isCode(line.replace(/^\s*[-*]\s+/, '')) ? '' : line));
  return lines.join('\n');
}
