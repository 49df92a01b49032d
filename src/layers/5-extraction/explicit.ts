/** Keeps what the user asks to be kept, without a model: a sentence that opens like a request or says who they are, and nothing else. */

import { fold } from '../../base/text/fold.ts';
import { LIMITS, type Limits } from '../../limits.ts';
import { asksToRemember, isOptOut } from '../../memory/gate/phrases.ts';
import type { TypedSentence } from '../../memory/gate/typed.ts';
import { type Cue, LEAD, OPENINGS } from './explicit-openings.ts';
import { type ExplicitMemory, shapeMemory } from './explicit-shape.ts';
import { ownSentences } from './explicit-text.ts';

export type { ExplicitMemory };

export interface ExplicitFacts {
  readonly now: Date;
  readonly limits?: Limits['explicit'];
}

export function extractExplicit(userText: string, facts: ExplicitFacts): ExplicitMemory[] {
  const limits = facts.limits ?? LIMITS.explicit;
  const sentences = ownSentences(userText, limits);
  if (sentences.some(({ text }) => SPEAKS_TO_A_MODEL.test(text) || isOptOut(text))) return [];
  const memories = new Map<string, ExplicitMemory>();
  for (const sentence of sentences) {
    const kept = wishesIn(sentence).find((wish) => isKept(wish, sentences.length));
    if (kept === undefined) continue;
    const memory = shapeMemory({ ...kept, quote: sentence.text, now: facts.now });
    const key = fold(memory.description);
    if (!memories.has(key)) memories.set(key, memory);
  }
  return [...memories.values()].slice(0, limits.memories);
}

/** Whether the user's own words carry a cue at all, even one that is not clear enough to be kept without a model. */
export function hasCue(userText: string): { cue: string } | null {
  for (const sentence of ownSentences(userText, LIMITS.explicit)) {
    const [wish] = isOptOut(sentence.text) ? [] : wishesIn(sentence);
    if (wish !== undefined) return { cue: wish.cue };
  }
  return null;
}

/** A prompt that was pasted, or is being written. */
const SPEAKS_TO_A_MODEL = /^you are (?:an?|the) (?!bit\b|genius\b|star\b|hero\b|legend\b|best\b)/i;

interface Wish {
  readonly cue: Cue;
  /** What stands behind the opening; null when nothing is said there. */
  readonly rest: string | null;
}

/** Behind a comma only what is plain wherever it stands, and not in somebody else's mouth. */
const NEXT_CLAUSE = /[,;，；]\s*|\s[-–—]\s/gu;
const NOT_OWN =
  /\b(?:sa(?:id|ys?|ying)|told|tells|asked|wrote|suggests?|recommends?|thinks?|if|when|whenever|unless|once|whether|suppose|imagine|pretend|would|might|wenn|falls|sagte?|meinte?|angenommen|si|dit|disait|dice|dijo|se|ha detto|disse|als|zei)\b|если|сказал|说|如果|假如|比如|让我|と言|もし|라고|만약/iu;

function wishesIn(sentence: TypedSentence): readonly Wish[] {
  const text = sentence.text
    .normalize('NFC')
    .replace(/[‘’]/g, "'")
    .replace(/\*\*|__/g, '');
  const starts = [0, ...[...text.matchAll(NEXT_CLAUSE)].map(({ 0: comma, index }) => index + comma.length)];
  return starts.flatMap((start) => {
    if (start > 0 && NOT_OWN.test(text.slice(0, start))) return [];
    const clause = text.slice(start).replace(LEAD, '');
    return OPENINGS.flatMap(({ cue, seen, kept }): Wish[] => {
      const opening = seen.exec(clause)?.[0];
      const isPlain = start === 0 || cue === 'remember' || cue === 'from now on';
      if (opening === undefined || !isPlain || !sentence.own.includes(fold(opening))) return [];
      if (sentence.isQuestion && !(cue === 'remember' && ASKED.test(text) && asksToRemember(text))) return [];
      const whole = (kept ?? seen).exec(clause)?.[0];
      return [
        {
          cue,
          rest:
            whole === undefined
              ? null
              : clause
                  .slice(whole.length)
                  .replace(/^[\s,:，：]+/, '')
                  .trim(),
        },
      ];
    });
  });
}

/** "Can you please remember that …?" asks for it; "remember that bug?" asks about it. */
const ASKED = /^.{0,20}(?:can|could|would|will) you please /i;

const HERE =
  '(?! ?(?:project|repo|codebase|team|company|machine|projekt|projet|proyecto|progetto|projeto|проект|项目|仓库))';

/** For the work at hand, or about something that the sentence does not name. */
const FOR_THE_CONVERSATION =
  /\b(?:for now|for the moment|for the time being|just (?:this )?once|for the rest of)\b|\b(?:for|in|during) (?:this|the current) (?:task|session|chat|conversation|change|pr|commit|request|question|step)\b|\buntil (?:you|i) (?:finish|are done|say|tell)|vorerst|diesmal|pour l'instant|por ahora|por agora|per ora|voorlopig|пока что|暂时|这次|今回|とりあえず|일단|이번/iu;
const FOR_NOW = new RegExp(
  [
    String.raw`\b(?:right now|at the moment|today|tonight|temporarily|yet|this time|(?<!around |over )here|after (?:that|this))\b`,
    String.raw`\b(?:until|while) (?:i|we|you|it|this|that|the)\b|\b(?:when|once|after|before|as soon as) (?:i|we|you|it)?(?:'re| are|'s| is)? ?(?:done|finish(?:ed)?|ready|start|continue)\b`,
    String.raw`\b(?:for|in|on|with|during|of|to|about) (?:this|that|these|those|it|the current|the following)\b${HERE}`,
    String.raw`^\W*(?:\S+ ){0,2}(?:this|that|these|those|it|them|anything)\b(?! you )${HERE}`,
    String.raw`\b(?:put|add|write|copy|paste) (?:that|this|it) (?:in|into|to|on)\b`,
    String.raw`\b(?:gerade|momentan|im moment|heute|erstmal|fürs erste|in diese[rm] \p{L}+|en train de|en este|in questo|neste|in deze)\b${HERE}`,
    `сейчас|目前|现在先|正在|还在|这个${HERE}|本次|先这样|今は|この(?!プロジェクト)|지금은|이 (?!프로젝트)`,
  ].join('|'),
  'iu',
);
/** Reasons that pass: somebody is at it. A few words on -ing are no activity. */
const PASSING_REASON =
  /\b(?:i'm|i am|we're|we are|he's|she's|they're|is|are|it's) (?:still |just |currently )?(?!confusing|annoying|distracting|misleading|boring|nothing|something|anything)[a-z-]+ing\b|\b(?:still|currently|already|down)\b|i want to/i;
/** A choice between the options at hand does not show a lasting preference. */
const CHOICE =
  /^(?:(?:the|die|das|den|la|le|el|il|o|de|het) )?(?:first|second|third|last|latter|former|other|new|old|current|simpler|shorter|previous|above|your|yours|option|approach|solution|version|variant|plan|[a-d1-9]\b|erste|zweite|letzte|andere|deine?|première|deuxième|seconde|premier|autre|primer|segund|otr|prim[ao]|seconda?|altr|primeir|outr|eerste|tweede|andere|перв|втор|друг|эт|это|ce|cette|ça|est[eao]|quest|dit|deze)|^(?:这|那|第|你的|它|一下|前者|后者|方案|选项|これ|それ|この|その|이|그)/iu;

/** In a long message "always" tells how a program should behave more often than how to work. */
const FEW_SENTENCES = 6;
const LONGEST_CHARACTERS = 600;

function isKept(wish: Wish, sentences: number): wish is Wish & { readonly rest: string } {
  const { cue, rest } = wish;
  if (rest === null || rest.length > LONGEST_CHARACTERS || FOR_THE_CONVERSATION.test(rest)) return false;
  const words = rest.replace(/[\s.!?。！？]+$/u, '');
  if (cue !== 'always' && words.split(/\s+/).length < 2 && !/[\u3040-\u9fff\uac00-\ud7af]{2}/u.test(words))
    return cue === 'about me' || (cue === 'I prefer' && /^\p{L}{3,}$/u.test(words) && !FOR_NOW.test(words));
  if (cue === 'remember' || cue === 'about me') return !/^(?:this|that|it)?[^\p{L}\p{N}]*$/iu.test(words);
  if (cue === 'always' && sentences > FEW_SENTENCES) return false;
  if (cue === "don't … because" && PASSING_REASON.test(words)) return false;
  if (cue === 'I prefer' && CHOICE.test(words)) return false;
  return !FOR_NOW.test(words.split(/[,;，；]|\b(?:because|since|weil)\b|因为/u, 1)[0]!);
}
