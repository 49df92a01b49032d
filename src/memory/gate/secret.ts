/** The secret scan as the gate needs it: at once, by our own rules. What is saved passes the whole scan with the maintained rules as well. */

import { findNamedSecrets } from '../../base/secrets/in-words.ts';
import { findPrivateKeys } from '../../base/secrets/keys.ts';
import { findLogins } from '../../base/secrets/logins.ts';
import { findTokens } from '../../base/secrets/tokens.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';

/** What kind of secret a text holds, never the secret; null when it holds none. */
export type FindSecret = (text: string) => string | null;

export function findSecret(text: string): string | null {
  const seen = stripInvisible(text).text;
  for (const reading of new Set([text, seen, seen.replace(/\\([_*~#+=.!-])/g, '$1')])) {
    for (const find of [findTokens, findPrivateKeys, findLogins, findNamedSecrets]) {
      const [found] = find(reading);
      if (found !== undefined) return found.label;
    }
  }
  return findAccessCode(seen);
}

// Codes that open things: of doors, alarms, safes and cards, and the words that open a wallet. Plain digits and words, so only what they
// open tells.

/** What a code opens. Stems, since languages put endings and whole words to them: "Türcode", "домофона". */
const OPENED =
  /door|gate(?!way)|garage|alarm|\bsafe\b|vault|locker|padlock|\block\b|entry|entrance|building|elevator|lock ?box|key ?box|mailbox|intercom|suitcase|luggage|\bbike|\bshed\b|\bcards?\b|\bsim\b|\b(?:phone|tablet|screen|unlock)|tür|\btor\b|eingang|zugang|zutritt|tresor|schließfach|schloss|keller|karte|handy|puerta|portal|garaje|caja fuerte|candado|taquilla|tarjeta|\bporte\b|portail|immeuble|coffre|cadenas|casier|\bcarte\b|porta\b|portone|cancello|allarme|cassaforte|lucchetto|armadietto|portão|cofre|cadeado|cartão|deur|poort|kluis|\bkaart|двер|домофон|ворот|сигнализац|сейф|зам(?:о?к)|подъезд|карт[ыаеу]|门|門|保险[箱柜]|报警|警报|银行卡|车库|锁|ドア|玄関|金庫|警報|カード|ロッカー|현관|(?:^|\s)문|금고|경보|카드|사물함/iu;
const CODE =
  /(?:(?:pass|door|key|pin|digi|tür|alarm|zugangs|zutritts|haus|tresor)?-?code|keypad|combination|combo|kombination|código|clave|combinación|combinaison|codice|combinazione|combinação|senha|combinatie|\bpin(?:code)?\b|(?<!\p{L})(?:код|пин|комбинаци)\p{L}*|密码|密碼|口令|门禁码|暗証番号|コード|비밀번호|코드)/giu;
/** These are codes by name and open nothing. */
const NO_KEY =
  /(?:error|exit|status|return|response|fault|country|postal|post|zip|area|dial(?:l?ing)?|source|qr|bar|dress|course|product|order|promo|discount|coupon|voucher|booking|tracking|colou?r|sort|tax|language|currency|iso|hs|icd|morse|fehler|länder|post|vor|produkt|error|postal|retour|erreur|errore|fout|错误|状态|郵便|エラー|오류|우편)[\s-]?$/iu;
/** "Pin the version to …" is a verb. */
const VERB = /^\s(?:the|all|every|this|that|it|down|an?)\b/i;
const NOT_GIVEN =
  /^[\s-]?(?:reviews?|base|path|freeze|style|owners?|quality|coverage|length|lock|change|names?|words?|of conduct)\b/iu;
/** The value follows the name at once, or what says that it is given. */
const GIVEN =
  /(?:^|[\s:=：]|(?:is|reads|ist|lautet|est|es|son|è|é|это|—|是|为|は|が|는|은|이|가|with|mit|con|avec)\s*:?)\s*["'`(*]{0,2}((?=(?:[^\s\d]{0,3}\d){3})[\p{L}\d][\p{L}\d*#-]{2,15}[#*]?|(?:\d{1,3} ?- ?){2,5}\d{1,3})(?![\p{L}\d])/giu;
const DATE = /^(?:(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?|\d{1,2}-\d{1,2}-(?:19|20)\d\d)$/;
const COUNTED =
  /^\s*(?:%|€|\$|lines?|rows?|days?|hours?|minutes?|seconds?|euros?|dollars?|pages?|files?|users?|people|ms|[kmg]b|digits?|characters?|zeilen|líneas|lignes|righe|linhas|regels|строк|行|tage|stellen|ziffern|días|jours|means|indicates|stands for|bedeutet|significa|signifie)(?!\p{L})/iu;

const CHARACTERS_AROUND = 70;

/** What is given away, never the code; null when nothing is. */
function findAccessCode(text: string): string | null {
  for (const match of text.matchAll(CODE)) {
    const end = match.index + match[0].length;
    const before = lastSentence(text.slice(Math.max(0, match.index - CHARACTERS_AROUND), match.index));
    if (NO_KEY.test(before) || NOT_GIVEN.test(text.slice(end, end + 12))) continue;
    if (/^pin$/i.test(match[0]) && match[0] !== 'PIN' && VERB.test(text.slice(end, end + 8))) continue;
    const after = text.slice(end, end + CHARACTERS_AROUND).split(/\n|[.;](?=\s|$)|[。；]/, 1)[0]!;
    if (isGiven(after, `${before}${match[0]}`)) return 'access code';
  }
  return hasSeedPhrase(text) ? 'recovery phrase' : null;
}

function isGiven(after: string, before: string): boolean {
  for (const given of after.matchAll(GIVEN)) {
    const value = given[1]!;
    const between = after.slice(0, given.index);
    const isOpened = OPENED.test(before) || OPENED.test(between) || /\bPIN\b|暗証番号/.test(before);
    const isCode = !DATE.test(value) || given.index + given[0].length <= value.length + 2;
    if (isOpened && isCode && !COUNTED.test(after.slice(given.index + given[0].length))) return true;
  }
  return false;
}

function lastSentence(text: string): string {
  return text.split(/\n|[.;]\s|[。；]/).at(-1)!;
}

const SEED_NAME =
  /\b(?:seed|recovery|mnemonic|backup|wallet|secret)[\s_-]?(?:phrase|words?|seed|key)|\bmnemonic\b|wiederherstellungs(?:phrase|wörter)|frase (?:semilla|de recuperación|di recupero|semente)|phrase (?:de récupération|secrète)|herstelzin|(?:сид|seed)[- ]?фраз|мнемоник|助记词|シードフレーズ|リカバリーフレーズ|시드 ?(?:구문|문구)|복구 ?(?:구문|문구)/iu;
/** Twelve words or more in a row, numbered or not. */
const SEED_WORDS = /(?:(?:\d{1,2}[.)]\s{0,3})?\b[a-z]{3,8}\b[\s,;|]{1,3}){11,23}(?:\d{1,2}[.)]\s{0,3})?[a-z]{3,8}\b/g;
/** Words of sentences that are in no wallet's list. */
const SENTENCE =
  /\b(?:the|and|for|with|are|was|were|must|from|into|not|has|have|will|they|this|that|then|than|which|when|who|our|his|her|its|der|die|das|und|nicht|los|las|por|que|con|les|des|une|pour|che|del|non|een|het|van)\b/;

function hasSeedPhrase(text: string): boolean {
  if (!SEED_NAME.test(text)) return false;
  return [...text.matchAll(SEED_WORDS)].some(([words]) => !SENTENCE.test(words));
}
