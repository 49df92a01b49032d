/** The cues by which a user says that something should be kept, as a table: what they look like and how they are read. */

import { CHINESE_ROLES, GERMAN_ROLES, ROLES, WORK_VERBS } from './explicit-words.ts';

export type CueKind =
  | 'remember' // what follows is to be kept
  | 'standing' // what follows holds from now on
  | 'standing-behind' // what stands before holds from now on
  | 'next-time' // as standing, but only for a plain order: plans are spoken of in the same words
  | 'rule' // always, never
  | 'reasoned' // a prohibition with its reason
  | 'preference'
  | 'identity';

export type Language = 'en' | 'de' | 'zh';

export interface Cue {
  readonly name: string;
  readonly kind: CueKind;
  readonly language: Language;
  /** Matches a clause from its start; for `standing-behind` anywhere in it. */
  readonly pattern: RegExp;
}

interface Row {
  readonly name: string;
  readonly kind: CueKind;
  readonly language?: Language;
  readonly words: string;
}

const ADVERBS =
  '(?:really |strongly |generally |usually |always |much |personally |actually |also |definitely |still |tend to |clearly )*';

/** Words between an article and a role: no preposition, or it is "a fan of the lead developer". */
const BETWEEN = String.raw`(?:(?!(?:of|with|to|in|from|at|on|for|and|or|who|that|about|by|bit|little)\b)[\p{L}\d+#./&-]+ ){0,4}`;
/** "the admin user", "a dev server". */
const NO_THING = '(?! (?:user|account|page|panel|role|server|environment|mode|console|tool|tools|build|branch)\\b)';

const ROWS: readonly Row[] = [
  { name: 'remember', kind: 'remember', words: String.raw`(?:always )?(?:remember|memori[sz]e)\b` },
  { name: "don't forget", kind: 'remember', words: String.raw`(?:don't|do not|never) (?:ever )?forget\b` },
  {
    name: 'keep in mind',
    kind: 'remember',
    words: '(?:keep|bear) in mind (?:for (?:the future|later|next time)|going forward|from now on)',
  },
  { name: 'make a note', kind: 'remember', words: String.raw`(?:make|take) (?:a )?(?:mental )?note\b` },
  {
    name: 'note to self',
    kind: 'remember',
    words: String.raw`note (?:to self|to myself|for (?:later|the future|future sessions))\b`,
  },
  {
    name: 'save to memory',
    kind: 'remember',
    words: String.raw`(?:add|save|store|put|write|commit|record) (?:(?:this|it|that|the following) )?(?:down )?(?:in|to|into) (?:your |the )?(?:long-term )?memory\b`,
  },
  { name: 'for future reference', kind: 'remember', words: String.raw`for future reference\b` },

  {
    name: 'from now on',
    kind: 'standing',
    words: String.raw`(?:from (?:now|here) on(?: out)?|from (?:this point|here|now) (?:on|forward|onwards?)|henceforth|(?:going|moving) forward(?=\s*[,:]))`,
  },
  {
    name: 'from now on',
    kind: 'standing-behind',
    words: String.raw`\b(?:from (?:now|here) on(?: out)?|from (?:this point|here|now) (?:on|forward|onwards?)|going forward|moving forward)`,
  },
  {
    name: 'next time',
    kind: 'next-time',
    words: String.raw`(?:in (?:the )?future|for the future|next time|(?:going|moving) forward)\b`,
  },

  { name: 'always', kind: 'rule', words: String.raw`(?:we )?always (?=(?:${WORK_VERBS})\b)` },
  { name: 'never', kind: 'rule', words: String.raw`(?:we )?never (?:ever )?(?=(?:${WORK_VERBS})\b)` },
  { name: 'never', kind: 'rule', words: String.raw`(?:don't|do not) ever (?=(?:${WORK_VERBS})\b)` },

  {
    name: "don't … because",
    kind: 'reasoned',
    words: String.raw`(?:(?:don't|do not|never)(?= (?!worry|forget|know|think|see|want|need|mind|bother|care|understand|get|have|remember|like|believe|trust|feel|panic|be|you|we|i|they)[a-z])|stop(?= [a-z-]+ing\b)|avoid(?= [a-z-]+))`,
  },

  { name: 'I prefer', kind: 'preference', words: String.raw`i ${ADVERBS}(?:prefer|favou?r)\b` },
  {
    name: 'I prefer',
    kind: 'preference',
    words: String.raw`i(?:'d| would) (?:much |really )?prefer (?=(?:that |if |for )?you\b)`,
  },
  {
    name: 'my preference is',
    kind: 'preference',
    words: String.raw`my (?:general |personal |strong )?preference is\b|my preferred [a-z -]{3,30} (?:is|are)\b`,
  },
  {
    name: 'I like it when',
    kind: 'preference',
    words: String.raw`i (?:really )?(?:like|love|hate|dislike|appreciate|don't like|do not like|can't stand) (?:it )?when(?:ever)? you\b`,
  },

  {
    name: 'I am',
    kind: 'identity',
    words: String.raw`i(?:'m| am)(?: also| just| only)? (?:an?|the|your|one of the) ${BETWEEN}(?:${ROLES})\b${NO_THING}`,
  },
  {
    name: 'I am',
    kind: 'identity',
    words: String.raw`i(?:'m| am) \p{L}+, (?:an?|the) ${BETWEEN}(?:${ROLES})\b${NO_THING}`,
  },
  {
    name: 'I am',
    kind: 'identity',
    words: String.raw`i(?:'m| am) (?:(?:fairly|quite|very|pretty|completely|totally|relatively) )?(?:new to|not (?:that |very |really )?familiar with|colou?r-?blind|dyslexic|based in|left-handed)\b`,
  },
  {
    name: 'I work',
    kind: 'identity',
    words: String.raw`i (?:work (?:as (?:an?|the)|at|for(?= (?!hours|days|weeks|minutes|an?\b|some\b|the next))|in (?:an?|the) (?:[\p{L}-]+ ){0,2}(?:team|department|lab|company|industry)|on the (?:[\p{L}-]+ ){1,3}team)|live in|come from|speak|teach|(?:lead|manage) (?:an?|the) (?:[\p{L}-]+ ){0,3}team|have (?:no|little|\d+|two|three|five|ten|many|several) (?:[\p{L}'-]+ ){0,4}(?:experience|background))(?!\p{L})`,
  },
  {
    name: 'I work',
    kind: 'identity',
    words: String.raw`i(?:'ve| have) been (?:writing|using|programming|coding|working|developing|doing|building|teaching)\b(?! (?:this|that|it|on)\b)(?=.*\b(?:years?|decades?|since (?:19|20)\d\d)\b)`,
  },
  {
    name: 'my role',
    kind: 'identity',
    words: String.raw`my (?:name|role|job|job title|title|profession|background|day job|time ?zone|pronouns|native language|mother tongue|first language|working hours|employer|company|team|editor|ide|shell|terminal|os|operating system|keyboard layout) (?:is|are)\b(?! (?:in|on|not|already|also|used|stored|missing|wrong|set|spel(?:led|t)|being|displayed|shown|cut|hard-?coded|broken|slow|down|crashing|red|failing|stuck|full|gone|empty)\b)`,
  },
  {
    name: 'call me',
    kind: 'identity',
    words: String.raw`(?:call|address) me (?!(?:when|if|once|back|after|on|at|later|from|with|by the|an?|the|it|maybe|crazy|old|paranoid|stupid|dumb|naive|lazy|ignorant|sceptical|skeptical)\b)`,
  },

  {
    name: 'merk dir',
    kind: 'remember',
    language: 'de',
    words: String.raw`(?:merke?(?:'s)? dir|merken|notiere? dir|vergiss nicht|vergiss bitte nicht|denke? (?:immer )?daran)(?!\p{L})`,
  },
  {
    name: 'ab jetzt',
    kind: 'standing',
    language: 'de',
    words: String.raw`(?:ab (?:jetzt|sofort|heute)|von (?:nun|jetzt) an|künftig|zukünftig|in zukunft|in der zukunft)(?!\p{L})`,
  },
  {
    name: 'ab jetzt',
    kind: 'standing-behind',
    language: 'de',
    words: String.raw`(?<!\p{L})(?:ab (?:jetzt|sofort)|von (?:nun|jetzt) an|künftig|in zukunft)(?!\p{L})`,
  },
  {
    name: 'ich bevorzuge',
    kind: 'preference',
    language: 'de',
    words: String.raw`ich (?:bevorzuge|ziehe|favorisiere|mag lieber|(?:arbeite|schreibe|nutze|benutze|verwende|habe|mag) (?:lieber|am liebsten))(?!\p{L})`,
  },
  {
    name: 'ich bin',
    kind: 'identity',
    language: 'de',
    words: String.raw`ich bin (?:eine? |der |die )?(?:[\p{L}-]+ ){0,3}(?:${GERMAN_ROLES})(?!\p{L})`,
  },
  {
    name: 'ich bin',
    kind: 'identity',
    language: 'de',
    words: String.raw`(?:mein(?:e)? (?:rolle|name|beruf|job|muttersprache|zeitzone|editor|team) (?:ist|sind)|ich (?:arbeite (?:als|bei|im|in der|für)|heiße|wohne in|leite|komme aus de[rm])|nenn mich)(?!\p{L})`,
  },
  {
    name: 'nicht …, weil',
    kind: 'reasoned',
    language: 'de',
    words: String.raw`(?:keine?n?|nie|niemals|nicht mehr) (?=\p{L})|(?:mach|nutze?|verwende|benutze|schreibe?|pushe?|committe|mocke|lösche|ändere|formatiere|füge)e? (?=.*\b(?:nicht|nie|niemals|keine?n?)\b)`,
  },
  { name: 'immer', kind: 'rule', language: 'de', words: String.raw`(?:immer|nie|niemals) (?=.*\p{L}{2,}en[.!]?$)` },

  {
    name: '记住',
    kind: 'remember',
    language: 'zh',
    words: '(?:你)?(?:要|得|务必)?(?:记(?:住|一下|下来|得(?=.*(?:每次|总是|以后|一直|永远)))|牢记)(?!了?吗|不|没)',
  },
  { name: '别忘了', kind: 'remember', language: 'zh', words: '(?:别|不要)忘(?:了|记)' },
  {
    name: '以后',
    kind: 'standing',
    language: 'zh',
    words: '(?:从现在(?:开始|起)|从今(?:以后|往后|天起|天开始)|今后|以后)',
  },
  {
    name: '我喜欢',
    kind: 'preference',
    language: 'zh',
    words: '我(?:个人)?(?:更|比较|最|还是更|一般|通常)?(?:喜欢|偏好|偏爱|倾向于|习惯(?:于|用|使用)?)',
  },
  {
    name: '我是',
    kind: 'identity',
    language: 'zh',
    words: String.raw`我(?:是(?=[^，。,？?]{0,16}(?:${CHINESE_ROLES}))|的(?:职位|角色|工作|名字|职业|母语|时区|编辑器)是|叫(?=\p{L})|在(?=[^，。,？?]{1,14}(?:工作|上班))|负责)`,
  },
  {
    name: '不要…因为',
    kind: 'reasoned',
    language: 'zh',
    words: '(?:不要|别|禁止|千万别|千万不要|不许)(?!再?记|担心|忘|急|着急|管|客气|说)',
  },
  {
    name: '始终',
    kind: 'rule',
    language: 'zh',
    words: '(?:永远(?:不要|别)|始终(?:用|使用|保持)|一律(?:用|使用|不要)|总是(?:用|使用|先))',
  },
];

export const CUES: readonly Cue[] = ROWS.map(({ name, kind, language, words }) => ({
  name,
  kind,
  language: language ?? 'en',
  pattern: new RegExp(kind === 'standing-behind' ? words : `^(?:${words})`, 'iu'),
}));
