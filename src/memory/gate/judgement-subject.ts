/** Whom or what a sentence is about, by the words before "is". */

import { formsOf } from '../../lib/word-forms.ts';
import type { Language, Token } from './judgement-language.ts';
import type { Subject } from './judgement-words.ts';

const THINGS = formsOf(`
  api tool//s formatter linter compiler library libraries framework plugin//s driver//s service server//s code build//s test//s suite//s
  script//s editor ide doc//s documentation app//s site network database query queries error//s message//s bug//s parser format file//s
  module//s package//s release version loader loading evaluation planner iterator//s regex regexes algorithm//s cache input header//s
  data it this which these those das dies es ça cela c' esto eso isso isto questo dit dat het это
  treiber programm skript bibliothek werkzeug pilote logiciel outil programme bibliothèque controlador programa herramienta librería
  strumento programma libreria ferramenta biblioteca bibliotheek gereedschap драйвер программа скрипт библиотека инструмент сервер
  код тест`);
const TITLES = formsOf(
  'mr mrs ms dr prof herr frau monsieur madame mme sr sra señor//a sig signor//a dhr mevrouw meneer don doña',
);
const ORIGINS = formsOf('from vom von aus de del di van из');
const WHO = formsOf('who qui quien wer кто который которая');
/** A clause begins here. */
const JOINTS = formsOf(
  'because since while but and weil denn und car et porque pero y perché ma mas omdat maar en но и или',
);
/** What a sentence begins with and no name is. */
const NO_NAMES = formsOf(
  'the this that these those there everything nothing der die das le la les el los il lo o a de het it what',
);
/** Plurals and abstract nouns. */
const NO_NAME = /(?:ers|ors|ies|ions?|ings?|ment|ity|ness|ware|tie|ung|heit|keit|zione|ción|ção)$/;

export function subjectOf(before: readonly Token[], language: Language): Subject {
  const whole = withoutPossessor(lastClause(before));
  const [first, second] = whole;
  if (first === undefined) return 'unknown';
  if (WHO.has(whole.at(-1)!.word)) return 'person';
  if (TITLES.has(first.word)) return 'person';
  if (THINGS.has(first.word)) return 'thing';
  if (isName(first) && !first.word.endsWith('s') && ORIGINS.has(second?.word ?? '')) return 'person';
  const end = whole.findIndex(({ word }, index) => index > 0 && language.tail.has(word));
  const phrase = end < 0 ? whole : whole.slice(0, end);
  const heads = language.isKindLast ? phrase.slice(-1) : phrase;
  if (heads.some(({ word }) => language.user.has(word))) return 'user';
  if (heads.some(({ word }) => language.people.has(word))) return 'person';
  if (phrase.some(({ word }) => THINGS.has(word))) return 'thing';
  if (phrase.length > 2 || !phrase.every(isName)) return 'unknown';
  if (phrase.length === 1) return 'name';
  return language.areNounsCapital ? 'unknown' : 'person';
}

function lastClause(tokens: readonly Token[]): readonly Token[] {
  const end = tokens.findLastIndex(
    ({ word, endsClause }, index) => index < tokens.length - 1 && (endsClause || JOINTS.has(word)),
  );
  return tokens.slice(end + 1);
}

/** What belongs to a person is not the person. */
function withoutPossessor(tokens: readonly Token[]): readonly Token[] {
  return tokens.slice(tokens.findLastIndex(({ word }) => /'s$|s'$/.test(word)) + 1);
}

function isName({ word, isCapital }: Token): boolean {
  return isCapital && !NO_NAMES.has(word) && !NO_NAME.test(word);
}
