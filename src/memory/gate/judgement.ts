/** Nothing negative about a person is kept. Harsh words about a tool are a fact about the tool. */

import { formsOf } from '../../lib/word-forms.ts';
import { judgesInEastAsian } from './judgement-east-asian.ts';
import { ENGLISH, type Language, type Meaning, meaningsIn, type Token, tokensOf } from './judgement-language.ts';
import { subjectOf } from './judgement-subject.ts';
import { JUDGED } from './judgement-words.ts';
import { markerOf, sentencesOf } from './parts.ts';

export function hasJudgement(text: string): boolean {
  return sentencesOf(text).some((line) => {
    const sentence = line.slice(markerOf(line).length).trim();
    const tokens = tokensOf(sentence);
    const isSaid = tokens.some(({ word }, at) => meaningsIn(word).some((meaning) => isJudged({ tokens, at, meaning })));
    return isSaid || tellsDeed(tokens) || judgesInEastAsian(sentence);
  });
}

interface Place {
  readonly tokens: readonly Token[];
  /** Where the word is that may judge. */
  readonly at: number;
  readonly meaning: Meaning;
}

function isJudged(place: Place): boolean {
  return isOfPerson(place) || isPredicate(place);
}

const DETERMINERS = formsOf(`
  the this that our my his her their a an der die das den dem unser//e mein//e dieser diese ein//e le la les l' ce cet cette un une mon ma
  notre el los ese esa este esta mi nuestr/o/a il lo quel quella questo questa mio mia o os esse essa meu minha nosso nossa de het deze
  mijn onze этот эта наш наша мой моя тот та`);
const JOINTS = formsOf('and or und oder et ou y e o ed en of и или');
const OF = formsOf("of de d' di del van von");
const ARTICLES = formsOf("a an the ein//e un//e una uno un' um//a een");

/** "The lazy intern", "le stagiaire paresseux": one person, not people in general. */
function isOfPerson({ tokens, at, meaning: { language, kind } }: Place): boolean {
  if (kind === 'skills') return false;
  const isPerson = (index: number) => language.people.has(tokens[index]?.word ?? '');
  const isDeterminer = (index: number) => DETERMINERS.has(tokens[index]?.word ?? '');
  if (isPerson(at + 1)) return at === 0 || isDeterminer(at - 1);
  // "That liar of a mayor."
  if (OF.has(tokens[at + 1]?.word ?? '') && isDeterminer(at - 1)) return isPerson(at + 2) || isPerson(at + 3);
  return language.isNounFirst && isPerson(at - 1) && isDeterminer(at - 2);
}

/** "is" is not further away than that. */
const MOST_BETWEEN = 6;

/** "The landlord is a notorious miser": the word is what somebody is said to be. */
function isPredicate({ tokens, at, meaning: { language, kind } }: Place): boolean {
  let verb = at - 1;
  while (
    verb >= 0 &&
    at - verb <= MOST_BETWEEN &&
    !isVerb(verb, { tokens, language }) &&
    mayStand(verb, { tokens, language })
  )
    verb -= 1;
  const isBe = verb >= 0 && language.be.has(tokens[verb]!.word);
  const isEquated = verb >= 0 && tokens[verb]!.isEquated;
  if (!isBe && !isEquated && !language.isBeLeftOut) return false;
  // "Never be rude", "is not lazy".
  const isDenied = tokens.slice(Math.max(0, verb - 3), at).some(({ word }) => language.not.has(word));
  if (isDenied) return false;
  const subject = subjectOf(tokens.slice(0, isBe ? verb : verb + 1), language);
  if (!isBe && subject === 'unknown') return false;
  return JUDGED[kind].includes(subject);
}

interface Within {
  readonly tokens: readonly Token[];
  readonly language: Language;
}

function isVerb(at: number, { tokens, language }: Within): boolean {
  return language.be.has(tokens[at]!.word) || tokens[at]!.isEquated;
}

function mayStand(at: number, { tokens, language }: Within): boolean {
  const { word, endsClause } = tokens[at]!;
  const [previous = '', next = ''] = [tokens[at - 1]?.word, tokens[at + 1]?.word];
  return (
    endsClause ||
    language.between.has(word) ||
    language.not.has(word) ||
    JOINTS.has(word) ||
    JOINTS.has(next) ||
    ARTICLES.has(previous)
  );
}

/** What somebody does, said of programs too; and what is said of people in more than one word. */
const DEEDS: Readonly<Record<'deeds' | 'phrases', RegExp>> = {
  deeds:
    /(?:^| )(?:never (?:delivers|listens|tests|reads|learns)|always (?:breaks|forgets|late|wrong|complains|messes)|keeps? (?:breaking|forgetting|messing|complaining|screwing)|(?:breaks|messes(?: up)?|screws(?: up)?) everything)(?= |$)/,
  phrases:
    /(?:^| )(?:(?:lies|is lying|keeps lying)(?= to| about|$)|does not (?:care|know what|have a clue)|can ?not be trusted|has no (?:idea|clue)|is (?:a pain|difficult|hard|impossible) to work with|is not (?:very |too |particularly )?(?:bright|smart|competent|clever)|is bad at (?:his|her|their) job)(?= |$)/,
};

function tellsDeed(tokens: readonly Token[]): boolean {
  const text = tokens.map(({ word }) => word).join(' ');
  return (['deeds', 'phrases'] as const).some((kind) => {
    const said = DEEDS[kind].exec(text);
    if (said === null) return false;
    const deed = text.slice(0, said.index).split(' ').filter(Boolean).length;
    const verb = tokens.findIndex(({ word }) => ENGLISH.be.has(word));
    const subject = tokens.slice(0, verb < 0 ? deed : Math.min(verb, deed));
    return JUDGED[kind].includes(subjectOf(subject, ENGLISH));
  });
}
