/** The words of find: starting points, then an expression of tests that only read. Its actions that run, write, delete or follow are not known here. */

import { locate, type Place, type Places } from './place.ts';
import { refuse } from './refuse.ts';

const WITHOUT_VALUE = new Set(
  (
    '( ) ! , -a -and -o -or -not -true -false -empty -readable -writable -executable -nouser -nogroup ' +
    '-depth -daystart -mount -xdev -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn ' +
    '-print -print0 -ls -prune -quit'
  ).split(' '),
);
const WITH_VALUE = new Set(
  (
    '-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -size -perm ' +
    '-user -group -uid -gid -inum -links -fstype -used -mtime -mmin -atime -amin -ctime -cmin -mindepth -maxdepth -printf'
  ).split(' '),
);
/** Tests against another file, whose facts they tell. */
const WITH_FILE = /^-(?:newer|anewer|cnewer|samefile|newer[aBcm][aBcm])$/;
const WITH_DATE = /^-newer[aBcm]t$/;

/** Whether find takes the word, and all behind it, for its expression. */
export function beginsExpression(word: string): boolean {
  return word.startsWith('-') || ['(', ')', '!', ','].includes(word);
}

export function readFindWords(words: readonly string[], places: Places): Place[] {
  const rest = words[0] === '-P' ? words.slice(1) : words;
  const expressionStart = rest.findIndex(beginsExpression);
  const starts = expressionStart === -1 ? rest : rest.slice(0, expressionStart);
  const expression = expressionStart === -1 ? [] : rest.slice(expressionStart);
  const found = (starts.length === 0 ? ['.'] : starts).map((start) => locate(start, places));
  for (let at = 0; at < expression.length; at += 1) {
    const word = expression[at]!;
    if (WITHOUT_VALUE.has(word)) continue;
    const isFile = WITH_FILE.test(word);
    if (!isFile && !WITH_DATE.test(word) && !WITH_VALUE.has(word)) refuseWord(word);
    at += 1;
    const value = expression[at];
    if (value === undefined) refuse(`find ${word} needs a value`);
    if (isFile) found.push(locate(value, places));
  }
  return found;
}

function refuseWord(word: string): never {
  if (!beginsExpression(word)) refuse(`find ${word}: folders come first, then tests; quote patterns`);
  return refuse(
    `find ${word} is not on the list of tests that only read here; allowed are ${[...WITHOUT_VALUE, ...WITH_VALUE].join(' ')} -newer -newerXY -samefile`,
  );
}
