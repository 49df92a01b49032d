/** Turns what users say of themselves into words about them, so that a later reader does not take "I" for someone else. */

const ADVERBS =
  '((?:(?:really|strongly|generally|usually|always|much|personally|actually|also|definitely|still|only|mostly|never) )*)';
const VERBS =
  'prefer|favou?r|work|live|maintain|come|speak|lead|manage|use|like|love|hate|dislike|need|want|write|read|know|code|run|own|think|learn|start|keep|develop|tend';

const FIRST_PERSON: readonly (readonly [RegExp, string])[] = [
  [/^i(?:'m| am) /i, 'The user is '],
  [/^i(?:'ve| have) /i, 'The user has '],
  [/^i (?:don't|do not) /i, 'The user does not '],
  [/^i (?:can't|cannot) /i, 'The user cannot '],
  [/^i(?:'ll| will) /i, 'The user will '],
  [new RegExp(`^i ${ADVERBS}teach(?= )`, 'i'), 'The user $1teaches'],
  [new RegExp(`^i ${ADVERBS}(${VERBS})(?= )`, 'i'), 'The user $1$2s'],
  [/^my /i, "The user's "],
  [/^(?:call|address) me /i, 'The user wants to be called '],
];

/** "I prefer tabs" becomes "The user prefers tabs"; other languages stay in the user's words. */
export function aboutUser(said: string): string {
  const words = said.replaceAll('’', "'");
  for (const [pattern, replacement] of FIRST_PERSON) {
    if (pattern.test(words)) return inThirdPerson(words.replace(pattern, replacement));
  }
  return said;
}

/** Where the user goes on about themselves, a singular "they" needs no other verb. */
function inThirdPerson(words: string): string {
  return words
    .replace(/\bI am\b/g, 'they are')
    .replace(/\bI was\b/g, 'they were')
    .replace(/\bi'm\b/gi, "they're")
    .replace(/\bI(?='|\b)/g, 'they')
    .replace(/\bmyself\b/gi, 'themselves')
    .replace(/\bmine\b/gi, 'theirs')
    .replace(/\bmy\b/gi, 'their')
    .replace(/\bme\b/gi, 'them');
}
