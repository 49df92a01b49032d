/** How a sentence opens that asks for something to be kept: a closed list, one row per language, read as data. */

import type { Language } from '../../base/languages.ts';
import { madeOnce } from '../../base/made-once.ts';
import { CORRECTION, USAGE_ROWS } from './explicit-usage.ts';

export type Cue =
  | 'remember'
  | 'note that'
  | 'from now on'
  | 'always'
  | 'we use … not'
  | 'no, use … instead'
  | "don't … because"
  | 'I prefer'
  | 'about me';

interface Row {
  readonly remember: string;
  /** What joins "remember" to its object; without it nothing is said. */
  readonly says?: string;
  readonly fromNowOn: string;
  /** An imperative that holds for good. */
  readonly always?: string;
  readonly dont: string;
  readonly prefer: string;
  readonly me: string;
}

const VERB =
  '(?:use|run|ask|commit|push|write|add|include|format|name|test|check|confirm|explain|show|give|answer|reply|keep|make|create|put|prefer|follow|start|wait|read|review|update|sign|rebase|squash|merge|deploy|document|install|list|comment|describe|summari[sz]e|propose|suggest|mention|say|tell|call|speak|translate|avoid|skip|leave|remove|delete|rename|move|edit|change|touch|modify|refactor|generate|build|lint|verify|mock|stub|hard-?code|assume|guess|invent|pin|upgrade|publish|release|force|revert|think|be|do|log|limit|stick|double-?check|search|import|define|reuse|type)';
const ROLE =
  '(?:engineer|developer|dev|programmer|designer|scientist|analyst|manager|architect|student|researcher|professor|teacher|founder|c[te]o|lead|consultant|freelancer|intern|admin|sysadmin|writer|editor|maintainer|beginner|expert|physicist|mathematician|lawyer|doctor|nurse|journalist|tester)';
/** "Remember that bug" points at something. */
const THING =
  '(?:time|bug|issue|file|function|thing|day|one|error|conversation|discussion|pr|commit|script|test|part|problem|meeting|change|fix|page|ticket|feature|for|from|about|with)';
const TALK =
  "(?:i|we|you|he|she|they)(?:'ve| have)?(?: already)? (?:said|told|tried|asked|talked|discussed|mentioned)\\b";
const STORY =
  '(?:i|we|you) (?:had|was|were|made|changed|wrote|broke|ran|got|used|fixed|added|went|did|want|need|still|have to)\\b';

// biome-ignore format: a table, a line or two for each cue
const ROWS: Readonly<Record<Language, Row>> = {
  en: {
    remember: "(?:always )?(?:remember|memori[sz]e)|(?:don't|do not|never) (?:ever )?forget|(?:keep|bear) in mind (?:going forward|from now on|for (?:later|the future|next time))|(?:make|take) a (?:mental )?note|note to (?:self|myself)|(?:add|save|store|put|write) (?:(?:this|it|that|the following) )?(?:in|to|into) (?:your |the )?memory|for future reference",
    says: `(?: (?:this|that|the following|for (?:me|later|the future|next time)|please|down))*\\s*(?::| -) |,? that (?!${THING}\\b|${TALK}|(?:this|that|these|those) (?!project|repo|team|company))| to (?=always |never |.*\\b(?:before|after|on|with|for) (?:every|each) )|(?<=reference), |,? (?=(?:my|our|we|i'm|i am|i|never|always) )(?!${TALK}|${STORY})`,
    fromNowOn: `(?:from (?:now|here) on(?: out)?|from (?:this point|now) (?:on|forward|onwards?)|henceforth|(?:going|moving) forward(?=[,:]))\\b|(?:in (?:the )?future|next time|going forward)(?=,? (?:please )?(?:always|never|don't|${VERB}) )`,
    always: `(?:when(?:ever)? (?:you|we|i) [^,]{2,60}, )?(?:we )?(?:always|never(?: ever)?|(?:don't|do not) ever) ${VERB}\\b(?! (?:\\w+ )?(?:should|must|would|will|is|button|label)\\b)|(?:(?:we )?${VERB}|no|don't|never|stop|only)\\b(?=.{3,200} (?:from now on|going forward|from here on)(?: please)?(?:[.!, ]|$))`,
    dont: "(?:don't|do not|never|avoid|stop(?= \\w+ing)) (?!worry|forget|know|think|want|need|mind|bother|be|you|we|i)|stop(?= \\w+ing .*\\b(?:every|each) )",
    prefer: "i (?:(?:really|strongly|generally|usually|always|much|personally|also) )*(?:prefer|favou?r)|i(?:'d| would) (?:much |really )?prefer(?= (?:that |if )?you )|my (?:general |personal )?preference is|my preferred [a-z -]{3,30} (?:is|are)|i (?:really )?(?:like|love|hate|dislike|don't like|appreciate) (?:it )?when you",
    me: `i(?:'m| am) (?:\\p{L}+, )?(?:an?|the) (?:(?!(?:of|with|to|in|bit)\\b)[\\p{L}\\d+#./-]+ ){0,3}${ROLE}\\b(?! (?:user|account|page|role|server|mode|tool|build))|i(?:'m| am) (?:new to(?! th)|colou?r-?blind|dyslexic|based in)|i work (?:as an?|at) |my (?:name|role|job|profession|time ?zone|pronouns|native language|mother tongue) (?:is|are)(?! (?:in|on|not|missing|wrong|set|being|broken|shown)\\b)|call me (?!when|if|once|back|after|on|at|later|from|an?\\b|the|maybe|crazy|old)`,
  },
  de: {
    remember: 'merke? dir|notiere? dir|vergiss (?:bitte )?nicht|denke? (?:immer )?daran',
    says: '(?: bitte| mal)*(?:,? dass |\\s*: |, (?=(?:wir|ich|mein|meine|unser|unsere) ))',
    fromNowOn: 'ab (?:jetzt|sofort|heute)|von (?:nun|jetzt) an|künftig|zukünftig|in zukunft',
    always: '(?:verwende|nutze?|benutze|schreibe?|antworte|frage?|nimm|gib|mache?|keine?n?|nie|niemals|immer)(?=(?: .+)? (?:ab jetzt|ab sofort|künftig|in zukunft)(?= |[.!]|$))|niemals(?= .*en[.!]*$)',
    dont: '(?:keine?n?(?! (?:ahnung|problem|sorge|idee|zeit|lust))|nie|niemals|(?:mache?|nutze?|verwende|benutze|schreibe?|pushe?|committe|lösche|ändere)(?= .*(?:nicht|nie|keine?n?) )) ',
    prefer: 'ich (?:bevorzuge|favorisiere|ziehe(?= .* vor)|(?:arbeite|schreibe|nutze|benutze|verwende|habe|mag) (?:lieber|am liebsten))',
    me: 'ich bin (?:eine? |der |die )?(?:[\\p{L}-]+ ){0,2}[\\p{L}-]*(?:entwickler|ingenieur|informatiker|architekt|designer|leiter|student|forscher|wissenschaftler|lehrer|berater|analyst|administrator|programmierer|tester|manager|anfänger)(?:in)?(?!\\p{L})|ich (?:heiße|arbeite (?:als|bei)) |nenn mich ',
  },
  fr: {
    remember: "retiens|retenez|souviens-toi|rappelle-toi|n'oublie pas|note bien", fromNowOn: "désormais|dorénavant|à partir de maintenant|à l'avenir",
    dont: "n(?:e |')(?!marche|fonctionne|passe|trouve)(?=.* (?:pas|jamais|plus) )|évitez? ", prefer: "je préfère|j'aime mieux|je n'aime pas quand tu",
    me: "appelle-moi |je m'appelle |je travaille comme |je suis (?:un |une )?(?:développeu[rs]e?|ingénieure?|designer|étudiante?|chercheu[rs]e|enseignante?)",
  },
  es: {
    remember: 'recuerda|recordad|no olvides|ten en cuenta|apunta|anota', fromNowOn: 'a partir de ahora|de ahora en adelante|desde ahora|en adelante',
    dont: '(?:no|nunca) (?!tienes|puedes|eres|sabes|vas)(?=\\p{L}+[ea]s )|evita ', prefer: 'prefiero|me gusta más|no me gusta que',
    me: 'llámame |me llamo |trabajo como |soy (?:un |una )?(?:desarrollador|ingenier|diseñador|estudiante|investigador|profesor|programador)\\p{L}*',
  },
  it: {
    remember: 'ricorda(?:ti)?|tieni a mente|non dimenticare|annota', fromNowOn: "d'ora in poi|da ora in poi|d'ora in avanti",
    dont: '(?:non|mai) (?=\\p{L}+[aei]re )|evita ', prefer: 'preferisco|mi piace di più|non mi piace quando',
    me: 'chiamami |mi chiamo |lavoro come |sono (?:un |una |uno )?(?:sviluppat|ingegner|progettist|student|ricercat|insegnant|programmat)\\p{L}*',
  },
  pt: {
    remember: 'lembre-se(?: de)?|lembra-te(?: de)?|lembra|não (?:se )?esqueça|anote|anota', fromNowOn: 'a partir de agora|de agora em diante|daqui (?:para|pra) frente|daqui em diante',
    dont: '(?:não|nunca) (?=(?:use|usa|faça|mude|altere|apague|envie|crie|adicione|escreva|toque|mexa|commite|rode|remova)s? )|evite ', prefer: '(?:eu )?prefiro|não gosto quando você|gosto mais de',
    me: 'me chame de |chama-me |meu nome é |trabalho como |(?:eu )?sou (?:um |uma )?(?:desenvolvedor|engenheir|designer|estudante|pesquisador|professor|programador)\\p{L}*',
  },
  nl: {
    remember: 'onthoud|vergeet niet|noteer', fromNowOn: 'vanaf nu|voortaan|in het vervolg',
    dont: '(?:geen(?! (?:idee|probleem|zorgen|tijd))|nooit|(?:gebruik|maak|schrijf|push|commit|doe|zet|verwijder|wijzig)(?= .*(?:niet|nooit|geen) )) ', prefer: 'ik (?:geef de voorkeur aan|verkies|(?:heb|gebruik|werk|wil) liever)',
    me: 'noem (?:me|mij) |ik heet |ik werk als |ik ben (?:een )?(?:[\\p{L}-]+ )?[\\p{L}-]*(?:ontwikkelaar|ingenieur|ontwerper|student|onderzoeker|docent|programmeur)',
  },
  ru: {
    remember: 'запомни(?:те)?|не забудь(?:те)?|имей(?:те)? в виду|учти(?:те)?', fromNowOn: 'с этого момента|отныне|впредь',
    dont: '(?:никогда )?не (?=\\p{L}+(?:й|йте|ь|ьте|жи|ши|ходи)(?!\\p{L}))', prefer: 'я (?:предпочитаю|больше люблю)|мне (?:больше )?нравится, когда ты',
    me: 'зови меня |называй меня |меня зовут |я (?:\\p{L}+-)?(?:разработчик|программист|инженер|дизайнер|студент|исследователь|аналитик|преподаватель)',
  },
  zh: {
    remember: '(?:你)?(?:要|务必)?(?:记住|記住|记一下|记下来|牢记)(?!了?吗|不|没)|(?:别|不要)忘(?:了|记)(?=[我项这团]|：)',
    says: '[\\s，,：:]*(?!要|得|先|把|去|这[个些点一](?!项目)|那|它|上次|刚才|之前|我说|吗)(?=.{3})',
    fromNowOn: '从现在(?:开始|起)|从今(?:以后|往后|天起)|今后|以后', always: '永远(?:不要|别)|始终(?:用|使用|保持)|一律(?:用|使用|不要)',
    dont: '(?:不要|别|禁止|千万别|不许)(?!记|担心|忘|急|管|客气|说)', prefer: '我(?:个人)?(?:更|比较|最|一般|通常)?(?:喜欢|偏好|偏爱|倾向于|习惯(?:于|用|使用)?)',
    me: '我是[^，。,？?说]{0,10}(?:工程师|程序员|开发者?|设计师|产品经理|架构师|学生|研究员|老师|教授|科学家|分析师|新手|初学者)|我的(?:职位|角色|名字|职业|母语|时区)是|叫我',
  },
  ja: {
    remember: '覚えておいて(?:ください|ね)?|覚えて(?:ください|ね)|(?=.{4,}(?:こと|の|は|と)を?、?覚えておいて(?:ください|ね|ほしい)?[。!！]?$)', says: '[\\s:：、。]*(?=.{3})',
    fromNowOn: '今後は?|これからは|以後は?', dont: '(?=[^。]*しないで)', prefer: '(?=(?:私|僕)?[^。]{0,40}(?:の?方が好き|を好みます|のほうが好き)(?:です)?[。!！]?$)',
    me: '(?:私|僕)は[^。、]{1,16}(?:エンジニア|開発者|デザイナー|学生|研究者|プログラマー)です|(?=[^。]{1,12}と呼んで)',
  },
  ko: {
    remember: '(?:꼭 )?기억해(?: ?(?:줘|주세요|둬|두세요))?|(?=.{4,}(?:을|를|다고|라고|는 것을?|는 걸) 기억해)', says: '[\\s:：,.]*(?=.{3})',
    fromNowOn: '(?:앞으로|이제부터|지금부터)는?(?= |,)', dont: '(?=[^.]*지 ?(?:마|말))', prefer: '(?:저는|나는|전|난) [^.]{1,40}(?:선호|더 좋아)',
    me: '(?:저는|나는) [^.,]{1,16}(?:개발자|엔지니어|디자이너|학생|연구원|프로그래머)(?:입니다|이에요|예요|야)|(?:저를|나를) [^.]{1,10}라고 불러',
  },
};

const SAYS = "(?: de| bien|,? (?:alsjeblieft|пожалуйста))*(?:,? (?:que|che|dat|что) | qu'|\\s*: )";
const BECAUSE =
  '(?:because|since(?= (?:i|we|it|they|our|my|the|you) )|otherwise|so that|every |each |weil|denn|sonst|damit|parce qu|car |sinon|puisqu|porque|ya que|si no|perch[éè]|altrimenti|dato che|pois|senão|omdat|want|anders|потому что|так как|иначе|因为|否则|不然|から|ので|ため|때문|니까|아니면)';
/** What follows "from now on" when it only describes how things are. */
const REPORT =
  "(?:it|this|that|there|he|she|they|the|an?|what|how|i(?:'ll| will| can)|läuft|geht|funktioniert|ist|sind|wird|werden|es|das|der|die|kommt|gibt|ha(?:t|be|ben)|ils?|elles?|ça|cela|l[ea]s?|une?|c'est|je vais|el|los|esto|eso|funciona|va|está|voy|lo|gli|una|questo|funziona|è|o|as?|os|uma?|isso|vai|é|vou|het|de|een|dit|dat|werkt|gaat|is|zijn|wordt|он|она|они|это|всё|работает|сервер|будет|я буду|再|可能|也许|会|怎么|要不要|我会|它|这(?!个项目)|就好|吧|の|どう|何|大丈夫|それ|これ|어떻게|뭐|무엇|잘|그건|이건)";
/** Politeness and fillers before an opening. */
const LEADS =
  "ok|okay|great|good|perfect|cool|thanks|thank you|hey|hi|hello|so|also|and|but|no(?=[,.!:])|yes|well|btw|by the way|please|pls|just|then|actually|one (?:more )?thing|note(?=:)|(?:one )?rules?(?=:)|important(?=[:,])|reminder(?=:)|i(?:'ve)? (?:already )?told you(?: before| twice)?|in general|in this (?:project|repo|repository|codebase)|(?:can|could|would|will) you please|(?:can|could) you(?= remember[^:?]*:)|you (?:should|must|need to|have to)|i(?:'d| would) like you to|i (?:want|need|expect) you to|make sure (?:you|to)|be sure to|let's|bitte|gut|danke|nein|ja|und|aber|übrigens|du (?:sollst|solltest|musst)|s'il (?:te|vous) plaît|stp|merci|oui|non(?=,)|et|au fait|por favor|gracias|sí|además|per favore|grazie|sì|inoltre|obrigad[oa]|sim|além disso|alsjeblieft|graag|bedankt|nee|maar|trouwens|пожалуйста|спасибо|да|нет(?=,)|кстати|请你?|好的?|另外|还有|对了|嗯|不对|不是|谢谢|麻烦你?|你要|你应该|希望你|あと|それと|はい|ちなみに|네|그리고|참고로";

/** What is cut off before an opening is looked for. */
export const lead = madeOnce(
  () => new RegExp(`^(?:(?!${CORRECTION})(?:${LEADS})(?:[\\s,.!:：，、–-]+|(?=[\\u3040-\\u9fff])))*`, 'iu'),
);

const SPACED = '[\\p{Script=Latin}\\p{Script=Cyrillic}]';
/** Not in the middle of a word, in languages that space their words. */
const WHOLE = `(?<!${SPACED}(?=${SPACED}))`;

/** What follows in every language stands once, behind them all: a class of letters takes long to compile. */
function opening<Each>(
  wording: (row: Each) => string,
  { rows, after = '' }: { readonly rows: Readonly<Record<Language, Each>>; readonly after?: string },
): RegExp {
  return new RegExp(`^(?:${Object.values(rows).map(wording).join('|')})${after}`, 'iu');
}

export interface Opening {
  readonly cue: Cue;
  readonly seen: RegExp;
  /** How far it must go to be kept, if that is further. */
  readonly kept?: RegExp;
}

/** Made when a sentence may hold one: to read them all takes longer than an ordinary hook has. */
export const openings = madeOnce((): readonly Opening[] => [
  {
    cue: 'remember',
    seen: opening(({ remember }) => remember, { rows: ROWS, after: WHOLE }),
    kept: opening(({ remember, says }) => `(?:${remember})${WHOLE}(?:${says ?? SAYS})`, { rows: ROWS }),
  },
  {
    cue: 'note that',
    seen: opening(({ note }) => note, { rows: USAGE_ROWS }),
    kept: opening(({ note, ours }) => `(?:${note}) ?(?=(?:${ours})(?!${SPACED}))`, {
      rows: USAGE_ROWS,
      after: `(?!${TALK}|${STORY})`,
    }),
  },
  { cue: 'we use … not', seen: opening(({ weUse }) => `(?=${weUse})`, { rows: USAGE_ROWS }) },
  { cue: 'no, use … instead', seen: new RegExp(`^(?=${CORRECTION})`, 'iu') },
  {
    cue: 'from now on',
    seen: opening(({ fromNowOn }) => fromNowOn, { rows: ROWS, after: WHOLE }),
    kept: opening(({ fromNowOn }) => fromNowOn, {
      rows: ROWS,
      after: `${WHOLE}(?![\\s,，]*${REPORT}(?!${SPACED}))`,
    }),
  },
  { cue: 'always', seen: opening(({ always }) => always ?? '(?!)', { rows: ROWS }) },
  { cue: 'I prefer', seen: opening(({ prefer }) => prefer, { rows: ROWS, after: WHOLE }) },
  { cue: 'about me', seen: opening(({ me }) => me, { rows: ROWS }) },
  { cue: "don't … because", seen: opening(({ dont }) => dont, { rows: ROWS, after: `(?=.{3,}${BECAUSE})` }) },
]);
