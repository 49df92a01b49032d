/** How days are named relative to today, one table a language. All words are patterns; COUNT, UNIT and DAY stand for those of the table. */

import type { DateUnit } from '../calendar-days.ts';

export type Weekday = 'coming' | 'next' | 'last' | 'thisWeek' | 'lastWeek';

export interface DayWords {
  /** Text without it has nothing for this table. */
  readonly mark: RegExp;
  readonly isSpaced: boolean;
  /** Words that look like a date and are none: mornings, sayings, names. */
  readonly never: string;
  /** What makes of a clause something that happens again and again. */
  readonly habit: string;
  /** How many days after today a word means; a longer wording stands before one that it holds. */
  readonly days: readonly (readonly [wording: string, away: number])[];
  /** From one on. */
  readonly counts: readonly string[];
  readonly units: Readonly<Record<DateUnit, string>>;
  readonly later: readonly string[];
  readonly ago: readonly string[];
  /** A length of time where this follows a count: "three days of holidays". */
  readonly notBefore: string;
  /** Put before a date that was counted. */
  readonly on: string;
  /** From Sunday on. */
  readonly weekdays: readonly string[];
  readonly weekdayOf: readonly (readonly [template: string, week: Weekday])[];
  /** Of SAID, DAY and DATE. */
  readonly weekdayText: string;
  readonly weekText: string;
  readonly yearText: string;
  /** Next, this, last. */
  readonly weeks: readonly string[];
  readonly months: readonly string[];
  readonly years: readonly string[];
  /** Of the month, the quarter and the year. */
  readonly endOf: readonly string[];
}

const SPACED = { isSpaced: true, weekdayText: 'DAY DATE', yearText: '' };
const NONE = '(?!)';
const A = "['’]";

// biome-ignore format: tables
const ENGLISH: DayWords = {
  ...SPACED, mark: /day|week|month|year|quarter|tomorrow|tonight/i,
  never: `until today|here today,? (?:and )?gone|gone tomorrow`,
  habit: 'every|each|daily|weekly|usually|typically|normally|always|often|never|generally|whenever',
  days: [['the day after tomorrow', 2], ['the day before yesterday', -2], ['tomorrow(?: (?:morning|afternoon|evening|night))?', 1], ['today|tonight', 0], ['yesterday', -1]],
  counts: 'an?|one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve'.split(','),
  units: { day: 'days?', week: 'weeks?', month: 'months?', year: 'years?' },
  later: [`in COUNT UNIT(?:${A}s?)? time`, 'in COUNT UNIT', 'COUNT UNIT from (?:today|now)'], ago: ['COUNT UNIT ago'],
  notBefore: `(?!${A}| (?:of|after|before|on)(?![a-z]))`, on: 'on ',
  weekdays: 'Sunday,Monday,Tuesday,Wednesday,Thursday,Friday,Saturday'.split(','),
  weekdayOf: [['DAY (?:of )?next week', 'next'], ['next week,? (?:on )?DAY', 'next'], ['next DAY(?! or )', 'next'], ['last DAY', 'last'], ['(?<=since )DAY', 'last'], ['(?:this (?:coming )?|coming )DAY', 'coming'],
    ['(?<=\\b(?:by|until|till|before|after|on|due|starting|as of|(?:moved|postponed|shifted|pushed) to) )DAY', 'coming']],
  weekText: 'the week of DATE',
  weeks: ['(?<!the )next week', 'this week', '(?<!the )last week'], months: ['(?<!the )next month', 'this month', '(?<!the )last month'], years: ['(?<!the )next year', 'this year', '(?<!the )last year'],
  endOf: ['month', 'quarter', 'year'].map((unit) => `(?:the )?end of (?:the|this) ${unit}`),
};

// biome-ignore format: tables
const GERMAN: DayWords = {
  ...SPACED, mark: /tag(?:en?)?\b|mittwoch|sonnabend|woche|monat|jahr|quartal|gestern|heute|morgen/i,
  never: '(?:elke|iedere|goede|guten|jeden|jedem|am|eines|vom|zum|gegen|frühen|ganzen|der|den|diesen) morgen|(?:von )?heute auf morgen|bis heute',
  habit: 'jede[nrsm]?|täglich|immer|meist|meistens|üblicherweise|normalerweise|nie',
  days: [['überübermorgen', 3], ['übermorgen', 2], ['vorgestern', -2], ['heute in einer Woche', 7], ['heute', 0], ['gestern', -1], ['morgen', 1]],
  counts: 'ein(?:e[mnr]?)?,zwei,drei,vier,f(?:ü|ue)nf,sechs,sieben,acht,neun,zehn,elf,zw(?:ö|oe)lf'.split(','),
  units: { day: 'Tag(?:en?)?', week: 'Wochen?', month: 'Monat(?:en?)?', year: 'Jahr(?:en?)?' },
  later: ['(?<!heute )in (?!einem Tag)COUNT UNIT'], ago: ['vor COUNT UNIT'], notBefore: '(?! (?:nach|vor|am|Urlaub|Ferien)(?![a-z]))', on: 'am ',
  weekdays: 'Sonntag,Montag,Dienstag,Mittwoch,Donnerstag,Freitag,Samstag|Sonnabend'.split(','),
  weekdayOf: [['DAY (?:in )?(?:der )?(?:nächste[rn]|kommende[rn]) Woche', 'next'], ['(?:nächste|kommende) Woche (?:am )?DAY', 'next'], ['(?:letzte|vorige) Woche (?:am )?DAY', 'lastWeek'],
    ['nächste[nr]? DAY', 'next'], ['(?:kommende|diese)[nr]? DAY', 'coming'], ['(?:letzte|vergangene|vorige)[nr]? DAY', 'last'], ['(?<=seit )DAY', 'last'], ['(?<=(?:bis|bis zum|am|ab) )DAY', 'coming']],
  weekText: 'in der Woche ab DATE',
  weeks: ['(?:in der )?(?:nächste|kommende)[rn]? Woche', '(?:in )?diese[rn]? Woche', '(?:in der )?(?:letzte|vorige|vergangene)[rn]? Woche'],
  months: ['(?:im )?(?:nächste|kommende)[rnms]+ Monats?', '(?:in )?diese[mns] Monats?', '(?:im )?(?:letzte|vorige|vergangene)[rnms]+ Monats?'],
  years: ['(?:im )?(?:nächste|kommende)[ns] Jahr(?:es)?', 'in diesem Jahr|dieses Jahr', '(?:im )?(?:letzte|vorige|vergangene)[ns] Jahr(?:es)?'],
  endOf: ['Ende (?:des|dieses) Monats', 'Ende (?:des|dieses) Quartals', 'Ende (?:des|dieses) Jahres'],
};

// biome-ignore format: tables
const DUTCH: DayWords = {
  ...SPACED, mark: /da{1,2}g|week|weken|maand|kwartaal|vanavond|jaar|morgen|gister/i,
  never: '(?:goede|goeie|elke|iedere|een|hele|vroege|de|die|op) morgen|tot (?:op )?vandaag',
  habit: 'elke|iedere|dagelijks|altijd|meestal|nooit|gaat|boek|artikel|verdeeld|verspreid',
  days: [['overmorgen', 2], ['eergisteren', -2], ['gister(?:en|avond|ochtend|middag)', -1], ['vandaag|vanavond|vanmiddag', 0], ['morgen(?:avond|ochtend|middag)?', 1]],
  counts: '(?:ee|éé)n,twee,drie,vier,vijf,zes,zeven,acht,negen,tien,elf,twaalf'.split(','),
  units: { day: 'dag(?:en)?', week: 'we(?:ek|ken)', month: 'maand(?:en)?', year: 'ja(?:ar|ren)' },
  later: ['over COUNT UNIT'], ago: ['COUNT UNIT geleden'], notBefore: '(?! (?:na|voor|vakantie|stage)(?![a-z]))', on: 'op ',
  weekdays: 'zondag,maandag,dinsdag,woensdag,donderdag,vrijdag,zaterdag'.split(','),
  weekdayOf: [['volgende week (?:op )?DAY', 'next'], ['DAY (?:van )?volgende week', 'next'], ['vorige week (?:op )?DAY', 'lastWeek'], ['(?:komende|aanstaande|deze) DAY', 'coming'], ['(?:afgelopen|vorige) DAY', 'last'], ['(?<=(?:tegen|uiterlijk|tot|vóór) )DAY', 'coming']],
  weekText: 'de week van DATE',
  weeks: ['(?:de )?(?:volgende|komende) week', 'deze week', '(?:de )?(?:vorige|afgelopen) week'],
  months: ['(?:de )?(?:volgende|komende) maand', 'deze maand', '(?:de )?(?:vorige|afgelopen) maand'], years: ['volgend jaar', 'dit jaar', 'vorig jaar'],
  endOf: ['(?:het )?einde? van (?:de|deze) maand', '(?:het )?einde? van (?:het|dit) kwartaal', '(?:het )?einde? van (?:het|dit) jaar'],
};

// biome-ignore format: tables
const FRENCH: DayWords = {
  ...SPACED, mark: /demain|hier|jour|semaine|mois|année|trimestre|\bans\b|l['’]an\b|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche/i,
  never: NONE, habit: `chaque|tous les|toujours|souvent|jamais|d${A}habitude|normalement`,
  // In German "hier" means here: a French word must stand before or behind it.
  days: [['après-demain', 2], ['avant-hier', -2], ['demain(?: (?:matin|soir))?', 1], [`aujourd${A}hui`, 0], [`hier (?:soir|matin)|hier(?=,? (?:les?|la|l${A}|on|nous|je|j${A}|il|elle|ils|elles)(?![a-z]))|(?<=[a-zà-ÿ](?:ée?|i|u|is|it)s? )hier`, -1]],
  counts: 'une?,deux,trois,quatre,cinq,six,sept,huit,neuf,dix,onze,douze'.split(','),
  units: { day: 'jours?', week: 'semaines?', month: 'mois', year: 'ans?|années?' },
  later: ['dans COUNT UNIT'], ago: ['il y a COUNT UNIT'], notBefore: `(?! (?:de|d${A}|par|ouvr|après))`, on: 'le ',
  weekdays: 'dimanche,lundi,mardi,mercredi,jeudi,vendredi,samedi'.split(','),
  weekdayOf: [['DAY de la semaine prochaine', 'next'], ['DAY prochain', 'coming'], ['ce DAY', 'coming'], ['DAY dernier', 'last'], [`(?<=(?:d${A}ici|avant|jusqu${A}à) )DAY`, 'coming']],
  weekText: 'la semaine du DATE',
  weeks: ['la semaine prochaine', 'cette semaine', 'la semaine (?:dernière|passée)'], months: ['(?:le )?mois prochain', 'ce mois-ci', '(?:le )?mois (?:dernier|passé)'],
  years: [`l${A}an(?:née)? prochaine?`, 'cette année', `l${A}an(?:née)? (?:dernière?|dernier|passée?)`],
  endOf: ['(?:la )?fin (?:du|de ce) mois', '(?:la )?fin (?:du|de ce) trimestre', `(?:la )?fin de (?:l${A}|cette )année`],
};

// biome-ignore format: tables
const SPANISH: DayWords = {
  ...SPACED, mark: /mañana|ayer|\bhoy\b|\bd[ií]as?\b|semana|\bmes(?:es)?\b|\baños?\b|trimestre|domingo|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado/i,
  never: '(?:la|las|una|cada|esta|media|toda|misma|buena|turno de) mañana|mañana y tarde|hoy (?:en )?día|en un d[ií]a',
  habit: 'cada|todos los|todas las|siempre|nunca|suelen?|tardan?|normalmente',
  days: [['pasado mañana', 2], ['anteayer|antes de ayer', -2], ['mañana', 1], ['hoy', 0], ['ayer', -1]],
  counts: 'un[ao]?,dos,tres,cuatro,cinco,seis,siete,ocho,nueve,diez,once,doce'.split(','),
  units: { day: 'd[ií]as?', week: 'semanas?', month: 'mes(?:es)?', year: 'años?' },
  later: ['(?:dentro de|de aquí a|en) COUNT UNIT'], ago: ['hace COUNT UNIT'], notBefore: '(?! (?:de|del|que|hábiles|laborables|después|antes)(?![a-z]))', on: 'el ',
  weekdays: 'domingo,lunes,martes,mi[ée]rcoles,jueves,viernes,s[áa]bado'.split(','),
  weekdayOf: [['DAY de la (?:semana que viene|próxima semana)', 'next'], ['(?:próximo|este) DAY', 'coming'], ['DAY que viene', 'coming'], ['DAY pasado', 'last'], ['pasado DAY', 'last'], ['(?<=(?:antes del|para el|hasta el) )DAY', 'coming']],
  weekText: 'la semana del DATE',
  weeks: ['la (?:próxima semana|semana que viene)', 'esta semana', 'la (?:semana pasada|pasada semana)'], months: ['(?:el )?(?:próximo mes|mes que viene)', 'este mes', '(?:el )?mes pasado'],
  years: ['(?:el )?(?:próximo año|año que viene)', 'este año', '(?:el )?año pasado'],
  endOf: ['(?:el )?(?:fin|final) (?:de(?:l| este)) mes|fin de mes', '(?:el )?(?:fin|final) de(?:l| este) trimestre', '(?:el )?(?:fin|final) de(?:l| este) año|fin de año'],
};

// biome-ignore format: tables
const ITALIAN: DayWords = {
  ...SPACED, mark: /domani|ieri|oggi|stasera|giorn|settiman|\bmes[ei]\b|\bann[oi]\b|trimestre|(?:lun|mart|mercol|giov)ed|venerd|sabato|domenica/i,
  never: `giorno d${A}oggi|al giorno d${A}oggi`, habit: 'ogni|sempre|mai|di solito|normalmente|tutti i|tutte le',
  days: [[`l${A}altro ?ieri|ieri l${A}altro`, -2], ['dopodomani', 2], ['domani', 1], ['oggi|stasera', 0], ['ieri', -1]],
  counts: `un[oa]?|un${A},due,tre,quattro,cinque,sei,sette,otto,nove,dieci,undici,dodici`.split(','),
  units: { day: 'giorn[oi]', week: 'settiman[ae]', month: 'mes[ei]', year: 'ann[oi]' },
  later: ['[ft]ra COUNT UNIT'], ago: ['COUNT UNIT fa'], notBefore: `(?! (?:di|d${A}|dopo|lavorativi|festivi))`, on: 'il ',
  weekdays: 'domenica,luned[iì],marted[iì],mercoled[iì],gioved[iì],venerd[iì],sabato'.split(','),
  weekdayOf: [['DAY della (?:settimana prossima|prossima settimana)', 'next'], ['DAY prossim[oa]', 'coming'], ['(?:prossim|quest)[oa] DAY', 'coming'], ['DAY scors[oa]', 'last'], ['scors[oa] DAY', 'last'], ['(?<=(?:entro|fino a) )DAY', 'coming']],
  weekText: 'la settimana del DATE',
  weeks: ['(?:la )?(?:settimana prossima|prossima settimana)', 'questa settimana', '(?:la )?(?:settimana scorsa|scorsa settimana)'],
  months: ['(?:il )?(?:mese prossimo|prossimo mese)', 'questo mese', '(?:il |lo )?(?:mese scorso|scorso mese)'], years: [`l${A}anno prossimo|il prossimo anno`, `quest${A}anno`, `l${A}anno scorso|lo scorso anno`],
  endOf: ['(?:la )?fine (?:del|di questo) mese|fine mese', '(?:la )?fine (?:del|di questo) trimestre', `(?:la )?fine (?:dell${A}|di quest${A})anno|fine anno`],
};

// biome-ignore format: tables
const PORTUGUESE: DayWords = {
  ...SPACED, mark: /amanh|ontem|hoje|\bdias?\b|semana|\bm[êe]s(?:es)?\b|\banos?\b|trimestre|segunda|terça|quarta|quinta|sexta|sábado|domingo/i,
  never: 'hoje em dia|em um dia', habit: 'cada|todos os|todas as|todo|toda|sempre|nunca|costuma|geralmente|normalmente',
  days: [['depois de amanhã', 2], ['anteontem', -2], ['amanhã', 1], ['hoje', 0], ['ontem', -1]],
  counts: 'uma?,d(?:ois|uas),tr[êe]s,quatro,cinco,seis,sete,oito,nove,dez,onze,doze'.split(','),
  units: { day: 'dias?', week: 'semanas?', month: 'm[êe]s|meses', year: 'anos?' },
  later: ['(?:daqui a|dentro de|em) COUNT UNIT'], ago: ['há COUNT UNIT(?: atrás)?', 'COUNT UNIT atrás'], notBefore: '(?! (?:de|do|da|que|úteis|depois|antes|por)(?![a-z]))', on: 'em ',
  weekdays: 'domingo,segunda(?:-feira)?,terça(?:-feira)?,quarta(?:-feira)?,quinta(?:-feira)?,sexta(?:-feira)?,sábado'.split(','),
  weekdayOf: [['DAY da (?:próxima semana|semana que vem)', 'next'], ['próxim[oa] DAY', 'coming'], ['DAY que vem', 'coming'], ['DAY passad[oa]', 'last'], ['(?<=(?:até|antes de) )DAY', 'coming']],
  weekText: 'semana de DATE',
  weeks: ['próxima semana|semana que vem', 'n?esta semana', 'semana passada'], months: ['próximo mês|mês que vem', 'n?este mês', 'mês passado'], years: ['próximo ano|ano que vem', 'n?este ano', 'ano passado'],
  endOf: ['(?:o )?(?:fim|final) d(?:o|este) mês', '(?:o )?(?:fim|final) d(?:o|este) trimestre', '(?:o )?(?:fim|final) d(?:o|este) ano'],
};

// biome-ignore format: tables
const RUSSIAN: DayWords = {
  ...SPACED, mark: /завтра|вчера|сегодня|через|назад|недел|месяц|квартал|год|понедельник|вторник|сред|четверг|пятниц|суббот|воскресен/i,
  never: NONE, habit: 'кажд(?:ый|ую|ое)|ежедневно|всегда|обычно|никогда',
  days: [['послезавтра', 2], ['позавчера', -2], ['завтра', 1], ['сегодня', 0], ['вчера', -1]],
  counts: 'од(?:ин|на|ну),дв[ае],три,четыре,пять,шесть,семь,восемь,девять,десять,одиннадцать,двенадцать'.split(','),
  units: { day: 'день|дня|дней', week: 'недел[юиь]', month: 'месяц(?:а|ев)?', year: 'года?|лет' },
  later: ['через COUNT UNIT', 'через (?<unit>неделю|месяц|год)'], ago: ['COUNT UNIT (?:тому )?назад', '(?<unit>неделю|месяц|год) (?:тому )?назад'], notBefore: '(?! (?:после|от|до|с момента|со дня)(?![а-я]))', on: '',
  weekdays: 'воскресенье,понедельник,вторник,сред[уаы],четверг,пятниц[уаы],суббот[уаы]'.split(','),
  weekdayOf: [['(?:эт(?:от|у|о)|ближайш(?:ий|ую|ее)) DAY', 'coming'], ['следующ(?:ий|ую|ее) DAY', 'next'], ['прошл(?:ый|ую|ое) DAY', 'last'], ['(?<=до )DAY', 'coming']],
  weekText: 'на неделе с DATE',
  weeks: ['на (?:следующей|будущей) неделе', 'на этой неделе', 'на прошлой неделе'], months: ['(?:следующем|будущем) месяце', 'этом месяце', 'прошлом месяце'], years: ['(?:следующем|будущем) году', 'этом году', 'прошлом году'],
  endOf: ['конц[аеу] (?:этого )?месяца', 'конц[аеу] (?:этого )?квартала', 'конц[аеу] (?:этого )?года'],
};

/** One to ninety-nine in Han characters. */
const HAN_COUNTS = Array.from({ length: 99 }, (_, at) => {
  const digit = (one: number) => ['', '一', '[二两]', '三', '四', '五', '六', '七', '八', '九'][one]!;
  const [tens, ones] = [Math.floor((at + 1) / 10), (at + 1) % 10];
  return (tens === 0 ? '' : `${tens === 1 ? '' : digit(tens)}十`) + digit(ones);
});
/** Counted from now, not from the thing that is named before. */
const FROM_NOW = '(?<=^|[\\s，。、,（(：:在是于就会将们はがをにもでと])';

// biome-ignore format: tables
const JAPANESE: DayWords = {
  isSpaced: false, mark: /[\u3040-\u9fff]/u,
  never: '今日(?=では|において|的|に至|の)|明日(?=[香葉])|昨日の|\\d+日前後', habit: '毎[日朝晩週月回]|いつも',
  days: [['しあさって', 3], ['明後日|あさって', 2], ['一昨日|おととい', -2], ['明日', 1], ['今日|今夜|今晩', 0], ['昨日|昨夜|昨晩', -1]],
  counts: HAN_COUNTS, units: { day: '日', week: '週間?', month: '[かカヵヶケ]月', year: '年' },
  later: [`${FROM_NOW}COUNTUNIT後(?!まで)`], ago: [`${FROM_NOW}COUNTUNIT前(?!まで|後)`], notBefore: '', on: '',
  weekdays: [...'日月火水木金土'],
  weekdayOf: [['来週の?DAY曜日?', 'next'], ['今週の?DAY曜日?', 'thisWeek'], ['先週の?DAY曜日?', 'lastWeek'], ['(?:今度|次)の(?=.曜)DAY曜日?', 'coming'], ['(?<![毎週月火水木金土日・の])DAY曜日?(?=まで)', 'coming']],
  weekdayText: 'DATE（DAY）', weekText: 'DATEの週', yearText: '年',
  weeks: ['(?<!再)来週', '今週', '先週(?!末)'], months: ['(?<!再)来月', '今月(?!末|の終)', '先月'], years: ['来年', '今年(?!の?末)', '昨年|去年'],
  endOf: ['今月(?:末|の終わり)', '今四半期末', '今年の?末'],
};

// biome-ignore format: tables
const CHINESE: DayWords = {
  isSpaced: false, mark: /[\u4e00-\u9fff]/u,
  never: '[今以之此往雨最然先]后天|后天(?=[气晴空色的性]|习得|养成|努力|因素|环境|教育)|今[天日](?=的|头条)|[明昨]天的', habit: '每[天晚日周月次]|总是|一直',
  days: [['大后天', 3], ['大前天', -3], ['后天', 2], ['前天', -2], ['明天', 1], ['今天', 0], ['昨天', -1]],
  counts: HAN_COUNTS, units: { day: '天', week: '个?(?:周|星期|礼拜)', month: '个月', year: '年' },
  later: [`${FROM_NOW}COUNTUNIT(?:之|以)?后`], ago: [`${FROM_NOW}COUNTUNIT(?:之|以)?前`], notBefore: '', on: '',
  weekdays: ['[日天]', ...'一二三四五六'],
  weekdayOf: [['下个?(?:周|星期|礼拜)DAY', 'next'], ['[本这]个?(?:周|星期|礼拜)DAY', 'thisWeek'], ['上个?(?:周|星期|礼拜)DAY', 'lastWeek'], ['(?<![一二两三四五六七八九十\\d每上下本这个到至])(?:周|星期|礼拜)DAY', 'coming']],
  weekdayText: 'SAID（DATE）', weekText: 'DATE那一周', yearText: '年',
  weeks: ['下个?(?:周|星期|礼拜)(?![一二三四五六日天末])', '[本这]个?(?:周|星期|礼拜)(?![一二三四五六日天末])', '上个?(?:周|星期|礼拜)(?![一二三四五六日天末])'],
  months: ['下个?月', '(?:本|这个)月(?!底)', '上个月'], years: ['明年', '今年(?!年?底)', '去年'],
  endOf: ['(?:本|这个)月底', '本季度[末底]', '今年年?底'],
};

const KOREAN_NOW = '(?<=^|[.,!?:;(\\n]\\s*|(?<!휴|평|허)[은는이가을를도에서]\\s)';
const FREE = '(?=$|[^가-힣]|은|는|이|가|을|를|에|도|로|까지|부터|입|인|만|밤|아침|오전|오후|저녁)';

// biome-ignore format: tables
const KOREAN: DayWords = {
  isSpaced: false, mark: /[가-힣]/u, never: '오늘날|어제오늘|엊그제', habit: '매[일주월번년]|항상|보통',
  days: [[`(?<![가-힣])(?:내일)?모레${FREE}`, 2], [`(?<![가-힣])(?:그저께|그제)${FREE}`, -2], [`(?<![가-힣])내일${FREE}`, 1], [`(?<![가-힣])오늘${FREE}`, 0], [`(?<![가-힣])어제${FREE}`, -1],
    [`${KOREAN_NOW}이틀 ?[뒤후]`, 2], [`${KOREAN_NOW}사흘 ?[뒤후]`, 3], [`${KOREAN_NOW}열흘 ?[뒤후]`, 10]],
  counts: '한|일,두|이,세|석|삼,네|넉|사,다섯|오,여섯|육,일곱|칠,여덟|팔,아홉|구,열|십,열한|십일,열두|십이'.split(','),
  units: { day: '일', week: '주일?', month: '개월|달', year: '년|해' },
  later: [`${KOREAN_NOW}COUNT ?UNIT ?[뒤후]`], ago: [`${KOREAN_NOW}COUNT ?UNIT ?전(?!까지|마다)`], notBefore: '', on: '',
  weekdays: [...'일월화수목금토'],
  weekdayOf: [['다음 ?주 ?DAY요일', 'next'], ['이번 ?주 ?DAY요일', 'thisWeek'], ['지난 ?주 ?DAY요일', 'lastWeek'], ['(?:오는|이번) DAY요일', 'coming'], ['지난 DAY요일', 'last'], ['(?<![가-힣] ?)DAY요일(?=까지)', 'coming']],
  weekdayText: 'DATE(DAY)', weekText: 'DATE 주', yearText: '년',
  weeks: ['(?<!다)다음 ?주(?!말)', '이번 ?주(?!말)', '지난 ?주(?!말)'], months: ['다음 ?달', '이번 ?달(?! 말)', '지난 ?달'], years: ['내년', '올해(?! 말)', '작년'],
  endOf: ['이번 ?달 말', '이번 분기 말', '올해 말'],
};

/** In order: words that one language took are not looked at by the next. */
export const LANGUAGES: readonly DayWords[] = [
  JAPANESE,
  CHINESE,
  KOREAN,
  ENGLISH,
  GERMAN,
  FRENCH,
  SPANISH,
  ITALIAN,
  PORTUGUESE,
  DUTCH,
  RUSSIAN,
];
