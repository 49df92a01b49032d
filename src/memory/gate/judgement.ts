/** Nothing negative about a person is kept. Harsh words about a tool are a fact about the tool. In doubt nobody is judged. */

import { formsOf } from '../../base/text/word-forms.ts';
import { JUDGEMENT_WORDS } from './judgement-words.ts';
import { markerOf, sentencesOf } from './parts.ts';

const LANGUAGES = Object.values(JUDGEMENT_WORDS).map((words) => ({
  people: formsOf(words.people),
  be: formsOf(words.be),
  isBeLeftOut: words.isBeLeftOut ?? false,
  small: formsOf(words.small),
  traits: formsOf(words.traits),
  faults: formsOf(words.faults),
  praise: formsOf(words.praise ?? ''),
}));

type Language = (typeof LANGUAGES)[number];

/** `around` is the memory that the text is from: one that says "his" is about somebody. */
export function hasJudgement(text: string, around = text): boolean {
  return sentencesOf(text).some((line) => {
    const sentence = apart(line.slice(markerOf(line).length).trim());
    if (judgesInEastAsian(sentence)) return true;
    if (NAME_JUDGED.test(sentence) && HIS_OR_HER.test(around)) return true;
    return sentence.split(/[,;()]/).some(judgesInClause);
  });
}

const NAME_JUDGED =
  /^(?!It|This|That|What|Which|\p{L}+(?:thing|body) )\p{Lu}\p{Ll}+ (?:is|was) (?:\p{Ll}+ly |just |so |very )*(?:sloppy|careless|rude|dishonest|moody)\b/u;
const HIS_OR_HER = /\b(?:he|she|his|her|him)\b/i;

/** "He's", "isn't" and "l'utente" in two words each; a dash that stands for "is" as a colon. */
function apart(sentence: string): string {
  return sentence
    .replaceAll('\u2019', "'")
    .replace(/\b(he|she|they|i|you)'(?:s|re|m)\b/gi, '$1 is')
    .replace(/n't\b/g, ' not')
    .replace(/(?<!\p{L})(\p{L}{1,4}')(?=\p{L}{2})/gu, '$1 ')
    .replace(/\s[—–-]\s/g, ' : ');
}

/** "If a customer is rude": nobody is said to be it. */
const IF = formsOf('if when whenever unless whether wenn falls ob als si quand cuando se quando если когда');

const NOT = formsOf(`
  not never no nobody hardly nicht kein//e/er/en nie niemals niet geen nooit pas jamais aucun//e nunca jamás non mai nessun//o/a não ни не
  никогда`);
/** "It is arrogant to assume that" is about nobody. */
const IT = formsOf(
  "it this that there what which es das dies het dit dat il ce c' ça cela esto eso questo isso isto это",
);

function judgesInClause(clause: string): boolean {
  const tokens = clause.toLowerCase().match(/\p{L}[\p{L}\p{N}'-]*|:/gu) ?? [];
  if (tokens.some((word) => IF.has(word))) return false;
  return LANGUAGES.some((language) => tokens.some((_word, at) => isJudged({ tokens, at, language })));
}

interface Place {
  readonly tokens: readonly string[];
  /** Where the word is that may judge. */
  readonly at: number;
  readonly language: Language;
}

function isJudged({ tokens, at, language }: Place): boolean {
  const { people, be, small, traits, faults, praise } = language;
  const word = tokens[at]!;
  const [isTrait, isPraise] = [traits.has(word), praise.has(word)];
  if (!isTrait && !isPraise && !faults.has(word)) return false;
  const isDenied = tokens.slice(0, at).some((each) => NOT.has(each));
  if (isDenied !== isPraise) return false;
  const verb = verbBefore({ tokens, at, language });
  const isBe = be.has(tokens[verb] ?? '');
  const isSaid = isBe || tokens[verb] === ':';
  if (!isSaid && !language.isBeLeftOut) return false;
  const before = tokens.slice(0, isSaid ? verb : verb + 1);
  const subject = before.slice(before.lastIndexOf(':') + 1);
  const isPerson = subject.some((each) => people.has(each));
  const isKnown = subject.every((each) => people.has(each) || small.has(each));
  const isOther = subject.some((each) => !small.has(each) && !IT.has(each));
  return (isPerson && isKnown) || (isTrait && isBe && isOther);
}

/** "is" is not further away than that. */
const MOST_BETWEEN = 6;
const ARTICLE = /^(?:an?|eine?|een|une?|un[ao]|uma?)$/;
const JOINT = /^(?:and|und|en|et|y|e|и)$/;

/** Where "is" or a colon stands, with nothing but small words, "a notorious" or "corrupt and" in between. */
function verbBefore({ tokens, at, language: { be, small } }: Place): number {
  const mayStand = (index: number) => {
    const [before = '', word = '', next = ''] = tokens.slice(Math.max(0, index - 1), index + 2);
    return small.has(word) || NOT.has(word) || ARTICLE.test(before) || JOINT.test(word) || JOINT.test(next);
  };
  let verb = at - 1;
  while (verb > 0 && at - verb < MOST_BETWEEN && !be.has(tokens[verb]!) && tokens[verb] !== ':' && mayStand(verb)) {
    verb -= 1;
  }
  return verb;
}

// Judgements of people in Chinese, Japanese and Korean, where no space parts two words: a person, what links the two, and the word.

const CHINESE = {
  people:
    '同事|老板|经理|主管|领导|上司|下属|实习生|客户|顾客|甲方|房东|房客|邻居|保安|老师|校长|医生|律师|市长|同学|学生|员工|程序员|设计师|工程师|老公|老婆|丈夫|妻子|妈妈|爸爸|朋友|室友|用户|家伙|先生|女士|小姐|(?<!其)他们?|她们?|[那这]个?人',
  link: '(?:是一?[个位]?|很|真|太|非常|特别|有点|又|挺|十分|极其|实在|最|比较|就|简直|都|总|完全)+',
  words:
    '骗子|笨蛋|白痴|傻|蠢|愚蠢|笨|懒|小气|抠门|吝啬|自私|虚伪|无耻|卑鄙|狡猾|阴险|小人|小偷|流氓|混蛋|人渣|无赖|无能|没能力|不靠谱|不老实|不诚实|没素质|没教养|嚣张|傲慢|自大|粗鲁|胆小鬼|神经病|贪婪|固执|粗心|糟糕|差劲|没用|垃圾|废物|讨厌|可笑',
  end: '',
};

const JAPANESE = {
  people:
    '[このあ隣]の?人|管理人|大家|担当者|社員|[社部課店校係]長|先生|学生|上司|同僚|部下|先輩|後輩|新人|顧客|インターン|マネージャー|リーダー|エンジニア|デザイナー|クライアント|ユーザー|さん|さま|様|氏|くん|ちゃん|彼女?|夫|妻|友達|友人|奴|やつ|あいつ',
  link: '(?:たち)?(?:は|が|も|って)(?:とても|本当に|すごく|かなり|ただの)*',
  words:
    '嘘つき|うそつき|詐欺師|ペテン師|泥棒|怠け者|怠け|ケチ|けち|守銭奴|卑怯者?|臆病者?|偽善者|意地悪|性格が悪|頭が悪|無能|役立たず|間抜け|愚か者|傲慢|横柄|無礼|自己中|わがまま|無責任|不誠実|クズ|ろくでなし|バカ|馬鹿|アホ|頑固|だらしな|ダメ|駄目|使えない|最悪|最低|ゴミ|うざ',
  end: '(?!(?:では?|じゃ) ?(?:な|あり))(?:だ|で|い|く|な|[、。！!]|$)',
};

const KOREAN = {
  people:
    '(?<![가-힣])(?:팀장|부장|사장|회장|원장|교장|상사|동료|직원|사원|인턴|신입|후배|선배|고객|손님|집주인|세입자|이웃|관리인|경비원|선생|교사|변호사|학생|교수|개발자|디자이너|담당자|사용자|남편|아내|형|오빠|누나|언니|동생|엄마|아빠|어머니|아버지|삼촌|처남|시어머니|장모|친구|룸메이트|아저씨|아줌마|그 사람|그녀|그|그놈|녀석)',
  link: '[님씨들]*[은는이가도] (?:(?:너무|정말|매우|아주|진짜|좀|참|완전) )*',
  words:
    '거짓말쟁이|사기꾼|도둑놈|구두쇠|게으름뱅이|겁쟁이|위선자|바보|멍청|머저리|얼간이|병신|양아치|꼰대|무능|비열|비겁|교활|뻔뻔|거만|오만|건방|무례|이기적|인색|치사|야비|무책임|게으|고집불통|어리석|한심|형편없|쓸모없|쓰레기|최악|끔찍',
  end: '(?!\\S{0,4} (?:않|아니))',
};

const JUDGED = [CHINESE, JAPANESE, KOREAN].map(
  ({ people, link, words, end }) => new RegExp(`(?:${people})${link}(?:${words})${end}`, 'u'),
);
const SCRIPTS = /[\u3040-\u30ff\u4e00-\u9fff가-힣]/u;

function judgesInEastAsian(sentence: string): boolean {
  return SCRIPTS.test(sentence) && JUDGED.some((pattern) => pattern.test(sentence));
}
