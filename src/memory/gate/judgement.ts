/** Nothing negative about a person is kept. Harsh words about a tool are a fact about the tool. */

import { sentencesOf } from './parts.ts';

/** Names for people, whoever the subject is. */
const NAMES =
  /(?<!\p{L})(?:idiots?|morons?|imbeciles?|fools?|jerks?|assholes?|losers?|liars?|crooks?|cheapskates?|toxic person|narcissist\p{L}*|dimwit\p{L}*|pain to work with|difficult to work with|hard to work with|bad at (?:his|her|their) job|not (?:very )?(?:bright|smart|competent|clever)|doesn't (?:care|know what|have a clue)|(?:can ?not|can't|cannot) be trusted|has no (?:idea|clue)|dummkopf|trottel|vollidiot|lügner(?:in)?|betrüger(?:in)?|faulpelz|idiota|imbéciles?|mentiros[oa]s?|menteu(?:r|se)s?|crétine?s?|bugiard[oa]|leugenaars?|идиот\p{L}*|дур(?:а|ак|аки)|лжец\p{L}*|врун\p{L}*|истеричк\p{L}*|тупиц\p{L}*|бездар\p{L}*)(?!\p{L})|(?<!\p{L})(?:he|she|they|who) (?:always |often |just )?lies(?! (?:in|at|on|with|behind|below|under))(?!\p{L})|笨蛋|白痴|骗子|無能|无能|蠢|傻|不靠谱|没能力|嘘つき|バカ|馬鹿|怠け者?|거짓말쟁이|바보|멍청/iu;
/** Said of people, unless what they are said of is a thing: "lazy loading", "contractions look unprofessional". */
const TRAITS =
  /(?<!\p{L})(?:incompetent|lazy|arrogant|clueless|rude|dishonest|sloppy|careless|unprofessional|untrustworthy|ignorant|stubborn|moody|hot-?headed|bad-tempered|short-tempered|impatient|immature|selfish|dumb|manipulative|greedy|stingy|spineless|faul|unfähig|inkompetent|überheblich|schlampig|geizig|verlogen|inútil|vag[oa]|incompetente|perezos[oa]|torpe|estúpid[oa]|paresseu(?:x|se)|incompétente?|nul(?:le)?|radine?s?|incapable|stupide|preguiços[oa]|burr[oa]|pigr[oa]|stupid[oa]|incapac[ei]|lui|dom|ленив\p{L}*|глуп\p{L}*|туп(?:ой|ая|ые)|无能|бездарн\p{L}*|неспособн\p{L}*)(?!\p{L})|懒|게으[르른]|무능/giu;
/** Where a trait needs a person in the sentence: there is no "is" to see of whom it is said. */
const WITHOUT_IS = /[\u0400-\u04ff\u3040-\u9fff\uac00-\ud7af]/;
const SEEMS =
  /(?<!\p{L})(?:looks?|looked|sounds?|seems?|reads?|feels?|appears?|comes? across|wirk(?:t|en)|kling(?:t|en)|sieht|parecen?|suenan?|sembl(?:e|ent)|para[iî](?:t|ssent)|sonn(?:e|ent)|sembran?o?|suona(?:no)?|parece|lijk(?:t|en)|klink(?:t|en))(?:\s+\S+){0,3}\s*$/iu;
const IS =
  /(?<!\p{L})(is|was|are|were|be|being|ist|sind|war|es|son|fue|est|sont|è|é|sono|são|zijn)(?:\s+\S+){0,3}\s*$/iu;
/** Many people are named as such; many of anything else are things. */
const ARE = /^(?:are|were|sind|son|sont|sono|são|zijn)$/i;
const FRAGMENT_END = /^\s*(?:and|or|with|at|when|und|y|et|e|en|[,.;:!]|$)/i;
/** Said of people and things alike: it takes a person as the subject. */
const ABOUT_ANYTHING =
  /\b(?:useless|stupid|terrible|awful|horrible|hopeless|worthless|unreliable|bad|weak|poor|slow|annoying|a mess|a disaster|a nightmare|pathetic|ridiculous|crap|rubbish|never (?:delivers|listens|tests|reads|learns)|always (?:breaks|forgets|late|wrong|complains|messes)|keeps? (?:breaking|forgetting|messing|complaining|screwing)|breaks everything|messes|screws|dumm|nutzlos|schlecht|furchtbar|schrecklich|unzuverlässig|langsam|mal[oa]|pésim[oa]|horrible|terrible|lent[oa]|mauvaise?|lente?|inutile)\b|糟糕|差劲|很差|没用|ダメ|使えない/i;
const PERSON =
  /\b(?:he|she|him|her|boss|manager|colleagues?|cow?orkers?|teammates?|interns?|trainees?|juniors?|seniors?|developers?|engineers?|designers?|testers?|reviewers?|admins?|customers?|clients?|contractors?|freelancers?|consultants?|managers?|lead|ceo|cto|cfo|founder|people|guys?|team|person|man|woman|users?|maintainers?|accountant|supervisor|professor|student|partner|wife|husband|neighbour|landlord|chef|chefin|kollege\w*|kollegin|praktikant\w*|entwickler\w*|mitarbeiter\w*|kunde\w*|er|jefe|jefa|becari[oa]|compañer[oa]s?|colega|desarrollador\w*|cliente|él|ella|chef|collègue|stagiaire|développeu\w+|il|elle|stagist\w*|estagiári[oa]|stagiair\w*|directeur|directrice|direttor\w*|vecin[oa]s?|vizinh[oa]s?|voisine?s?|nachbar\w*|vermieter\w*|cuñad[oa]|cognat[oa]|schoonzus|zwager|schwager|maire|alcalde|sindaco|profesora?|lehrer\w*|leraar|docente?|capo|patron(?:ne)?|sister|brother|mother|father|son|daughter|headmaster|teacher|doctor|lawyer)\b|同事|老板|经理|实习生|客户|他|她|同僚|上司|部下|彼|彼女|新人|邻居|房东|老师|领导|主管|隣|部長|社長|先生|店長|大家|팀장|동료|이웃|상사|부장|사장|선생|начальни|сосед|стаж[её]р|коллег|завуч|учител|директор|(?<!\p{L})(?:он|она)(?!\p{L})/iu;
/** A name alone may be a program's: somebody `from` somewhere, or with two names, is a person. */
const NAMED =
  /(?:^|[.;:,*]\s+)\p{Lu}\p{Ll}+ (?:from|in|of|vom|von|de|del) (?:the )?\p{Lu}?\p{L}+ |(?:^|[.;:,*]\s+)\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+ (?:is|was|keeps|never|always|ist|es|est) /u;
/** What belongs to a person is not the person. */
const POSSESSIVE = /\b\p{L}+(?:'s|\u2019s|s'|s\u2019) /gu;
const THING =
  /^(?:the |this |that |our |their |its |a |an )*(?:[\p{L}\d-]+ ){0,3}(?:api|tool|formatter|linter|compiler|library|framework|plugin|service|server|code|build|test|tests|suite|script|editor|ide|docs?|documentation|app|site|network|database|query|error|message|bug|parser|format|file|module|package|release|version|tone|wording|style|layout|design|text|letters?|e?-?mails?|copy|headline|title|name|colou?r|font|approach|solution|naming|comments?|answers?|reply|response|output|process|default|syntax|slides?|poster|logo|page|button|form|template|it)\b/iu;

export function hasJudgement(text: string): boolean {
  return sentencesOf(text).some((sentence) => {
    if (NAMES.test(sentence)) return PERSON.test(sentence) || !THING.test(sentence);
    if ([...sentence.matchAll(TRAITS)].some((trait) => isOfPerson(trait[0], { sentence, at: trait.index })))
      return true;
    return ABOUT_ANYTHING.test(sentence) && isJudged(sentence);
  });
}

/** Whether a trait is said of a person: it is theirs by "is", or it stands right beside them. */
function isOfPerson(trait: string, { sentence, at }: { readonly sentence: string; readonly at: number }): boolean {
  const before = sentence.slice(0, at);
  const after = sentence.slice(at + trait.length);
  if (WITHOUT_IS.test(trait)) return PERSON.test(sentence);
  const seems = SEEMS.exec(before);
  // Two capitals may be a typeface's as well.
  if (seems !== null) return PERSON.test(before.slice(0, seems.index).replace(POSSESSIVE, ''));
  const is = IS.exec(before);
  if (is !== null) {
    const subject = before.slice(0, is.index);
    if (ARE.test(is[1]!)) return PERSON.test(subject.replace(POSSESSIVE, ''));
    return isPerson(subject) || !(THING.test(`${subject} `) || DUTCH_OR_DOM.test(trait));
  }
  if (before.trim() === '' && FRAGMENT_END.test(after)) return !DUTCH_OR_DOM.test(trait);
  const beside = [/\S+\s*$/.exec(before)?.[0] ?? '', /^\s*\S+/.exec(after)?.[0] ?? ''];
  return beside.some((word) => PERSON.test(word) && !ARTICLE.test(word.trim()));
}

/** Of another language, and spelt like "he". */
const ARTICLE = /^(?:il|er|her)$/i;
/** Words of other languages, or of code, spelt like a trait. */
const DUTCH_OR_DOM = /^(?:lui|dom|nul|nulle)$/i;

function isPerson(subject: string): boolean {
  const bare = `${subject.replace(POSSESSIVE, '').trim()} `;
  return (PERSON.test(bare) || NAMED.test(`${bare}is `)) && !THING.test(bare);
}

/** The person comes first and the word is said of them: "the user finds slow tests annoying" judges tests. */
function isJudged(sentence: string): boolean {
  const word = ABOUT_ANYTHING.exec(sentence)!;
  const before = sentence.slice(0, word.index);
  if (
    /\b(?:users?|they|he|she|people|team|customers?|clients?)\b.*\b(?:finds?|found|thinks?|dislikes?|hates?|wants?|prefers?|avoids?|reports?|gets?|sees?|had|has)\b/i.test(
      before,
    )
  )
    return false;
  if (/\b(?:user|customer|client|people|team|developer)s?(?:'s|’s|s'|-)\s*\S*\s*$/i.test(before)) return false;
  return /\b(?:is|was|are|were|be|being|ist|sind|war|es|son|fue|est|sont|an?|un|una|ein|eine|so|very|really|too|just|always|never|keeps?)\s*$|[是很真太]\s*$/i.test(
    `${before} `.replace(/\s+$/, ' '),
  ) || /^(?:never|always|keeps?|breaks|messes|screws)/i.test(word[0])
    ? subjectIsPerson(before)
    : /[\u3040-\u9fff]/.test(sentence) && PERSON.test(before);
}

function subjectIsPerson(before: string): boolean {
  const subject = `${before.replace(POSSESSIVE, '').trim()} `;
  return (PERSON.test(subject) || NAMED.test(subject)) && !THING.test(subject);
}
