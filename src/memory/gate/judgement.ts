/** Nothing negative about a person is kept. Harsh words about a tool are a fact about the tool. In doubt nobody is judged. */

import { formsOf } from '../../base/text/word-forms.ts';
import { judgesInEastAsian } from './judgement-east-asian.ts';
import { JUDGEMENT_WORDS } from './judgement-words.ts';
import { markerOf, sentencesOf } from './parts.ts';

const LANGUAGES = JUDGEMENT_WORDS.map((words) => ({
  people: formsOf(words.people),
  be: formsOf(words.be),
  isBeLeftOut: words.isBeLeftOut ?? false,
  small: formsOf(words.small),
  traits: formsOf(words.traits),
  faults: formsOf(words.faults),
  praise: formsOf(words.praise ?? ''),
}));

type Language = (typeof LANGUAGES)[number];

/** `around` is the memory that the text is from: one that says "his" is about somebody. */
export function hasJudgement(text: string, around = text): boolean {
  return sentencesOf(text).some((line) => {
    const sentence = apart(line.slice(markerOf(line).length).trim());
    if (judgesInEastAsian(sentence)) return true;
    if (NAME_JUDGED.test(sentence) && HIS_OR_HER.test(around)) return true;
    return sentence.split(/[,;()]/).some(judgesInClause);
  });
}

const NAME_JUDGED =
  /^(?!It|This|That|What|Which|\p{L}+(?:thing|body) )\p{Lu}\p{Ll}+ (?:is|was) (?:\p{Ll}+ly |just |so |very )*(?:sloppy|careless|rude|dishonest|moody)\b/u;
const HIS_OR_HER = /\b(?:he|she|his|her|him)\b/i;

/** "He's", "isn't" and "l'utente" in two words each; a dash that stands for "is" as a colon. */
function apart(sentence: string): string {
  return sentence
    .replaceAll('\u2019', "'")
    .replace(/\b(he|she|they|i|you)'(?:s|re|m)\b/gi, '$1 is')
    .replace(/n't\b/g, ' not')
    .replace(/(?<!\p{L})(\p{L}{1,4}')(?=\p{L}{2})/gu, '$1 ')
    .replace(/\s[—–-]\s/g, ' : ');
}

/** "If a customer is rude": nobody is said to be it. */
const IF = formsOf('if when whenever unless whether wenn falls ob als si quand cuando se quando если когда');

const NOT = formsOf(`
  not never no nobody hardly nicht kein//e/er/en nie niemals niet geen nooit pas jamais aucun//e nunca jamás non mai nessun//o/a não ни не
  никогда`);
/** "It is arrogant to assume that" is about nobody. */
const IT = formsOf(
  "it this that there what which es das dies het dit dat il ce c' ça cela esto eso questo isso isto это",
);

function judgesInClause(clause: string): boolean {
  const tokens = clause.toLowerCase().match(/\p{L}[\p{L}\p{N}'-]*|:/gu) ?? [];
  if (tokens.some((word) => IF.has(word))) return false;
  return LANGUAGES.some((language) => tokens.some((_word, at) => isJudged({ tokens, at, language })));
}

interface Place {
  readonly tokens: readonly string[];
  /** Where the word is that may judge. */
  readonly at: number;
  readonly language: Language;
}

function isJudged({ tokens, at, language }: Place): boolean {
  const { people, be, small, traits, faults, praise } = language;
  const word = tokens[at]!;
  const [isTrait, isPraise] = [traits.has(word), praise.has(word)];
  if (!isTrait && !isPraise && !faults.has(word)) return false;
  const isDenied = tokens.slice(0, at).some((each) => NOT.has(each));
  if (isDenied !== isPraise) return false;
  const verb = verbBefore({ tokens, at, language });
  const isBe = be.has(tokens[verb] ?? '');
  const isSaid = isBe || tokens[verb] === ':';
  if (!isSaid && !language.isBeLeftOut) return false;
  const before = tokens.slice(0, isSaid ? verb : verb + 1);
  const subject = before.slice(before.lastIndexOf(':') + 1);
  const isPerson = subject.some((each) => people.has(each));
  const isKnown = subject.every((each) => people.has(each) || small.has(each));
  const isOther = subject.some((each) => !small.has(each) && !IT.has(each));
  return (isPerson && isKnown) || (isTrait && isBe && isOther);
}

/** "is" is not further away than that. */
const MOST_BETWEEN = 6;
const ARTICLE = /^(?:an?|eine?|een|une?|un[ao]|uma?)$/;
const JOINT = /^(?:and|und|en|et|y|e|и)$/;

/** Where "is" or a colon stands, with nothing but small words, "a notorious" or "corrupt and" in between. */
function verbBefore({ tokens, at, language: { be, small } }: Place): number {
  const mayStand = (index: number) => {
    const [before = '', word = '', next = ''] = tokens.slice(Math.max(0, index - 1), index + 2);
    return small.has(word) || NOT.has(word) || ARTICLE.test(before) || JOINT.test(word) || JOINT.test(next);
  };
  let verb = at - 1;
  while (verb > 0 && at - verb < MOST_BETWEEN && !be.has(tokens[verb]!) && tokens[verb] !== ':' && mayStand(verb)) {
    verb -= 1;
  }
  return verb;
}
