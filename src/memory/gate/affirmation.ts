/** When the user takes over what the assistant just said or asked: a yes in their language, and no "but" behind it. */

import { wordPattern } from './word-pattern.ts';

const BEFORE_IT = '^(?:oh |ah |ok(?:ay)?,? |great,? |good,? |well,? |claro que |ах,? |嗯[，,]? ?)*';

/** Says yes to whatever was said. */
const YES = wordPattern({
  en: `${BEFORE_IT}(?:yes|yep|yeah|yup|exactly|correct|right(?! now| click)|that'?s (?:right|true|correct|it|how)|true|agreed|precisely|absolutely|definitely|confirmed|you'?re right|spot on|perfect|keep doing (?:that|it|this))`,
  de: `${BEFORE_IT}(?:ja|genau|stimmt|richtig|passt so|jawohl)`,
  es: `${BEFORE_IT}(?:sí|si,|exacto|correcto|eso es|así es)`,
  fr: `${BEFORE_IT}(?:oui|exactement|tout à fait|c'est (?:ça|exact))`,
  it: `${BEFORE_IT}(?:sì|esatto|giusto|certo)`,
  pt: `${BEFORE_IT}(?:sim|exato|isso mesmo|certo)`,
  nl: `${BEFORE_IT}(?:klopt|precies|inderdaad)`,
  ru: `${BEFORE_IT}(?:да|верно|точно|именно)`,
  zh: `${BEFORE_IT}(?:对|是的|没错|正是)`,
  ja: '^(?:はい|ええ|そうです|その通り)',
  ko: '^(?:네|예|맞아|맞습니다|그래)(?!\\s?[?？])',
});
/** Lets something be done: it takes over no more than what was asked to be kept. */
const CONSENT = wordPattern({
  words:
    "^(?:ok(?:ay)?|sure|of course|please do|fine|gern|gerne|klar|in ordnung|vale|claro|de acuerdo|d'accord|bien sûr|va bene|d'accordo|volentieri|pode ser|claro que sim|goed|prima|graag|хорошо|конечно|ладно)",
  zh: '^(?:好的?|可以|行|嗯)',
  ja: '^(?:お願いします|いいです|わかりました)',
  ko: '^(?:좋아|그렇게)',
});
const TO_BE_KEPT = wordPattern({
  en: 'remember|keep in mind|note (?:it|that)|from now on|in (?:the )?future|always|prefer',
  de: 'merken|merk|künftig|immer|in zukunft|bevorzug\\w*',
  romance:
    'recuerd\\w*|recuérd\\w*|prefier\\w*|siempre|reten\\w*|retien\\w*|désormais|toujours|préfér\\w*|préfèr\\w*|ricord\\w*|preferisc\\w*|sempre|lembr\\w*|prefer\\w*',
  nl: 'onthoud\\w*|onthouden|voortaan|altijd',
  ru: 'запомн[а-я]*|предпоч[а-я]*|всегда|впредь',
  zh: '记住|以后|总是',
  ja: '覚え|今後|これから',
  ko: '기억|앞으로|항상',
});
const BUT = wordPattern({
  words: 'but|though|except|aber|nur|pero|salvo|mais|sauf|però|exceto|maar|но|только|(?<=, )(?:ma|mas)',
  zh: '但|不过|只有',
  ja: 'でも|けど|ただし|だけ',
  ko: '하지만|지만|다만',
});

/** Whether a message of the user's takes over what the assistant said just before it. */
export function isAffirmed(message: string, before: string): boolean {
  const text = message.trim().toLowerCase().replaceAll('\u2019', "'");
  const first = text.split(/[.!?\n。！？]/, 1)[0]!;
  if (BUT.test(first)) return false;
  if (YES.test(text)) return true;
  return CONSENT.test(text) && (TO_BE_KEPT.test(before.toLowerCase()) || TO_BE_KEPT.test(text));
}
