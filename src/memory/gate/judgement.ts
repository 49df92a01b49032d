/** Nothing negative about a person is kept. Harsh words about a tool are a fact about the tool. */

import { sentencesOf } from './parts.ts';

/** Said of people only, whoever the subject is. */
const ABOUT_PEOPLE =
  /\b(?:idiots?|morons?|imbeciles?|fools?|jerks?|assholes?|losers?|incompetent|lazy|arrogant|clueless|rude|dishonest|liars?|lies|toxic person|sloppy|careless|unprofessional|untrustworthy|ignorant|stubborn|moody|hot-?headed|bad-tempered|short-tempered|impatient|immature|selfish|narcissist\w*|dumb|dimwit\w*|pain to work with|difficult to work with|hard to work with|bad at (?:his|her|their) job|not (?:very )?(?:bright|smart|competent|clever)|doesn't (?:care|know what|have a clue)|(?:can ?not|can't|cannot) be trusted|has no (?:idea|clue)|dummkopf|trottel|vollidiot|faul|unfähig|inkompetent|arrogant|überheblich|schlampig|inútil|idiota|vag[oa]|incompetente|perezos[oa]|torpe|imbécil|paresseu(?:x|se)|incompétente?|nul(?:le)?|crétin|incapable|preguiços[oa]|pigr[oa]|incompetente)\b|笨蛋|白痴|懒|无能|蠢|傻|不靠谱|没能力|バカ|馬鹿|無能|怠け/i;
/** Said of people and things alike: it takes a person as the subject. */
const ABOUT_ANYTHING =
  /\b(?:useless|stupid|terrible|awful|horrible|hopeless|worthless|unreliable|bad|weak|poor|slow|annoying|a mess|a disaster|a nightmare|pathetic|ridiculous|crap|rubbish|never (?:delivers|listens|tests|reads|learns)|always (?:breaks|forgets|late|wrong|complains|messes)|keeps? (?:breaking|forgetting|messing|complaining|screwing)|breaks everything|messes|screws|dumm|nutzlos|schlecht|furchtbar|schrecklich|unzuverlässig|langsam|mal[oa]|pésim[oa]|horrible|terrible|lent[oa]|mauvaise?|lente?|inutile)\b|糟糕|差劲|很差|没用|ダメ|使えない/i;
const PERSON =
  /\b(?:he|she|him|her|boss|manager|colleagues?|cow?orkers?|teammates?|interns?|trainees?|juniors?|seniors?|developers?|engineers?|designers?|testers?|reviewers?|admins?|customers?|clients?|contractors?|freelancers?|consultants?|managers?|lead|ceo|cto|cfo|founder|people|guys?|team|person|man|woman|users?|maintainers?|accountant|supervisor|professor|student|partner|wife|husband|neighbour|landlord|chef|chefin|kollege\w*|kollegin|praktikant\w*|entwickler\w*|mitarbeiter\w*|kunde\w*|er|jefe|jefa|becari[oa]|compañer[oa]s?|colega|desarrollador\w*|cliente|él|ella|chef|collègue|stagiaire|développeu\w+|il|elle|stagist\w*|estagiári[oa])\b|同事|老板|经理|实习生|客户|他|她|同僚|上司|部下|彼|彼女|新人/i;
/** A name alone may be a program's: somebody `from` somewhere, or with two names, is a person. */
const NAMED =
  /(?:^|[.;:,*]\s+)\p{Lu}\p{Ll}+ (?:from|in|of|vom|von|de|del) (?:the )?\p{Lu}?\p{L}+ |(?:^|[.;:,*]\s+)\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+ (?:is|was|keeps|never|always|ist|es|est) /u;
/** What belongs to a person is not the person. */
const POSSESSIVE = /\b\p{L}+(?:'s|\u2019s|s'|s\u2019) /gu;
const THING =
  /^(?:the |this |that |our |their |its |a |an )*(?:[\p{L}\d-]+ ){0,3}(?:api|tool|formatter|linter|compiler|library|framework|plugin|service|server|code|build|test|tests|suite|script|editor|ide|docs?|documentation|app|site|network|database|query|error|message|bug|parser|format|file|module|package|release|version|it)\b/iu;

export function hasJudgement(text: string): boolean {
  return sentencesOf(text).some((sentence) => {
    const isAboutPerson = PERSON.test(sentence);
    if (ABOUT_PEOPLE.test(sentence)) return isAboutPerson || !THING.test(sentence);
    return ABOUT_ANYTHING.test(sentence) && isJudged(sentence);
  });
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
