/** Whether a clause says what to do or what is the case: only what to do can be the opposite of a rule. */

import type { Negator } from './negation.ts';
import { isOrder } from './phrasing.ts';
import { LETTER, wordPattern } from './word-pattern.ts';

/** `open` where it cannot be told. */
export type Mood = 'order' | 'told' | 'open';

/** What may stand in front of an order. */
const LEAD_IN =
  /^\W*(?:(?:please|pls|and|also|so|ok(?:ay)?|well|just|but|then|now|again|remember|note|hey|btw|in general|generally|as a rule|from now on|going forward|in (?:the )?future|i (?:said|told you|asked you)(?: to)?|i repeat|bitte|und|also|ab jetzt|künftig|por favor|y|s'il (?:te|vous) plaît|et|per favore|e|alsjeblieft|en|пожалуйста|и)(?:\s+|,\s*|:\s*))*/;

const WISH = wordPattern({
  en: "please|pls|always|make sure|be sure|ensure|remember to|i(?:'d| would) (?:like|rather|prefer)|(?:i|we) (?:want|need|expect|prefer|insist|must|should)|let's|you (?:should|must|have to|need to)|(?:must|should|shall|may)(?! i | we )",
  de: `bitte|immer|soll${LETTER}*|darf${LETTER}*|dürf${LETTER}*|(?:ich|wir) (?:will|wollen|möchte${LETTER}*)`,
  es: `por favor|siempre|debe${LETTER}*|quiero|hay que`,
  fr: 'toujours|(?:je|nous) (?:veux|voulons|voudrais)|il faut',
  it: `sempre|deve${LETTER}*|voglio`,
  pt: 'quero',
  nl: 'altijd|moet|graag',
  ru: 'всегда|пожалуйста|нужно|надо',
  zh: '请|必须|总是|^\\s*(?:使?用|采用|写)',
  ja: '必ず|常に|ください|こと[。.]?$',
  ko: '해\\s?주세요|항상',
});

const FORBIDS = wordPattern({
  en: `must|should|shall|may|can|could|need|never|want|wants|like|wish|rather|hates?|dislikes?|against|avoid|prefer${LETTER}*|(?:must|should|ca|need)n'?t|cannot|(?:i|we) (?:do not|don'?t|won'?t)`,
  de: `nie|niemals|will|wollen|möchte${LETTER}*|soll${LETTER}*|darf|dürfen`,
  others: `nunca|jamás|jamais|nooit|никогда|нельзя|quiero|debe${LETTER}*|veux|voglio|quero|wil|moet|mag|хочу`,
  zh: '不要|别|请|禁止|永远|不能|不准|不得|勿|以后|不用',
  ja: 'ないで|禁止|ない(?:こと)?[。.]?$',
  ko: '지\\s?[마말]|않는다|금지',
});

/** What a memory tells of the user, likes and dislikes too. */
const OF_USER =
  /^\W*(?:the user|user|der nutzer|die nutzerin|el usuario|la usuaria|l'utilisateur|l'utente|o usuário|de gebruiker|пользователь|用户|ユーザー|사용자)/;
/** What was not done is no rule. */
const PAST = wordPattern({ en: "(?:did|was|were|has|have|had)(?:n'?t| not)" });

/** Who begins with one of these tells something. */
const TELLING = new RegExp(
  `^(?:the|a|an|this|that|these|those|there|it|he|she|they|our|my|your|their|his|her|its|der|die|das|ein|eine|es|er|sie|wir|ich|du|in|im|unser${LETTER}*|mein${LETTER}*|el|la|los|las|un|una|le|les|il|lo|gli|o|os|as|het|de|een|ik|wij|dit|мы|я|он|она|это)(?!${LETTER})`,
);

/** Of a clause in small letters. */
export function moodOf(clause: string, negators: readonly Negator[]): Mood {
  if (OF_USER.test(clause)) return 'told';
  const text = clause.replace(LEAD_IN, '').trim();
  const [first] = negators;
  if (first === undefined) return WISH.test(clause) || isOrder(text) ? 'order' : 'told';
  if (PAST.test(clause)) return 'told';
  const isFirst = clause.slice(0, first.start).replace(LEAD_IN, '').trim() === '';
  if (isFirst || first.reach === 'swaps' || FORBIDS.test(clause)) return 'order';
  if (first.reach === 'removes') return isOrder(text) || WISH.test(clause) ? 'order' : 'told';
  if (TELLING.test(text)) return WISH.test(clause) ? 'order' : 'told';
  // "Mocks are banned" and "Squashe die Commits nicht" are rules; "the API does not page" is none.
  return first.reach === 'denies' ? 'told' : 'order';
}
