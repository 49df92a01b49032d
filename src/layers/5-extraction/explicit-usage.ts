/** Sentences that say what is used here and what is not, correct a choice, or ask to keep something in mind: one row per language, read as data. */

import type { Language } from '../../base/languages.ts';

interface Row {
  /** "We use X here, not Y". */
  readonly weUse: string;
  /** What takes back a choice, before "use X instead of Y". */
  readonly no: string;
  /** "Use X instead of Y", "X, not Y". */
  readonly instead: string;
  /** "Keep in mind that", "note that". */
  readonly note: string;
  /** Whom a fact is about that lasts; what is about anything else is for the task at hand. */
  readonly ours: string;
}

/** What is used; short, so that two sentences never make one. */
const X = '[^.!?;:]{2,60}?';

// biome-ignore format: a table
export const USAGE_ROWS: Readonly<Record<Language, Row>> = {
  en: {
    weUse: `(?:here |in this (?:project|repo|repository|codebase),? )?we (?:only |always )?(?:use|run|write|deploy|target|ship) ${X}(?:,| -| and) (?:not|never) (?!sure|much|that|because|really|only|very|so)\\p{L}`,
    no: 'no|nope', instead: `(?:please )?(?:use|run|write|call|take|import) ${X} (?:instead of|rather than|,? not) \\p{L}`,
    note: '(?:please )?(?:keep|bear) in mind that|(?:please )?note that', ours: "we|our|my|i(?:'m| am| work| live| only| never| always)|this (?:project|repo|repository|codebase|team|company)|nobody|everyone|never|always|only",
  },
  de: {
    weUse: `(?:hier |in diesem projekt )?(?:(?:verwenden|nutzen|benutzen|nehmen) wir|wir (?:verwenden|nutzen|benutzen|nehmen)) ${X},? (?:nicht|kein\\p{L}*) \\p{L}`,
    no: 'nein|nee', instead: `(?:nimm|nutze?|verwende|benutze|schreibe?)(?: bitte)? ${X} (?:statt|anstatt|anstelle von) \\p{L}`,
    note: '(?:bitte )?(?:beachte|bedenke?)(?: bitte)?,? dass', ours: 'wir|unser\\p{L}*|mein\\p{L}*|ich|dieses (?:projekt|team)|niemand|nie|immer|nur',
  },
  fr: {
    weUse: `(?:ici,? )?(?:on|nous) utilis(?:e|ons) ${X},? (?:et )?(?:pas|non|jamais) \\p{L}`,
    no: 'non', instead: `(?:utilise|utilisez|prends|prenez|écris) ${X} (?:au lieu d|plutôt qu)\\p{L}`,
    note: "(?:garde[zr]?|gardez) (?:bien )?(?:à l'esprit|en tête) qu|notez? (?:bien )?qu", ours: "(?:e |')?(?:nous|on|notre|nos|mon|ma|mes|ce projet|personne)",
  },
  es: {
    weUse: `(?:aquí )?(?:usamos|utilizamos) ${X},? (?:no|nunca) \\p{L}`,
    no: 'no', instead: `(?:usa|usad|utiliza|escribe) ${X} en (?:vez|lugar) de \\p{L}`,
    note: 'ten(?:ed)? presente que|nota que', ours: 'nosotros|nuestr\\p{L}*|mis?|este proyecto|nadie|nunca|siempre|sólo|solo|usamos|trabajamos',
  },
  it: {
    weUse: `(?:qui )?(?:usiamo|utilizziamo) ${X},? (?:non|mai) \\p{L}`,
    no: 'no', instead: `(?:usa|usate|utilizza|scrivi) ${X} (?:invece di|al posto di|anziché) \\p{L}`,
    note: 'tieni presente che|tenete presente che|nota che', ours: 'noi|(?:i |il |la |le )?(?:nostr|mi)\\p{L}+|questo progetto|nessuno|mai|sempre|usiamo|lavoriamo',
  },
  pt: {
    weUse: `(?:aqui )?(?:(?:nós )?(?:usamos|utilizamos)|a gente usa) ${X},? (?:não|nunca) \\p{L}`,
    no: 'não', instead: `(?:use|usa|utilize|escreva) ${X} (?:em vez de|ao invés de|no lugar de) \\p{L}`,
    note: 'tenha em mente que|note que|leve em conta que', ours: 'nós|(?:o |a |os |as )?(?:noss|meu|minha)\\p{L}*|a gente|este projeto|ninguém|nunca|sempre|usamos|trabalhamos',
  },
  nl: {
    weUse: `(?:hier )?(?:(?:gebruiken we|gebruiken wij)|(?:we|wij) gebruiken) ${X},? (?:niet|geen) \\p{L}`,
    no: 'nee', instead: `(?:gebruik|neem|schrijf) ${X} in plaats van \\p{L}`,
    note: '(?:houd?|hou) er rekening mee dat|(?:houd?|hou) in gedachten dat|let op dat', ours: 'we|wij|onze?|mijn|ik|dit (?:project|team)|niemand|nooit|altijd',
  },
  ru: {
    weUse: `(?:здесь |тут |у нас )?(?:мы )?(?:здесь )?используем ${X},? (?:а )?не \\p{L}`,
    no: 'нет', instead: `(?:используй(?:те)?|бери(?:те)?|пиши(?:те)?) ${X} вместо \\p{L}`,
    note: 'обрати(?:те)? внимание,? что|помни(?:те)?,? что', ours: 'мы|у нас|наш\\p{L}*|мой|моя|мои|я|этот проект|никто|никогда|всегда',
  },
  zh: {
    weUse: '(?:在?(?:这里|这个项目里?|本项目))?(?:我们)?(?:这里|统一|都|只)?(?:用|使用)[^。！？；]{1,30}[，,]?(?:不用|不使用|而不是|不是|不要用)\\S',
    no: '不|不是|不对|不行', instead: '(?:请)?(?:用|使用|改用)[^。！？；]{1,30}[，,]?(?:而不是|不要用|别用|代替)\\S',
    note: '请?(?:注意|留意)[，,：:]?', ours: '我们|我|咱们|本项目|这个项目|团队|从不|永远|始终|只',
  },
  ja: {
    weUse: '(?:ここ|このプロジェクト|うち|私たち)(?:で)?は[^。！？]{1,30}(?:ではなく|じゃなくて?)、?[^。！？]{1,30}を使',
    no: 'いや|いいえ|違う|違います', instead: '[^。！？、]{1,30}(?:ではなく|じゃなくて?|の代わりに)、?[^。！？]{1,30}を?使って',
    note: '(?:念のため|注意して(?:ください)?)[、。:：]', ours: '私たち|うち|このプロジェクト|チーム|必ず|絶対',
  },
  ko: {
    weUse: '(?:여기서는|우리는|이 프로젝트에서는) [^.!?]{1,30}(?:말고|대신|아니라) [^.!?]{1,30}(?:사용|써|씁니다|쓴다|쓰고)',
    no: '아니|아니요|아뇨', instead: '[^.!?,]{1,30}(?:말고|대신) [^.!?]{1,30}(?:사용해|써)',
    note: '(?:명심해|유의해)(?: ?(?:줘|주세요))?[,.:]', ours: '우리|저는|나는|이 프로젝트|항상|절대',
  },
};

/** A correction that holds its "no": the lead of a sentence is left out otherwise. */
export const CORRECTION = Object.values(USAGE_ROWS)
  .map(({ no, instead }) => `(?:${no})[,，、.!:]? ?${instead}`)
  .join('|');
