/** How days are named relative to today, one row per language. All words are patterns, lists are separated by spaces; COUNT, UNIT, DAY and SPAN refer to those of the row. */

import type { Language } from '../languages.ts';
import type { WhichWeek } from './calendar-days.ts';

export interface DayWords {
  /** Text that does not match this has nothing for this row. */
  readonly mark: RegExp;
  readonly isUnspaced?: boolean;
  /** Words that look like a date but are not: mornings, sayings, names. */
  readonly never?: string;
  /** How many days after today a word means; a longer wording comes before one that it contains. */
  readonly days: readonly (readonly [wording: string, away: number])[];
  /** From one on. */
  readonly counts: string;
  /** Day, week, month, year. */
  readonly units: string;
  readonly later: readonly string[];
  readonly ago: readonly string[];
  /** A length of time if this follows a count: "three days of holidays". */
  readonly notBefore?: string;
  /** Put before a computed date. */
  readonly on?: string;
  /** From Sunday on. */
  readonly weekdays: string;
  readonly weekdayOf: Readonly<Partial<Record<WhichWeek, readonly string[]>>>;
  /** Of SAID, DAY and DATE. */
  readonly weekdayText?: string;
  readonly weekText: string;
  readonly yearText?: string;
  /** One week, month, year, quarter. */
  readonly spans: string;
  /** The next, this and the last of them; no quarter. */
  readonly around: readonly [next: string, current: string, last: string];
  /** No week. */
  readonly endOf: string;
}

const A = "['’]";
const HAN_COUNTS = '一 [二两] 三 四 五 六 七 八 九 十 十一 十二';
/** Counted from now, not from something named before. */
const FROM_NOW = '(?<=^|[\\s，。、,（(：:在是于就会将们はがをにもでと])';
const CHINESE_WEEK = '个?(?:周|星期|礼拜)(?![一二三四五六日天末])';
const KOREAN_NOW = '(?<=^|[.,!?:;(\\n]\\s*|(?<!휴|평|허)[은는이가을를도에서]\\s)';
const FREE = '(?=$|[^가-힣]|은|는|이|가|을|를|에|도|로|까지|부터|입|인|만|밤|아침|오전|오후|저녁)';

/** In order: words that one language matched are not looked at by the next. */
// biome-ignore format: tables
export const DAY_WORDS: Readonly<Record<Language, DayWords>> = {
  ja: { // Japanese.
    mark: /[\u3040-\u9fff]/u, isUnspaced: true, weekdayText: 'DATE（DAY）', yearText: '年',
    never: '今日(?=では|において|的|に至|の)|明日(?=[香葉])|昨日の|\\d+日前後', days: [['しあさって', 3], ['明後日|あさって', 2], ['一昨日|おととい', -2], ['明日', 1], ['今日|今夜|今晩', 0], ['昨日|昨夜|昨晩', -1]],
    counts: HAN_COUNTS, units: '日 週間? [かカヵヶケ]月 年', later: [`${FROM_NOW}COUNTUNIT後(?!まで)`], ago: [`${FROM_NOW}COUNTUNIT前(?!まで|後)`],
    weekdayOf: { next: ['来週の?DAY曜日?'], lastWeek: ['先週の?DAY曜日?'], thisWeek: ['今週の?DAY曜日?'], coming: ['(?:今度|次)の(?=.曜)DAY曜日?', '(?<![毎週月火水木金土日・の])DAY曜日?(?=まで)'] },
    weekdays: '日 月 火 水 木 金 土', weekText: 'DATEの週', spans: '週 月 年 四半期', endOf: '今SPAN(?:の?末|の終わり)',
    around: ['(?<![再未将以])来SPAN', '今SPAN(?!末)', '先[週月](?!末)|[昨去]年'] },
  zh: { // Chinese.
    mark: /[\u4e00-\u9fff]/u, isUnspaced: true, weekdayText: 'SAID（DATE）', yearText: '年',
    never: '[今以之此往雨最然先]后天|后天(?=[气晴空色的性]|习得|养成|努力|因素|环境|教育)|今[天日](?=的|头条)|[明昨]天的', days: [['大后天', 3], ['大前天', -3], ['后天', 2], ['前天', -2], ['明天', 1], ['今天', 0], ['昨天', -1]],
    counts: HAN_COUNTS, units: '天 个?(?:周|星期|礼拜) 个月 年', later: [`${FROM_NOW}COUNTUNIT(?:之|以)?后`], ago: [`${FROM_NOW}COUNTUNIT(?:之|以)?前`],
    weekdayOf: { next: ['下个?(?:周|星期|礼拜)DAY'], lastWeek: ['上个?(?:周|星期|礼拜)DAY'], thisWeek: ['[本这]个?(?:周|星期|礼拜)DAY'], coming: ['(?<![一二两三四五六七八九十\\d每上下本这个到至])(?:周|星期|礼拜)DAY'] },
    weekdays: '[日天] 一 二 三 四 五 六', weekText: 'DATE那一周', spans: '周|星期|礼拜 月 年 季度', endOf: '(?:本|这个)月底|本季度[末底]|今年年?底',
    around: [`下${CHINESE_WEEK}|下个?月|明年`, `[本这]${CHINESE_WEEK}|(?:本|这个)月|今年`, `上${CHINESE_WEEK}|上个月|去年`] },
  ko: { // Korean.
    mark: /[가-힣]/u, isUnspaced: true, weekdayText: 'DATE(DAY)', yearText: '년',
    never: '오늘날|어제오늘|엊그제',
    days: [[`(?<![가-힣])(?:내일)?모레${FREE}`, 2], [`(?<![가-힣])(?:그저께|그제)${FREE}`, -2], [`(?<![가-힣])내일${FREE}`, 1], [`(?<![가-힣])오늘${FREE}`, 0], [`(?<![가-힣])어제${FREE}`, -1], [`${KOREAN_NOW}이틀 ?[뒤후]`, 2], [`${KOREAN_NOW}사흘 ?[뒤후]`, 3], [`${KOREAN_NOW}열흘 ?[뒤후]`, 10]],
    counts: '한|일 두|이 세|석|삼 네|넉|사 다섯|오 여섯|육 일곱|칠 여덟|팔 아홉|구 열|십 열한|십일 열두|십이', units: '일 주일? 개월|달 년|해', later: [`${KOREAN_NOW}COUNT ?UNIT ?[뒤후]`], ago: [`${KOREAN_NOW}COUNT ?UNIT ?전(?!까지|마다)`],
    weekdayOf: { next: ['다음 ?주 ?DAY요일'], lastWeek: ['지난 ?주 ?DAY요일'], thisWeek: ['이번 ?주 ?DAY요일'], last: ['지난 DAY요일'], coming: ['(?:오는|이번) DAY요일', '(?<![가-힣] ?)DAY요일(?=까지)'] },
    weekdays: '일 월 화 수 목 금 토', weekText: 'DATE 주', spans: '주 달 년|해 분기', endOf: '(?:이번 ?달|이번 분기|올해) 말',
    around: ['(?<!다)다음 ?(?:주(?!말)|달)|내년', '이번 ?(?:주(?!말)|달)|올해', '지난 ?(?:주(?!말)|달)|작년'] },
  en: { // English.
    mark: /day|week|month|year|quarter|tomorrow|tonight/i,
    never: `until today|here today,? (?:and )?gone|gone tomorrow`,
    days: [['the day after tomorrow', 2], ['the day before yesterday', -2], ['tomorrow(?: (?:morning|afternoon|evening|night))?', 1], ['today|tonight', 0], ['yesterday', -1]],
    counts: 'an?|one two three four five six seven eight nine ten eleven twelve', units: 'days? weeks? months? years?',
    later: [`in COUNT UNIT(?:${A}s?)? time`, 'in COUNT UNIT', 'COUNT UNIT from (?:today|now)'], ago: ['COUNT UNIT ago'], notBefore: `(?!${A}| (?:of|after|before|on)(?![a-z]))`, on: 'on ',
    weekdayOf: { next: ['DAY (?:of )?next week', 'next (?:week,? (?:on )?)?DAY(?! or )'], last: ['last DAY', '(?<=since )DAY'],
      coming: ['(?:this (?:coming )?|coming )DAY', '(?<=\\b(?:by|until|till|before|after|on|due|starting|as of|(?:moved|postponed|shifted|pushed) to) )DAY'] },
    weekdays: 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday', weekText: 'the week of DATE', spans: 'week month year quarter', endOf: '(?:the )?end of (?:the|this) SPAN',
    around: ['(?<!the )next SPAN', 'this SPAN', '(?<!the )last SPAN'] },
  de: { // German.
    mark: /tag(?:en?)?\b|mittwoch|sonnabend|woche|monat|jahr|quartal|gestern|heute|morgen/i,
    never: '(?:elke|iedere|goede|guten|jeden|jedem|am|eines|vom|zum|gegen|frühen|ganzen|der|den|diesen) morgen|(?:von )?heute auf morgen|bis heute',
    days: [['übermorgen', 2], ['vorgestern', -2], ['heute in einer Woche', 7], ['heute', 0], ['gestern', -1], ['morgen', 1]],
    counts: 'ein(?:e[mnr]?)? zwei drei vier f(?:ü|ue)nf sechs sieben acht neun zehn elf zw(?:ö|oe)lf', units: 'Tag(?:en?)? Wochen? Monat(?:en?)? Jahr(?:en?)?',
    later: ['(?<!heute )in (?!einem Tag)COUNT UNIT'], ago: ['vor COUNT UNIT'], notBefore: '(?! (?:nach|vor|am|Urlaub|Ferien)(?![a-z]))', on: 'am ',
    weekdayOf: { next: ['DAY (?:in )?(?:der )?(?:nächste|kommende)[rn] Woche', '(?:nächste|kommende) Woche (?:am )?DAY', 'nächste[nr]? DAY'],
      lastWeek: ['(?:letzte|vorige) Woche (?:am )?DAY'], last: ['(?:letzte|vergangene|vorige)[nr]? DAY', '(?<=seit )DAY'], coming: ['(?:kommende|diese)[nr]? DAY', '(?<=(?:bis|bis zum|am|ab) )DAY'] },
    weekdays: 'Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag|Sonnabend', weekText: 'in der Woche ab DATE', spans: 'Woche Monats? Jahr(?:es)? Quartals', endOf: 'Ende (?:des|dieses) SPAN',
    around: ['(?:in der |im )?(?:nächste|kommende)[rnms]* SPAN', '(?:in )?diese[rnms]? SPAN', '(?:in der |im )?(?:letzte|vorige|vergangene)[rnms]* SPAN'] },
  fr: { // French. In German "hier" means here: a French word must stand before or behind it.
    mark: /demain|hier|jour|semaine|mois|année|trimestre|\bans\b|l['’]an\b|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche/i,
    days: [['après-demain', 2], ['avant-hier', -2], ['demain(?: (?:matin|soir))?', 1], [`aujourd${A}hui`, 0], [`hier (?:soir|matin)|hier(?=,? (?:les?|la|l${A}|on|nous|je|j${A}|il|elle|ils|elles)(?![a-z]))|(?<=[a-zà-ÿ](?:ée?|i|u|is|it)s? )hier`, -1]],
    counts: 'une? deux trois quatre cinq six sept huit neuf dix onze douze', units: 'jours? semaines? mois ans?|années?',
    later: ['dans COUNT UNIT'], ago: ['il y a COUNT UNIT'], notBefore: `(?! (?:de|d${A}|par|ouvr|après))`, on: 'le ',
    weekdayOf: { next: ['DAY de la semaine prochaine'], last: ['DAY dernier'], coming: ['DAY prochain', 'ce DAY', `(?<=(?:d${A}ici|avant|jusqu${A}à) )DAY`] },
    weekdays: 'dimanche lundi mardi mercredi jeudi vendredi samedi',
    weekText: 'la semaine du DATE', spans: 'semaine mois an(?:née)? trimestre', endOf: `(?:la )?fin (?:du |de ce |de l${A}|de cette )SPAN`,
    around: [`(?:la |le |l${A})?SPAN prochaine?`, '(?:cette SPAN|ce mois-ci)', `(?:la |le |l${A})?SPAN (?:dernier|dernière|passée?)`] },
  es: { // Spanish.
    mark: /mañana|ayer|\bhoy\b|\bd[ií]as?\b|semana|\bmes(?:es)?\b|\baños?\b|trimestre|domingo|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado/i,
    never: '(?:la|las|una|cada|esta|media|toda|misma|buena|turno de) mañana|mañana y tarde|hoy (?:en )?día|en un d[ií]a',
    days: [['pasado mañana', 2], ['anteayer|antes de ayer', -2], ['mañana', 1], ['hoy', 0], ['ayer', -1]],
    counts: 'un[ao]? dos tres cuatro cinco seis siete ocho nueve diez once doce', units: 'd[ií]as? semanas? mes(?:es)? años?',
    later: ['(?:dentro de|de aquí a|en) COUNT UNIT'], ago: ['hace COUNT UNIT'], notBefore: '(?! (?:de|del|que|hábiles|laborables|después|antes)(?![a-z]))', on: 'el ',
    weekdayOf: { next: ['DAY de la (?:semana que viene|próxima semana)'], last: ['DAY pasado', 'pasado DAY'],
      coming: ['(?:próximo|este) DAY', 'DAY que viene', '(?<=(?:antes del|para el|hasta el) )DAY'] },
    weekdays: 'domingo lunes martes mi[ée]rcoles jueves viernes s[áa]bado', weekText: 'la semana del DATE', spans: 'semana mes año trimestre', endOf: '(?:el )?(?:fin|final) de(?:l| este)? SPAN',
    around: ['(?:la |el )?(?:próxim[oa] SPAN|SPAN que viene)', 'est[ea] SPAN', '(?:la |el )?(?:SPAN pasad[oa]|pasada semana)'] },
  it: { // Italian.
    mark: /domani|ieri|oggi|stasera|giorn|settiman|\bmes[ei]\b|\bann[oi]\b|trimestre|(?:lun|mart|mercol|giov)ed|venerd|sabato|domenica/i,
    never: `giorno d${A}oggi`, days: [[`l${A}altro ?ieri|ieri l${A}altro`, -2], ['dopodomani', 2], ['domani', 1], ['oggi|stasera', 0], ['ieri', -1]],
    counts: `un[oa]?|un${A} due tre quattro cinque sei sette otto nove dieci undici dodici`, units: 'giorn[oi] settiman[ae] mes[ei] ann[oi]',
    later: ['[ft]ra COUNT UNIT'], ago: ['COUNT UNIT fa'], notBefore: `(?! (?:di|d${A}|dopo|lavorativi|festivi))`, on: 'il ',
    weekdayOf: { next: ['DAY della (?:settimana prossima|prossima settimana)'], last: ['DAY scors[oa]', 'scors[oa] DAY'],
      coming: ['DAY prossim[oa]', '(?:prossim|quest)[oa] DAY', '(?<=(?:entro|fino a) )DAY'] },
    weekdays: 'domenica luned[iì] marted[iì] mercoled[iì] gioved[iì] venerd[iì] sabato',
    weekText: 'la settimana del DATE', spans: 'settimana mese anno trimestre', endOf: `(?:la )?fine (?:del |dell${A}|di quest(?:o |${A}))?SPAN`,
    around: [`(?:la |il |l${A})?(?:SPAN prossim[oa]|prossim[oa] SPAN)`, `quest(?:[oa] |${A})SPAN`, `(?:la |il |lo |l${A})?(?:SPAN scors[oa]|scors[oa] SPAN)`] },
  pt: { // Portuguese.
    mark: /amanh|ontem|hoje|\bdias?\b|semana|\bm[êe]s(?:es)?\b|\banos?\b|trimestre|segunda|terça|quarta|quinta|sexta|sábado|domingo/i,
    never: 'hoje em dia|em um dia', days: [['depois de amanhã', 2], ['anteontem', -2], ['amanhã', 1], ['hoje', 0], ['ontem', -1]],
    counts: 'uma? d(?:ois|uas) tr[êe]s quatro cinco seis sete oito nove dez onze doze', units: 'dias? semanas? m[êe]s|meses anos?',
    later: ['(?:daqui a|dentro de|em) COUNT UNIT'], ago: ['há COUNT UNIT(?: atrás)?', 'COUNT UNIT atrás'], notBefore: '(?! (?:de|do|da|que|úteis|depois|antes|por)(?![a-z]))', on: 'em ',
    weekdayOf: { next: ['DAY da (?:próxima semana|semana que vem)'], last: ['DAY passad[oa]'], coming: ['próxim[oa] DAY', 'DAY que vem', '(?<=(?:até|antes de) )DAY'] },
    weekdays: 'domingo segunda(?:-feira)? terça(?:-feira)? quarta(?:-feira)? quinta(?:-feira)? sexta(?:-feira)? sábado',
    weekText: 'semana de DATE', spans: 'semana mês ano trimestre', endOf: '(?:o )?(?:fim|final) d(?:o|este) SPAN', around: ['próxim[oa] SPAN|SPAN que vem', 'n?est[ea] SPAN', 'SPAN passad[oa]'] },
  nl: { // Dutch.
    mark: /da{1,2}g|week|weken|maand|kwartaal|vanavond|jaar|morgen|gister/i,
    never: '(?:goede|goeie|elke|iedere|een|hele|vroege|de|die|op) morgen|tot (?:op )?vandaag',
    days: [['overmorgen', 2], ['eergisteren', -2], ['gister(?:en|avond|ochtend|middag)', -1], ['vandaag|vanavond|vanmiddag', 0], ['morgen(?:avond|ochtend|middag)?', 1]],
    counts: '(?:ee|éé)n twee drie vier vijf zes zeven acht negen tien elf twaalf', units: 'dag(?:en)? we(?:ek|ken) maand(?:en)? ja(?:ar|ren)',
    later: ['over COUNT UNIT'], ago: ['COUNT UNIT geleden'], notBefore: '(?! (?:na|voor|vakantie|stage)(?![a-z]))', on: 'op ',
    weekdayOf: { next: ['volgende week (?:op )?DAY', 'DAY (?:van )?volgende week'], lastWeek: ['vorige week (?:op )?DAY'], last: ['(?:afgelopen|vorige) DAY'],
      coming: ['(?:komende|aanstaande|deze) DAY', '(?<=(?:tegen|uiterlijk|tot|vóór) )DAY'] },
    weekdays: 'zondag maandag dinsdag woensdag donderdag vrijdag zaterdag', weekText: 'de week van DATE', spans: 'week maand jaar kwartaal', endOf: '(?:het )?einde? van (?:deze?|het|dit) SPAN',
    around: ['(?:de )?(?:volgende?|komende(?! jaar)) SPAN', '(?:deze|dit) SPAN', '(?:de )?(?:vorige?|afgelopen(?! jaar)) SPAN'] },
  ru: { // Russian.
    mark: /завтра|вчера|сегодня|через|назад|недел|месяц|квартал|год|понедельник|вторник|сред|четверг|пятниц|суббот|воскресен/i,
    days: [['послезавтра', 2], ['позавчера', -2], ['завтра', 1], ['сегодня', 0], ['вчера', -1]],
    counts: 'од(?:ин|на|ну) дв[ае] три четыре пять шесть семь восемь девять десять одиннадцать двенадцать', units: 'день|дня|дней недел[юиь] месяц(?:а|ев)? года?|лет',
    later: ['через COUNT UNIT', 'через (?<unit>неделю|месяц|год)'], ago: ['COUNT UNIT (?:тому )?назад', '(?<unit>неделю|месяц|год) (?:тому )?назад'], notBefore: '(?! (?:после|от|до|с момента|со дня)(?![а-я]))',
    weekdayOf: { next: ['следующ(?:ий|ую|ее) DAY'], last: ['прошл(?:ый|ую|ое) DAY'], coming: ['(?:эт(?:от|у|о)|ближайш(?:ий|ую|ее)) DAY', '(?<=до )DAY'] },
    weekdays: 'воскресенье понедельник вторник сред[уаы] четверг пятниц[уаы] суббот[уаы]', weekText: 'на неделе с DATE', spans: 'неделе месяц[еа] год[уа] квартала', endOf: 'конц[аеу] (?:этого )?SPAN',
    around: ['(?:на |(?<=в ))(?:следующ|будущ)(?:ей|ем) SPAN', '(?:на |(?<=в ))эт(?:ой|ом) SPAN', '(?:на |(?<=в ))прошл(?:ой|ом) SPAN'] },
};
