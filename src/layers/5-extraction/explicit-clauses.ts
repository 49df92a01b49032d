/** Where in a sentence a cue may stand, and what makes a sentence a question, a supposition or an order for now. */

import type { Cue } from './explicit-cues.ts';
import { FILLERS, REQUESTS, WORK_VERBS } from './explicit-words.ts';

export interface Clause {
  /** Where the words of the clause begin, behind fillers and ways to ask. */
  readonly at: number;
  /** Where it begins with them. */
  readonly from: number;
  /** The sentence before it. */
  readonly before: string;
  /** A condition stands before it: "when you commit, always …". */
  readonly isConditional: boolean;
}

const LEAD = new RegExp(`^${FILLERS}${REQUESTS}${FILLERS}`, 'iu');
const FILLERS_ONLY = new RegExp(`^${FILLERS}`, 'iu');
const BOUNDARY = /[,;，；–—]\s*|\s-\s|[.:：]\s+|\b(?:but|so|aber|sondern)\s+/giu;

/** Somebody else's words, or a thought: a cue behind it is not the user's wish. */
const NOT_OWN =
  /\b(?:whether|suppose|supposing|imagine|pretend|assume|assuming|would|might|as if|said|says|say|saying|told|tells|asked|asks|wrote|writes|suggests?|suggested|recommends?|recommended|according|thinks?|thought|believes?|claims?|claimed|reads|states?|for example|for instance|e\.g|ob|angenommen|sagte?|sagt|meinte?|laut|zum beispiel)\b|说|比如|例如|据|认为|让我/i;
/** What may stand before a colon; after any other word the user dictates a text. */
const LABEL =
  /^(?:\S+\s+){0,7}?(?:rules?|things?|notes?|reminder|plans?|decision|update|convention|correction|preference|feedback|request|clear|yes|no|regel|wunsch|规则|一点)(?:\s+\S+){0,4}$/i;
const CONDITION = /\b(?:if|when|whenever|unless|once|wenn|falls|sobald)\b|如果|假如|要是|的时候/i;

/** The places at which a cue counts: the start of the sentence, and of a clause that says something of its own. */
export function clausesOf(masked: string): readonly Clause[] {
  const clauses: Clause[] = [clauseAt(masked, 0)];
  for (const boundary of masked.matchAll(BOUNDARY)) {
    const from = boundary.index + boundary[0].length;
    const before = masked.slice(0, boundary.index);
    if (from <= clauses[0]!.at || NOT_OWN.test(before)) continue;
    if (/[:：]/.test(boundary[0]) && !(LABEL.test(before) && !isOrder(before))) continue;
    clauses.push(clauseAt(masked, from));
  }
  return clauses;
}

function clauseAt(masked: string, from: number): Clause {
  const lead = LEAD.exec(masked.slice(from))?.[0].length ?? 0;
  const before = masked.slice(0, from);
  return { at: from + lead, from, before, isConditional: CONDITION.test(before) };
}

/** The clause without its fillers but with the way it asks: "you should …". */
export function withoutFillers(masked: string, from: number): number {
  return from + (FILLERS_ONLY.exec(masked.slice(from))?.[0].length ?? 0);
}

const ORDER = new RegExp(
  `^${FILLERS}${REQUESTS}(?:${WORK_VERBS}|fix|implement|let me|set|try|finish|complete|continue|help)\\b`,
  'iu',
);

/** True when the clause that stands before gives an order: what follows belongs to that order. */
export function isOrder(before: string): boolean {
  return ORDER.test(before);
}

const QUESTION_START =
  /^(?:do|did|does|don't|didn't|is|are|was|were|am|have|has|had|should|shall|may|why|what|what's|how|who|which|where|isn't|aren't|can't|couldn't|shouldn't|wouldn't|weißt du|erinnerst du|hast du|hattest du|ist|sind|warum|wieso|was|wie|welche[rs]?|soll(?:te)?n? (?:ich|wir)|darf ich|kann ich)\b(?! not\b| ever\b)/i;
const ASKING_START = /^(?:can|could|would|will|kannst|könntest|würdest) (?:you|du)\b/i;
const QUESTION_END = /[?？]["'”)\]]*$|(?:吗|呢|么)[。.！!]?$/;
const POLITE =
  /\b(?:please|pls|from now on|going forward|bitte|ab jetzt|in zukunft)\b|\bremember (?:this|the following)\b[^:]*:/i;

/** "Can you please remember that …?" asks for something; "do you remember that …?" asks about it. */
export function isQuestion(masked: string): boolean {
  const words = masked.slice(withoutFillers(masked, 0));
  if (ASKING_START.test(words)) return !POLITE.test(words);
  if (/^(?:don't|do not) /i.test(words) && !/^don't (?:you|we|i|they)\b/i.test(words)) return QUESTION_END.test(words);
  return QUESTION_START.test(words) || QUESTION_END.test(words);
}

const SUPPOSED =
  /\bif (?:i|we|you|someone|somebody|anyone|people|users?|the user|a user|they|he|she)(?: (?:ever|just|had|would|were to))? ?(?:asked?|tells?|told|said|says?|wanted|were|was|wrote|types?|typed|had|would)\b|\b(?:suppose|supposing|imagine|pretend|hypothetically|theoretically|let's say|what if|as if|would have|would've|could have|should have|in theory|used to|i wonder|not sure|wondering)\b|wenn ich dich|angenommen|假设|假如|如果我(?:让|要|叫|说)/i;

export function isSupposed(masked: string): boolean {
  return SUPPOSED.test(masked);
}

const NEGATED =
  /\b(?:don't|do not|doesn't|no need to|needn't|not necessary to|don't (?:need|have|want you) to|not (?:to )?|never|stop|without|rather than|instead of|can't|cannot|won't|couldn't|unable to|hard to|nicht|ohne) (?:(?:bother|need|have|try|want|you|to|always|going|necessary|dir|zu) ){0,4}(?:remember(?:ing)?|memori[sz]e|sav(?:e|ing)|stor(?:e|ing)|keep(?:ing)? (?:a )?note|merken)\b|\b(?:merke?|speichere?) (?:dir )?(?:das|es|dies)? ?(?:bitte )?(?:nicht|nix)\b|(?<!(?:n't|not|never|ever) )\b(?:forget|ignore|disregard|drop|scratch) (?:that|this|it|what|everything|about|the (?:rule|last|previous))|vergiss (?:das|es|was|alles)|(?:不用|不要|别|无需|不必|没必要|不需要)(?:再)?(?:去)?(?:记|保存)|忘(?:了|掉)(?:这|那|它|吧)/i;

/** "You don't need to remember this." */
export function isTakenBack(masked: string): boolean {
  return NEGATED.test(masked);
}

const THINGS_AT_HAND =
  'task|change|pr|pull request|commit|session|file|function|test|request|question|chat|conversation|ticket|issue|step|run|review|demo|fix|branch|class|method|component|script|case|loop|query|migration|exercise|example|endpoint|handler|one|time|page|form|section|table|refactor(?:ing)?|feature|round|iteration|message|answer|response|module|package';

const FOR_NOW = new RegExp(
  [
    String.raw`\b(?:for now|for the moment|for the time being|right now|at the moment|just (?:this )?once|this once|today|tonight|temporarily|as a test|first pass)\b`,
    String.raw`\b(?:for|in|on|with|during|within|of) (?:this|that|the current|the next|the following) (?:particular |new |whole )?(?:${THINGS_AT_HAND})\b`,
    String.raw`\bthis time\b|\bfor the rest of (?:this|the|today)`,
    String.raw`\buntil (?:i|we|you|it|this|that|further|the)\b|\bwhile (?:you|i|we|it)(?:'re|'m|'s| are| am| is)\b`,
    String.raw`\bbefore (?:you|we|i) (?:finish|stop|start|continue|begin|go on|move on|proceed|are done)|\b(?:when|once|after|as soon as) (?:you(?:'re| are|'ve)?|we're) (?:done|finished|through|ready)`,
    String.raw`\b(?:when|once) (?:done|finished|it's done|that's done)\b|\bafter (?:that|this)\b`,
    String.raw`\b(?:vorerst|erstmal|fürs erste|diesmal|dieses mal|gerade|momentan|im moment|heute)\b|in (?:dieser|diesem) (?:datei|funktion|pr|branch|commit|test|session|aufgabe)`,
    '这次|暂时|目前|先这样|现在先|这个(?:文件|函数|任务|分支|测试)|本次',
  ].join('|'),
  'i',
);

/** An order for the work at hand, which is over when that is done. */
export function isForNow(masked: string): boolean {
  return FOR_NOW.test(masked);
}

/** Only words that end with the conversation: a deadline is worth keeping when the user asks for it. */
export function isForThisConversation(masked: string): boolean {
  return /\b(?:for now|for the moment|for the time being|just (?:this )?once|for the rest of (?:this|the))\b|\b(?:for|in|during) (?:this|the current) (?:task|session|chat|conversation|change|pr|commit|request|question|step)\b|\buntil (?:you|i) (?:finish|are done|say|tell)|vorerst|diesmal|暂时|这次/i.test(
    masked,
  );
}

/** The prohibition's verb has no object of its own: "don't do that". */
export function pointsAtSomething(words: string, cue: Cue): boolean {
  if (cue.language === 'zh') return /^.{0,6}(?:这个|那个|这样|那样|它|这些|那些)/.test(words);
  if (cue.language === 'de') return /^(?:\S+ ){0,2}(?:das|dies|es|diese[rsmn]?)(?: |$)(?!\p{Lu})/u.test(words);
  return /^(?:please |just |also |to |ever )*(?:don't |do not |never |always |stop |avoid )?(?:please |ever )?\S+ (?:\S+ing )?(?:this|that|it|these|those|them|anything|something|so|yet|either|too)\b(?! (?:project|repo|repository|codebase|team|company|machine|org)\b)/i.test(
    words,
  );
}
