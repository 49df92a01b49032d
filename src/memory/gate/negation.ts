/** How people say no, in the languages they write: which words deny something, and how far each of them reaches. */

import { isNeither, isPlain, withoutHollow } from './unclear.ts';
import { LETTER, wordPattern } from './word-pattern.ts';

/**
 * `denies` what follows it; `denies-all` of its clause; `lacks` what follows, and leaves open what stands before ("tests
 * without a network"); `swaps` what follows for what stands before ("tabs, not spaces"); `removes` what follows and is
 * something to do by itself ("delete old branches"); `again` is the other half of one no ("ne … jamais").
 */
export type Reach = 'denies' | 'denies-all' | 'lacks' | 'swaps' | 'removes' | 'again';

export interface Negator {
  readonly reach: Reach;
  readonly start: number;
  readonly end: number;
}

/** In the order in which they are looked for: what one has found, the next does not see. */
const PATTERNS: readonly (readonly [Reach, RegExp])[] = [
  // Said behind what it denies.
  [
    'denies-all',
    wordPattern(
      {
        en: "(?:(?:is|are|be|being|stays?|remains?) )?(?:(?:isn'?t|aren'?t|not) (?:allowed|permitted|wanted|welcome|ok(?:ay)?|acceptable|an option|appropriate|desired|needed|required|necessary|to be used)|forbidden|prohibited|banned|disallowed|off[- ]limits|taboo|unwanted|undesired|undesirable|unwelcome|a no-?(?:go|no)|out of the question|discouraged|frowned upon)|(?:is|are|be) (?:to be )?(?:avoided|excluded|omitted|left out|dropped|removed|skipped|disabled)|(?:is|are|be|stays?|remains?) (?:off|out)|(?:keep|leave|take|turn|switch)s?(?= (?!out |off )[^,;]{1,60}? (?:out|off|away)\\b)",
        de: 'verboten|untersagt|unerwünscht|tabu',
        romance: 'prohibid[oa]s?|interdite?s?|vietat[oiae]|proibid[oa]s?',
        ru: `запрещ${LETTER}+`,
        zh: '禁止|禁用|避免|停止|拒绝|杜绝|删除|去掉|去除|移除|取消|省略',
        ja: '削除|取り除|やめ|避け|控え|除く|抜き',
        ko: '금지|제거|삭제|생략|자제',
      },
      'g',
    ),
  ],
  [
    'denies',
    wordPattern(
      {
        en: `(?:do|does|must|should|shall|may|can|could|will|would|need|is|are|am|did|was|were|has|have|had) not|(?:do|does|must|should|ca|could|wo|would|is|are|need|did|was|were|has|have|had)n'?t|cannot|never|no longer|no more|no need (?:for|to)|(?:stop(?:s|ped)?|quit|cease[sd]?)(?= ${LETTER}+ing\\b)|avoid(?:s|ing)?|refrain(?:s|ing)? from|hates?|dislikes?|loathes?|detests?|opposed? to|against|(?:stay|keep|steer|shy) (?:away|clear) (?:from|of)|hands off|not a fan of|(?:ban|forbid|prohibit|disallow)s?|(?:i'?d|would) rather not`,
        any: "'(?:re|m|s) not\\b",
      },
      'g',
    ),
  ],
  [
    'swaps',
    wordPattern(
      {
        en: `instead of|rather than|in place of|(?<=\\bprefer${LETTER}* (?!to )[^,;]{1,60} )(?:over|to)|(?<=\\b(?:cho+se|pick(?:ed)?) [^,;]{1,60} )over`,
        others:
          '(?:an)?statt|anstelle(?: von)?|en (?:vez|lugar) de|au lieu de|plutôt que|invece d(?:i|el|ella)|anziché|em vez de|in plaats van|вместо',
        zh: '而不是',
        ja: 'ではなく',
        ko: '대신',
      },
      'g',
    ),
  ],
  [
    'denies-all',
    wordPattern(
      {
        de: 'nicht|nie|niemals|nirgends|vermeide[nt]?|verzichte[nt]? auf',
        es: 'nunca|jamás|tampoco|evit(?:a|ar|e|en|es|are|iamo)',
        fr: "ne|pas|jamais|évit(?:e|ez|er)|n'(?=[a-zà-ÿ])",
        it: 'non',
        pt: 'não',
        nl: 'niet|nooit|vermijd(?:en)?',
        ru: 'никогда|не|ни|нельзя|избегай(?:те)?|хватит|перестань',
        zh: '[不别勿毋]|[无無]需',
        ja: 'ない|ません|(?<=[てで])は(?:だめ|いけ)|ずに?(?=[、。]|$)|なし',
        ko: '지\\s?[마말않]|(?<=^|\\s)[안못](?=\\s)|없이|말고',
      },
      'g',
    ),
  ],
  [
    'lacks',
    wordPattern(
      {
        en: 'without|no|none(?: of)?|zero|nor|neither',
        others: 'kein(?:e[nmrs]?)?|ohne|sin|sans|senza|nessuna?|sem|nenhuma?|geen|zonder|без',
      },
      'g',
    ),
  ],
  ['swaps', wordPattern({ en: 'not' }, 'g')],
  [
    'removes',
    wordPattern(
      {
        en: "(?<=^\\W*|\\b(?:to|and|can|may|will|should|must|please|always|never|don'?t|not|then|or|just|without|before) )(?:remov(?:e|ing)|drop(?:ping)?|skip(?:ping)?|disabl(?:e|ing)|omit(?:ting)?|exclud(?:e|ing)|delet(?:e|ing)|strip(?:ping)?|hid(?:e|ing)|ditch|turn(?:ing)? off|switch(?:ing)? off|leav(?:e|ing) out|get(?:ting)? rid of|opt(?:ing)? out of)",
      },
      'g',
    ),
  ],
];

/** Where one of these is left over, what it takes away from which side is not known. */
const REMOVAL = wordPattern({
  stems: `(?:remov|drop|skip|disabl|omit|exclud|delet|strip|hid(?:e|ing|den)|ditch|lack|miss|fail|refus|reject|prevent|bann?|forb|stopp|ceas|abandon)${LETTER}*`,
  words: 'quit|g[ai]ven? up|used to|left',
});
const PARTICLE = wordPattern({ en: 'off|out|away|free|alone|untouched|gone|enough|opposite' });

/** The negators of a clause in small letters, from left to right; null when whether it says yes or no cannot be told. */
export function negatorsIn(clause: string): readonly Negator[] | null {
  const heard = withoutHollow(clause);
  if (isNeither(heard)) return null;
  let rest = heard;
  const found: Negator[] = [];
  for (const [reach, pattern] of PATTERNS) {
    const matches = [...rest.matchAll(pattern)].map(({ 0: words, index }) => ({
      reach,
      start: index,
      end: index + words.length,
    }));
    for (const { start, end } of matches) rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
    found.push(...matches);
  }
  const isAllDenied = found.some(({ reach }) => reach === 'denies-all');
  if (REMOVAL.test(rest) || (PARTICLE.test(rest) && !isAllDenied)) return null;
  if (found.length === 0) return found;
  found.sort((one, other) => one.start - other.start);
  return isPlain(heard, found[0]!.start) ? merged(found) : null;
}

/** Two halves of one no: "ne … jamais", "никогда не". */
function merged(found: readonly Negator[]): readonly Negator[] {
  const first = found.find(({ reach }) => reach === 'denies-all');
  return found.map((each) => (each.reach === 'denies-all' && each !== first ? { ...each, reach: 'again' } : each));
}
