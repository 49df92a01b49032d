/** Words that judge people in Chinese, Japanese and Korean, where nothing stands between two words. */

import { JUDGED, type JudgementClass, type Subject } from './judgement-words.ts';

/** All are patterns. */
interface EastAsianWords {
  readonly script: RegExp;
  /** How a name for a person ends. */
  readonly people: string;
  readonly user: string;
  readonly things: string;
  /** Parts the subject from what is said of it; what stands before the last "of" in the subject is not the subject. */
  readonly topic: RegExp;
  readonly of: string;
  /** What must stand before or behind a word that is said of somebody. */
  readonly saidBehind: RegExp | null;
  readonly saidBefore: RegExp | null;
  readonly notBehind: RegExp;
  readonly notBefore: RegExp;
  readonly words: Readonly<Record<'traits' | 'loose' | 'faults' | 'skills', string>>;
}

const CHINESE: EastAsianWords = {
  script: /\p{Script=Han}/u,
  people:
    '同事|老板|经理|主管|领导|上司|下属|实习生|客户|顾客|甲方|房东|房客|邻居|物业|保安|老师|校长|班主任|医生|律师|市长|同学|学生|教授|员工|程序员|设计师|工程师|合伙人|老公|老婆|丈夫|妻子|哥哥|弟弟|姐姐|妹妹|妈妈|爸爸|母亲|父亲|叔叔|阿姨|舅子|姐夫|妹夫|嫂子|婆婆|岳父|岳母|公公|儿子|女儿|前任|朋友|室友|师傅|中介|秘书|会计|销售|家伙|先生|女士|小姐|[他她]们?|那人|这人|的人|人',
  user: '用户|自己|我',
  things:
    '工具|库|代码|接口|驱动|程序|软件|系统|脚本|服务器?|网站|页面|框架|插件|测试|文档|文件|方案|设计|算法|模型|机器|电脑|网络|它|这',
  topic: /$/u,
  of: '的',
  saidBehind:
    /(?:是个?|是一个|是位|很|真|太|非常|特别|有点|又|挺|十分|极其|实在|更|最|比较|这么|那么|就|像|简直|都|总|完全|[:：—])\p{Script=Han}{0,2}$/u,
  saidBefore: null,
  notBehind: /(?:不是?|没有?|别|并非|绝不|不算|不要)\p{Script=Han}{0,2}$/u,
  notBefore: /^(?!)/u,
  words: {
    traits:
      '骗子|笨蛋|白痴|傻瓜(?!式|相机)|傻子|傻[逼叉]|蠢货|懒鬼|懒汉(?!式)|懒惰|小气|抠门|吝啬|自私|虚伪|无耻|卑鄙|狡猾|阴险|小人|小偷|流氓|混蛋|人渣|无赖|马屁精|伪君子|无能(?!为力)|没能力|不靠谱|不老实|不诚实|没素质|没教养|嚣张|傲慢|自大|粗鲁|爱撒谎|爱占便宜|胆小鬼|废柴|神经病',
    loose: '懒(?!加载|初始化|汉式|人包|得)|贪婪(?!匹配|算法|模式)|固执|粗心',
    faults: '蠢|愚蠢|傻|笨(?!重)|糟糕|差劲|没用|垃圾|废物|可恶|讨厌|可笑|烂',
    skills: '差(?!异|别|距|不多)|慢|弱',
  },
};

const JAPANESE: EastAsianWords = {
  script: /[\u3040-\u30ff]/u,
  people:
    '人|者|員|長|師|生|役|司|僚|客|先輩|後輩|部下|新人|上司|同僚|インターン|マネージャー|リーダー|エンジニア|デザイナー|クライアント|大家|奥|さん|さま|様|氏|君|くん|ちゃん|先生|彼|彼女|兄|弟|姉|妹|父|母|夫|妻|息子|娘|叔父|叔母|友達|友人|やつ|奴|あいつ|担当',
  user: 'ユーザー|利用者|自分|私|僕|俺',
  things:
    'ツール|ライブラリ|コード|ドライバー?|サーバー?|アプリ|システム|スクリプト|サイト|テスト|ビルド|文書|資料|設計|仕様|機能|これ|それ|コンパイラ|エディタ|API',
  topic: /^(.*?)(?:は|が|も|って)/u,
  of: 'の',
  saidBehind: null,
  saidBefore: /^(?:だ|で|らし|みたい|っぽ|さ|な|[、。！!]|$|い|く|の(?:人|部下|上司|同僚))/u,
  notBehind: /^(?!)/u,
  notBefore: /^(?:では|じゃ|で は)(?:ない|なく|ありません)/u,
  words: {
    traits:
      '嘘つき|うそつき|ウソつき|詐欺師|ペテン師|泥棒|怠け者|怠け|なまけ者|サボり魔|ケチ|けち|守銭奴|卑怯者?|臆病者?|偽善者|意地悪|性格が悪|頭が悪|頭の悪|性悪|無能|役立たず|間抜け|まぬけ|愚か者|傲慢|横柄|無礼|失礼な人|自己中|わがまま|無責任|不誠実|ずる賢|クズ|ろくでなし|バカ(?!売れ)|馬鹿(?!力)|アホ|あほ',
    loose: '頑固|せっかち|だらしな|欲張り',
    faults: 'ダメ|駄目|使えない|最悪|最低|ひど|ゴミ|うざ|気持ち悪',
    skills: '下手|遅|弱|苦手',
  },
};

const KOREAN: EastAsianWords = {
  script: /[가-힣]/u,
  people:
    '팀장|부장|과장|차장|대리|사장|회장|원장|교장|반장|이사장|상사|동료|직원|사원|인턴|신입|후배|선배|고객|손님|집주인|세입자|이웃|관리인|경비원|경비|선생|교사|의사|변호사|시장님|학생|교수|개발자|디자이너|남편|아내|형|오빠|누나|언니|동생|엄마|아빠|어머니|아버지|삼촌|이모|고모|처남|처제|매형|형부|시누이|시어머니|시아버지|장모|장인|아들|딸|친구|룸메이트|아저씨|아주머니|아줌마|기사|비서|회계사|사람|님|씨|그녀|그|놈|녀석|담당자',
  user: '사용자|저|나|자신',
  things:
    '도구|라이브러리|코드|드라이버|서버|앱|프로그램|시스템|스크립트|사이트|테스트|빌드|문서|설계|기능|이것|그것|컴파일러',
  topic: /^(.*?)(?:은|는|이|가|도)(?=\s)/u,
  of: '의 ',
  saidBehind: null,
  saidBefore:
    /^(?:이(?=다|고|며|었|에요|라|야|지)|다|입니|예요|야|였|라|인|[.,!]|$|하|한|해|했|르|른|럽|러|스|기|은|음|쁘|빠)/u,
  notBehind: /^(?!)/u,
  notBefore: /^(?:이|하|르|럽)?(?:지|가) (?:않|아니)/u,
  words: {
    traits:
      '거짓말쟁이|사기꾼|도둑놈|구두쇠|수전노|게으름뱅이|겁쟁이|위선자|바보|멍청이|머저리|얼간이|등신|병신|개새끼|쓰레기 같은 인간|양아치|꼰대|무능력?|비열|비겁|교활|뻔뻔|거만|오만|건방지|건방|무례|이기적|인색|치사|야비|무책임|부정직|성격이 나|머리가 나|싸가지',
    loose: '게으|고집불통|덜렁|욕심쟁이',
    faults: '멍청|어리석|한심|형편없|쓸모없|쓰레기|최악|끔찍|답답',
    skills: '약하|느리|못하|서투',
  },
};

const TABLES = [CHINESE, JAPANESE, KOREAN].map((table) => {
  const { traits, loose, faults, skills } = table.words;
  return {
    ...table,
    word: new RegExp(`(?<traits>${traits})|(?<loose>${loose})|(?<faults>${faults})|(?<skills>${skills})`, 'gu'),
    isPerson: new RegExp(`(?:${table.people})$`, 'u'),
    isUser: new RegExp(table.user, 'u'),
    isThing: new RegExp(`(?:${table.things})`, 'u'),
    isPersonNext: new RegExp(`^[\\s的なのな]?(?:${table.people})`, 'u'),
  };
});

export function judgesInEastAsian(sentence: string): boolean {
  return TABLES.some((table) => {
    if (!table.script.test(sentence)) return false;
    return sentence.split(/[，,；;]|(?<=[てで])、/u).some((clause) => judges(clause.trim(), table));
  });
}

function judges(clause: string, table: (typeof TABLES)[number]): boolean {
  for (const match of clause.matchAll(table.word)) {
    const before = clause.slice(0, match.index);
    const after = clause.slice(match.index + match[0].length);
    const [kind] = Object.entries(match.groups!).find(([, word]) => word !== undefined) as [JudgementClass, string];
    if (table.notBehind.test(before) || table.notBefore.test(after)) continue;
    const isOfPerson = kind !== 'skills' && table.isPersonNext.test(after) && !table.isThing.test(after);
    if (isOfPerson) return true;
    const said = table.saidBehind?.exec(before) ?? null;
    const isSaid =
      (table.saidBehind === null || said !== null || table.isPerson.test(before)) &&
      (table.saidBefore === null || table.saidBefore.test(after));
    if (!isSaid) continue;
    const subject = table.topic.exec(before)?.[1] ?? (said === null ? before : before.slice(0, said.index));
    if (JUDGED[kind].includes(kindOf(subject, table))) return true;
  }
  return false;
}

function kindOf(subject: string, table: (typeof TABLES)[number]): Subject {
  const head = subject.slice(subject.lastIndexOf(table.of) + 1).trim();
  if (table.isUser.test(subject)) return 'user';
  if (table.isPerson.test(head)) return 'person';
  return table.isThing.test(head) ? 'thing' : 'unknown';
}
