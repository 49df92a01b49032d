/** Which language a text is in, by its script and its smallest words: enough to know when words cannot be compared. */

import type { Language } from '../../base/languages.ts';

const SMALL_WORDS = Object.entries({
  en: 'the and of to is are in that it for with not on this be as have you i we my our your never always use',
  de: 'der die das und ist ich nicht mit ein eine zu den auf für wir bitte immer nie auch bei von dem des im sind',
  es: 'el la los las de que y en es un una por con no para siempre nunca se lo mi su del al está soy',
  fr: 'le la les de et est un une pour dans que je ne pas vous nous toujours jamais des du en sur avec mon',
  pt: 'o os as de e é um uma para não com que em do da sempre nunca eu meu sua no na por',
  it: 'il lo gli di e è un una per non con che sono in del della sempre mai io mio',
  nl: 'de het een en van is niet met voor ik wij altijd nooit op te dat zijn mijn',
} satisfies Partial<Record<Language, string>>).map(
  ([language, words]) => [language as Language, new Set(words.split(' '))] as const,
);
const CLEAR_LEAD = 1.5;

export function languageOf(text: string): Language | null {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (/\p{Script=Han}{2}/u.test(text)) return 'zh';
  if (/\p{Script=Hangul}{2}/u.test(text)) return 'ko';
  if (/\p{Script=Cyrillic}{3}/u.test(text)) return 'ru';
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const [first, second] = SMALL_WORDS.map(([language, small]) => ({
    language,
    count: words.filter((word) => small.has(word)).length,
  })).sort((one, other) => other.count - one.count);
  return first!.count >= 2 && first!.count >= CLEAR_LEAD * second!.count ? first!.language : null;
}

/** Whether both languages are known and differ. */
export function isForeign(text: string, other: string): boolean {
  const [one, two] = [languageOf(text), languageOf(other)];
  return one !== null && two !== null && one !== two;
}

const MIXED =
  /(?=[\p{L}\p{M}]*\p{Script=Latin})(?=[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}])[\p{L}\p{M}]{2,}/u;

/** A word of letters that only look alike was made to deceive: "mаin" with a Cyrillic а. */
export function hasLookAlikes(text: string): boolean {
  return /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(text) && MIXED.test(text);
}
