/** Closed lists of what a user says about remembering: yes, no, and please do. A row a language, read as data. */

import { fold } from '../../base/text/fold.ts';
import { keysOf } from './terms.ts';

/** A consent is made of these words alone: any other word may be a condition. */
const CONSENT_WORDS = new Set(
  `and it this that them these both all on for to me you i we is are do does go ahead thanks thank good great fine of course true
  keep save store remember note dir mir das es dies mach behalte speicher speichere danke c'est ça le la te plaît s'il bien sûr vas-y garde
  garde-le retiens-le note-le merci por favor lo guárdalo recuérdalo hazlo gracias de acuerdo isso guarda lembra pode obrigado obrigada
  va bene per favore salvalo ricordalo grazie doe maar onthoud dat bedankt это пожалуйста сохрани спасибо хорошо
  それで 保存して 覚えておいて いいです 记住 保存 请 저장해줘 기억해줘 부탁해요`.split(/\s+/),
);
const YES_WORDS = new Set(
  `yes yep yeah yup sure ok okay please pls plz correct right exactly absolutely definitely agreed agree perfect indeed keep save remember
  ja jo genau bitte gerne gern stimmt richtig klar passt einverstanden merk merke
  oui ouais d'accord exact exactement parfait stp sí si claro vale exacto perfecto dale sim perfeito sì certo perfetto
  graag prima klopt да конечно верно запомни はい お願いします ええ うん 好 好的 是 是的 对 可以 行 네 예 응 그래 좋아요`.split(
    /\s+/,
  ),
);
const MOST_CONSENT_WORDS = 12;

export function isConsent(sentence: string): boolean {
  const words = fold(sentence)
    .split(/[\s,.!;:\u3001\u3002\uff0c\uff01]+|(?:\p{Extended_Pictographic}|\ufe0f)+/u)
    .filter((word) => word !== '');
  if (words.length === 0 || words.length > MOST_CONSENT_WORDS) return false;
  return (
    words.every((word) => CONSENT_WORDS.has(word) || YES_WORDS.has(word)) && words.some((word) => YES_WORDS.has(word))
  );
}

const OPT_OUTS: readonly RegExp[] = [
  /\b(?:do not|don't|dont|never|please not) (?:save|remember|store|keep|record|note|memori[sz]e|log|write down|retain) (?:any of )?(?:this|that|it|these|those|what i|anything|my |me\b|about me)/,
  /\b(?:not|nothing|none of (?:this|that)|leave (?:this|that|it)) (?:\w+ ){0,3}(?:in|into|to|for|out of) (?:your |the )?(?:notes|memory|memories|records|profile)\b/,
  /\boff the record\b|\b(?:stays?|keep (?:this|that|it)|just|strictly) between (?:us|you and me)\b|\b(?:do not|don't|dont|no) (?:build|make|keep|create)(?: up)? (?:a |any )?profile\b/,
  /\b(?:strike|forget) (?:it|that|this)(?: (?:part|bit))?(?:[.!,]|$)|\bforget (?:that )?i (?:said|told|mentioned)\b/,
  /\bnicht (?:speichern|merken|behalten|notieren|festhalten|aufschreiben|gespeichert)\b|\b(?:speicher|merk|notier|behalt)e? (?:dir )?(?:das|dies|es) (?:bitte )?nicht\b|\bunter uns\b/,
  /\bn[e'] ?(?:le |la |l'|les )?(?:garde|enregistre|retiens|note|mémorise|sauvegarde|conserve)[sz]? (?:pas|rien)\b|\breste entre nous\b/,
  /\bno (?:lo |la |los |las |me )?(?:guardes?|recuerdes?|apuntes?|anotes?|memorices?|registres?)\b|\bque(?:de|da) entre nosotros\b/,
  /\bnão (?:guarde|salve|anote|lembre|memorize|registre)s?\b|\bfica entre nós\b/,
  /\bnon (?:salvar|ricordar|memorizzar|annotar|registrar)(?:e|lo|la|li)\b|\bresti tra noi\b/,
  /\bniet (?:opslaan|onthouden|bewaren|noteren)\b|\bonder ons\b/,
  /не (?:сохраняй|запоминай|записывай)(?:те)?|между нами/,
  /(?:記録|保存|記憶|メモ)しないで|覚えないで|ここだけの話/,
  /(?:不要|别|請勿|请勿|不用)(?:把.{0,12})?(?:记|保存|存|記|儲存)/,
  /(?:저장|기억|기록)하지 ?(?:마|말)/,
];

/** "Don't save that", "off the record". */
export function isOptOut(sentence: string): boolean {
  const text = fold(sentence);
  return OPT_OUTS.some((pattern) => pattern.test(text));
}

const NAMED_OPT_OUT =
  /\b(?:do not|don't|dont) (save|remember|store|memori[sz]e|note) ((?:the|my|our|his|her|their) .{2,40}?)(?:[.,;!]|$)/;

/** "Don't save the port": the thing is named. A memory that repeats the verb is a rule about the work, not about memory. */
export function isOptOutOf(sentence: string, memory: string): boolean {
  const found = NAMED_OPT_OUT.exec(fold(sentence));
  if (found === null) return false;
  const known = keysOf(memory);
  if ([...keysOf(found[1]!)].some((key) => known.has(key))) return false;
  return [...keysOf(found[2]!)].some((key) => known.has(key));
}

const REMEMBER =
  /\b(?:remember|keep in mind|note (?:that|down)|make a note|don't forget|memori[sz]e|merke? dir|vergiss nicht|retiens|souviens-toi|n'oublie pas|recuerda|ten en cuenta|lembre-se|lembra|ricorda(?:ti)?|onthoud)\b|запомни|记住|記住|覚えて|기억해/;

/** An outright request, which even a question may be. */
export function asksToRemember(sentence: string): boolean {
  return REMEMBER.test(fold(sentence));
}
