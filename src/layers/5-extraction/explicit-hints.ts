/**
 * A first look that costs next to nothing: whether a sentence holds any of the words that every opening needs. Most messages hold none, and the
 * openings of all languages take longer to compile than all else that a hook does.
 */

/** Where words are not spaced, or letters are not Latin, the openings themselves are tried. */
const OTHER_SCRIPTS = '[\\u0400-\\u04ff\\u3040-\\u9fff\\uac00-\\ud7af]';

const HINTS: readonly string[] = [
  // English
  "remember|memori[sz]e|forget|in mind|\\bnote\\b|memory|reference|from (?:now|here|this)|henceforth|forward|future|next time|always|never|don['‘’]?t|do not|avoid|\\bstop\\b|prefer|favou?r|(?:like|love|hate) (?:it )?when|appreciate|\\bi['‘’]m |\\bi am |i work|\\bmy |call me|\\bwe\\b.* (?:not|never) |instead|rather than|\\bno(?:pe)?\\b.* not ",
  // German
  'merke?\\b|notiere?|vergiss|denke?\\b|beachte|bedenke?|ab (?:jetzt|sofort|heute)|von (?:nun|jetzt) an|künftig|zukunft|\\bnie|\\bkein|\\bnicht|bevorzug|favorisier|lieber|am liebsten|ziehe|ich bin|ich heiße|ich arbeite|\\bnenn |statt|anstelle',
  // French
  "retien|retenez|souviens|rappelle|oublie|\\bnotez?\\b|garde|désormais|dorénavant|à partir de|l['‘’]avenir|\\bn(?:e |['‘’])|évite|préfère|aime|appelle|je travaille|je suis|utilis|au lieu|plutôt",
  // Spanish
  'recuerda|recordad|olvides|en cuenta|presente|\\bnota|apunta|anota|de ahora|desde ahora|adelante|\\bno \\S+[ea]s |nunca |evita |prefiero|me gusta|llámame|me llamo|trabajo como|\\bsoy |usamos|utilizamos|en (?:vez|lugar) de',
  // Italian
  'ricorda|a mente|dimenticare|in poi|in avanti|\\bnon \\S+re |\\bmai |preferisco|mi piace|chiamami|mi chiamo|lavoro come|\\bsono |usiamo|utilizziamo|invece|al posto|anziché',
  // Portuguese
  'lembr|esqueça|anot[ea]|em mente|em conta|de agora|daqui|\\bnão |evite |prefiro|gosto |me chame|chama-me|meu nome|trabalho como|\\bsou |a gente|em vez|invés|no lugar',
  // Dutch
  'onthoud|vergeet|noteer|rekening mee|gedachten|let op|vanaf nu|voortaan|in het vervolg|\\bgeen|nooit|\\bniet|voorkeur|verkies|liever|\\bnoem |ik heet|ik werk|ik ben|gebruik|in plaats',
];

const HINT = new RegExp([OTHER_SCRIPTS, ...HINTS].join('|'), 'i');

export function mayAsk(sentence: string): boolean {
  return HINT.test(sentence);
}
