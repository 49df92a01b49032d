/** Words as the gate compares them: one key for a word and its inflections, months as numbers, grammar left out. */

import { stem } from '../../base/text/stem.ts';

/** One word of a text, with all the keys that it may be met by. */
export interface Word {
  readonly keys: readonly string[];
  /** How much it says about what a text is about. */
  readonly weight: number;
}

const IS_ASCII = /^[\0-\x7f]*$/;

/** Words that carry no topic: of grammar, and of how memories are written. */
const EMPTY = new Set(
  `a about after again all also am an and any are as at be because been before being both but by can could did do does doing done
  down each either else ever every for from further get gets got had has have having he her here hers him his how i if in into is
  it its itself just let like me more most my myself now of off on once only or other our ours out over own please really same she
  should so some such than that the their theirs them then there these they this those through to too under until up very was we
  were what when where whether which while who whom whose why will with would you your yours yes ok okay thing things way
  always must shall may might need needs
  no not never dont doesnt didnt isnt arent wasnt cant wont shouldnt wouldnt couldnt mustnt stop avoid none nor neither without cannot
  nothing nobody nicht nie niemals kein keine keinen keinem keiner keines ohne nunca jamas sin ningun ninguna pas jamais sans aucun
  aucune mai senza nessun nao sem nenhum niet geen nooit zonder
  user users said says say asked asks wants want wanted wish wishes noted applies apply
  aber als am an auch auf aus bei bin bis bitte da das dass dem den der des die du ein eine einem einen einer er es fur hat habe
  haben ich ihr im immer in ist ja kann mal man mein meine mit muss nach noch nur ob oder sein sich sie sind so soll uber um und
  uns unser vom von vor war was weil wenn wer werden wie wir wird wo zu zum zur nutzer benutzer
  a al ante aqui asi con cuando de del desde el ella en es esa ese esta este esto fue ha hay la las le les lo los mas me mi muy
  o para pero por que se ser si siempre sobre son su sus tu un una unas uno unos usted y ya usuario usuaria
  au aux avec ce ces cette dans des du elle en est et eux il ils je la le les leur lui mais mes moi mon ne nos notre nous on ou
  par pour qu que qui sa sans se ses son sont sur ta te toi toujours tout tu un une vos votre vous utilisateur
  ao aos com da das do dos e ele em essa isso mais nas no nos os ou pela pelo sua uma voce gli dei della delle di il lo nel per
  sono sul una het een van voor met niet op te zijn utente
  пользователь пользователя пользователю пользователи
  사용자 사용자는 사용자가 사용자의 사용자를 원한다 원합니다 선호한다 선호합니다`
    .split(/\s+/)
    .map(withoutMarks),
);

/** A date is written down with the number of its month as often as with the name. */
const MONTHS: ReadonlyMap<string, string> = new Map(
  [
    'january jan januar enero janvier',
    'february feb februar febrero fevrier',
    'march mar marz marzo mars',
    'april apr abril avril',
    'may mai mayo',
    'june jun juni junio juin',
    'july jul juli julio juillet',
    'august aug agosto aout',
    'september sep sept septiembre septembre',
    'october oct oktober okt octubre octobre',
    'november nov noviembre novembre',
    'december dec dezember dez diciembre decembre',
  ].flatMap((names, month) => names.split(' ').map((name) => [name, String(month + 1)] as const)),
);
const MONTH_WEIGHT = 0.5;

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+/gu;
const ASCII_WORD = /[a-z0-9]+(?:['\u2019][a-z]+)?/g;
const ANY_WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['\u2019]\p{L}+)?/gu;

/** "l'équipe", "d'emojis", "dell'utente": what is left of a small word before a vowel. */
const ELIDED = /^(?:[cdjlmnst]|qu|dell|all|nell|sull|un)['\u2019](?=\p{L}{2})/u;

/** Inflected languages change the end of a word: long words that begin alike are taken for one. */
const COMMON_BEGINNING = 6;
const SHORT_WORD = 2;

/** Calls back for each word in order; `known` keeps the keys of words that were met before, since long outputs repeat them. */
export function eachWord(text: string, known: Map<string, Word | null>, found: (word: Word) => void): void {
  const isAscii = IS_ASCII.test(text);
  const plain = (isAscii ? text : text.normalize('NFKC'))
    .toLowerCase()
    .replace(/(\d)[,.'\u2019](?=\d{3}(?!\d))/g, '$1');
  const spaced = isAscii ? plain : plain.replace(UNSPACED, (run) => unspaced(run, known, found));
  for (const [written] of spaced.matchAll(isAscii ? ASCII_WORD : ANY_WORD)) {
    let word = known.get(written);
    if (word === undefined) {
      word = wordOf(written);
      known.set(written, word);
    }
    if (word !== null) found(word);
  }
}

function wordOf(written: string): Word | null {
  const bare = withoutMarks(
    written
      .replace(ELIDED, '')
      .replace(/n['\u2019]t$/, 'nt')
      .replace(/['\u2019].*$/, ''),
  );
  const month = MONTHS.get(bare);
  if (month !== undefined) return { keys: [`month-${month}`, month], weight: MONTH_WEIGHT };
  if (EMPTY.has(bare)) return null;
  if (/^0+$/.test(bare)) return null;
  if (/^\d/.test(bare)) return { keys: numberKeys(bare), weight: 1 };
  const stemmed = stem(bare);
  const keys = [stemmed];
  if (bare.length > COMMON_BEGINNING) keys.push(`${bare.slice(0, COMMON_BEGINNING)}-`);
  return { keys, weight: bare.length <= SHORT_WORD ? 0.5 : 1 };
}

/** `15th`, `10k` and `007` are numbers, too. */
function numberKeys(written: string): string[] {
  const [, digits, rest] = /^0*(\d+)(.*)$/.exec(written)!;
  const thousands = rest === 'k' ? '000' : rest === 'm' || rest === 'mio' ? '000000' : '';
  return rest === '' ? [digits!] : [digits! + thousands, digits!, written];
}

function withoutMarks(word: string): string {
  if (IS_ASCII.test(word)) return word;
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ß', 'ss');
}

/** Pairs of neighbours stand for words where nothing is put between them. */
function unspaced(run: string, known: Map<string, Word | null>, found: (word: Word) => void): string {
  if (run.length === 1) found({ keys: [run], weight: 0.25 });
  for (let at = 1; at < run.length; at++) {
    const pair = run.slice(at - 1, at + 1);
    let word = known.get(pair);
    if (word === undefined) {
      word = { keys: [pair], weight: pairWeight(pair) };
      known.set(pair, word);
    }
    if (word !== null) found(word);
  }
  return ' ';
}

/** Kana beside a character are mostly its ending, and change with the sentence. */
function pairWeight(pair: string): number {
  if (GRAMMAR_PAIR.test(pair)) return 0.1;
  return /\p{Script=Hiragana}/u.test(pair) ? 0.25 : 0.5;
}

const GRAMMAR_PAIR = /^[\p{Script=Hiragana}的了是在和请都也就要会用]+$/u;
