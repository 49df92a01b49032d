/** A no that is none, or that cannot be told from a yes: "don't forget to", "not only", "you didn't", "if it isn't". */

import { LETTER, wordPattern } from './word-pattern.ts';

/** No word of these denies anything. */
const HOLLOW = wordPattern(
  {
    en: "(?:do not|don'?t|never) (?:forget|hesitate|fail|neglect|worry|be (?:afraid|shy))(?: to| about| of)?|no (?:problem|worries|rush|hurry|pressure|doubt|matter|idea|thanks|offen[cs]e|exceptions?|objections?|issues? with)|never ?mind|not a problem|nothing (?:wrong with|against)|without (?:fail|exception)|(?:or|if|why) not|last but not least|not to mention",
    de: 'nicht (?:zu )?vergessen|verg(?:iss|esst) nicht|kein problem|warum nicht',
    es: `no (?:te )?olvid${LETTER}+|no hay problema`,
    fr: `n'oubli${LETTER}+ pas|pas de (?:problème|soucis?)`,
    it: `non dimentica${LETTER}+|nessun problema`,
    pt: `não (?:se |te )?esque${LETTER}+|sem problemas?`,
    nl: 'vergeet niet|geen probleem',
    ru: `не забу${LETTER}+|без проблем`,
    answer: '(?<=^(?:oh |ah |well,? )*)(?:no+|nope|nah|nein|non|não|nee|нет)(?=[,.!\\s]*$|[,.!])',
    zh: '没问题|没关系|(?:别|不要)忘|[特分级类区识性个鉴告辨]别|别[人的名处]|不[错同过管断久]|不客气|不得不|不能不',
    ja: '忘れ(?:ない|ず)|問題は?(?:ない|ありません)|な(?:ければ|くては|いと)(?:な(?:らない|りません)|いけ(?:ない|ません)|だめ)',
    ko: '잊지 [마말]|문제\\s?없',
  },
  'g',
);

/** Says neither yes nor no. */
const NEITHER = wordPattern({
  en: "(?:do not|don'?t|doesn'?t|does not|never|wouldn'?t|not) (?:mind|care|think|believe|know|understand|remember|recall|see why|just|only|always|all|every|everything|necessarily|sure|certain|yet|so|as|that|too|quite|really|exactly|merely|simply|even|until|unless)|(?:can'?t|cannot) (?:wait|help|imagine)|(?:why|can'?t|couldn'?t|won'?t|wouldn'?t|shouldn'?t|isn'?t|aren'?t|don'?t|didn'?t) (?:we|you|i|it|they|that)|nothing|nobody|no one",
  de: 'nicht (?:nur|immer|alle|jede[rsnm]?|unbedingt|bloß)|nichts|niemand',
  es: 'no (?:s[oó]lo|solamente|siempre|todos)|nada|nadie',
  fr: 'pas (?:seulement|toujours|tous)|rien|personne',
  it: 'non (?:solo|sempre|tutti)|niente|nulla|nessuno',
  pt: 'não (?:só|apenas|sempre)|ninguém',
  nl: 'niet (?:alleen|altijd|alle)|niets|niemand',
  ru: 'не (?:только|всегда|все)|ничего|никто',
  zh: '不[仅只但都]|不一定|不总是|并[非不]|为什么不|何不',
  ja: 'だけ(?:で|じゃ)は?な|とは限ら|かもしれ|構わ|かまわ',
  ko: '뿐만|지 않으면',
});

/** What was or is wrong, or what somebody failed to do: a complaint wants the opposite of what it tells. */
const COMPLAINT = wordPattern({
  en: "you (?:\\w+ )?(?:did|were|had|have)(?:n'?t| not)|you(?:'re| are)? (?:still |always |just |also |really )*(?:(?:don'?t|do not|never)(?! (?:have|need) to)|aren'?t|keep|kept)|you(?:'re| are) not|(?:i|we) (?:still |really )?(?:don'?t|do not|can'?t|cannot|never) (?:have|see|get|find|feel|hear)",
  de: `(?:du|ihr)(?! (?:soll|darf|dürf|muss|müss|kann|könn|brauch))|(?:hast|hat|habe|haben|habt|hatte${LETTER}*|wurde${LETTER}*|war|waren|ist|sind)(?= (?:[^,;]{0,80} )?(?:nicht|nie|kein))`,
  es: `no (?:has|ha|han|había${LETTER}*|fue|está|estás|${LETTER}{3,}(?:aste|iste|aron|ieron))`,
  fr: "n'(?:a|as|ont|avez|avait)|tu ne?|t'as",
  it: 'non (?:hai|ha|hanno|avete|era|è)',
  pt: `não (?:foi|fez|tem|está|${LETTER}{3,}(?:aste|este|iste|ou))`,
  nl: '(?:hebt|heeft|hebben|werd|was)(?= (?:[^,;]{0,80} )?(?:niet|nooit|geen))',
  ru: `(?:ты|вы) не|не ${LETTER}+(?:л|ла|ли|ло)`,
  zh: '没|你(?!.{0,20}(?:不要|别|不能|不准|不得|必须))',
  ja: 'なかった|ませんでした|ていない|ていません|できない|できません',
  ko: '않았|못했|안 했',
});

/** Whatever follows holds only under it. */
const CONDITION = wordPattern({
  en: 'which|who|whose|where|when|whenever|if|as long as|(?<!(?:said|say|told|want|sure|so|ensure|remember|please) )that',
  others: 'wenn|falls|sobald|si|cuando|quand|lorsque|quando|wanneer|если|когда',
  zh: '如果|的时候',
  ja: 'たら|れば|とき',
  ko: '[하으이]면',
});

export function withoutHollow(text: string): string {
  return text.replace(HOLLOW, (words) => ' '.repeat(words.length));
}

export function isNeither(clause: string): boolean {
  return NEITHER.test(clause);
}

/** Whether what a clause denies, from a place on, is what somebody wants it to be: not a complaint, and not under a condition. */
export function isPlain(clause: string, place: number): boolean {
  return !COMPLAINT.test(clause) && !CONDITION.test(clause.slice(0, place));
}
