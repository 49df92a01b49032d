/** Which language a text is in, by its script and its smallest words: enough to know when words cannot be compared. */

import { speaksToAgents } from './phrasing.ts';
import { isOutside, type Passage } from './voices.ts';
import { eachWord, isNegation, type Word } from './words.ts';

const SMALL_WORDS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    en: 'the and of to is are in that it for with not on this be as have you i we my our your never always use',
    de: 'der die das und ist ich nicht mit ein eine zu den auf für wir bitte immer nie auch bei von dem des im sind',
    es: 'el la los las de que y en es un una por con no para siempre nunca se lo mi su del al está soy',
    fr: 'le la les de et est un une pour dans que je ne pas vous nous toujours jamais des du en sur avec mon',
    pt: 'o os as de e é um uma para não com que em do da sempre nunca eu meu sua no na por',
    it: 'il lo gli di e è un una per non con che sono in del della sempre mai io mio',
    nl: 'de het een en van is niet met voor ik wij altijd nooit op te dat zijn mijn',
  }).map(([language, words]) => [language, new Set(words.split(' '))]),
);
const CLEAR_LEAD = 1.5;

export function languageOf(text: string): string | null {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (/\p{Script=Han}{2}/u.test(text)) return 'zh';
  if (/\p{Script=Hangul}{2}/u.test(text)) return 'ko';
  if (/\p{Script=Cyrillic}{3}/u.test(text)) return 'ru';
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const [first, second] = Object.entries(SMALL_WORDS)
    .map(([language, small]) => ({ language, count: words.filter((word) => small.has(word)).length }))
    .sort((one, other) => other.count - one.count);
  return first!.count >= 2 && first!.count >= CLEAR_LEAD * second!.count ? first!.language : null;
}

/** Words by which somebody states what is to last, where it is not English. */
const LASTING =
  /\b(?:immer|nie|niemals|ab (?:jetzt|sofort)|künftig|in zukunft|merke? dir|ich (?:bin|bevorzuge|arbeite|mag|möchte)|siempre|nunca|a partir de ahora|recuerda|prefiero|soy|trabajo|quiero|toujours|jamais|désormais|retiens|je (?:suis|préfère|travaille|veux)|sempre|prefiro|sou|preferisco|sono|mai|altijd|nooit|ik ben|onthoud)(?!\p{L})|以后|总是|永远|不要|记住|我(?:是|喜欢|希望|习惯|们)|必ず|常に|今後|覚えて|私は|всегда|никогда|запомни|(?<!\p{L})я |僕は|俺は|저는|나는|제가|저희|항상|앞으로|기억해/iu;

/** Names and words that languages share: as many of a text's as this in what was said make it a rendering of that. */
const FEWEST_SHARED = 2;
const SHARED_SHARE = 0.3;
/** Kindred words begin alike: "exámenes" and "exams". */
const KINDRED = 4;

/** Whether the user states it in another language than the text's, and nobody else wants to be heard. */
export function isTranslated(text: string, passages: readonly Passage[]): boolean {
  const language = languageOf(text);
  if (language === null) return false;
  const isPlanted = passages.some(({ voice, lines }) => isOutside(voice) && speaksToAgents(lines.join('\n')));
  if (isPlanted) return false;
  return passages.some(({ voice, lines }) => {
    if (voice !== 'states') return false;
    const said = lines.join(' ');
    const spoken = languageOf(said);
    return spoken !== null && spoken !== language && (LASTING.test(said) || isKindred(text, said));
  });
}

/** Whether a passage is in another language than the text. */
export function isForeign(text: string, passage: string): boolean {
  const [one, other] = [languageOf(text), languageOf(passage)];
  return one !== null && other !== null && one !== other;
}

function isKindred(text: string, said: string): boolean {
  const known = new Map<string, Word | null>();
  const heard = new Set<string>();
  eachWord(said, known, ({ keys }) => {
    for (const key of keys) heard.add(key.slice(0, KINDRED));
  });
  const wanted = new Set<string>();
  eachWord(text, known, (word) => {
    if (!isNegation(word)) wanted.add(word.keys[0]!);
  });
  const shared = [...wanted].filter((key) => key.length >= KINDRED && heard.has(key.slice(0, KINDRED)));
  return shared.length >= FEWEST_SHARED && shared.length >= SHARED_SHARE * wanted.size;
}
