/** Words that look like a date and are none: titles, mornings, what is only called tomorrow's. A wrong date is worse than a relative one. */

import { formsOf } from '../word-forms.ts';

/** Where a relative date seems to stand. */
export interface DatePlace {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SENTENCE_CHARACTERS = 160;

export function isUndated(place: DatePlace): boolean {
  const { text, start, end } = place;
  const before = text
    .slice(Math.max(0, start - SENTENCE_CHARACTERS), start)
    .split(/\n|[.;!?](?=\s)|[。！？；]/)
    .at(-1)!;
  const after = text.slice(end, end + SENTENCE_CHARACTERS).split(/\n|[.;!?](?=\s|$)|[。！？；]/, 1)[0]!;
  const written = text.slice(start, end);
  if (isCutTitle(before, after)) return true;
  // Chinese, Japanese and Korean have their own rules for what is none; what is left depends on no word nearby.
  if (!/[a-zа-я]/iu.test(written)) return isEachDays(before, after);
  const said: Said = {
    written,
    words: wordsOf(written),
    before,
    after,
    behind: [...wordsOf(before)].reverse(),
    ahead: wordsOf(after),
  };
  return (
    isTitle(said) ||
    isOfTheDay(said) ||
    isSaying(said) ||
    isHabit(said) ||
    isMaxim(said) ||
    isVague(said) ||
    isDuration(said)
  );
}

interface Said {
  readonly written: string;
  readonly words: readonly string[];
  /** The sentence on either side. */
  readonly before: string;
  readonly after: string;
  /** Its words, the nearest first. */
  readonly behind: readonly string[];
  readonly ahead: readonly string[];
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .replaceAll('\u2019', "'")
      .toLowerCase()
      .match(/\p{L}[\p{L}-]*'?|\d+/gu) ?? []
  );
}

/** The names of days that stand alone. */
const DAYS = formsOf(`
  yesterday today tomorrow tonight heute morgen gestern vandaag gisteren mañana hoy ayer demain hier aujourd' hui domani oggi ieri amanhã hoje
  ontem завтра сегодня вчера`);
const isDay = ({ words }: Said) => words.every((word) => DAYS.has(word));

/** A name made of the first words of a sentence may end within a title. */
function isCutTitle(before: string, after: string): boolean {
  return /[«“„‹「『《〈]\s?$/u.test(before) && !/[»“”›」』》〉]/u.test(after);
}

const CALLED = formsOf(`
  called named titled entitled heißt namens appelle intitulé//e nommé//e llama titula chiama intitola chama chama-se intitula heet genaamd
  называется`);

/** "is called Today", or a capital behind a small word; behind another capital it may be a headline. */
function isTitle(said: Said): boolean {
  if (!isDay(said) || !/^\p{Lu}/u.test(said.written)) return false;
  return (
    CALLED.has(said.behind[0] ?? '') ||
    /(?<!\S)\p{Ll}\S* $/u.test(said.before) ||
    /^(?:usa|psychology|physics)$/.test(said.behind[0] ?? '')
  );
}

/** What takes place on a day: "tomorrow's meeting" is on it, "tomorrow's world" is not. */
const EVENTS = formsOf(`
  meeting//s call//s demo//s release//s deploy//s deployment//s launch review//s session//s audit//s exam//s test//s lesson//s class appointment//s
  flight//s trip visit//s interview//s workshop concert match game delivery deadline election vote hearing training standup stand-up sync
  presentation event party wedding dinner lunch outage incident failure migration maintenance cutover talk inspection rehearsal conference
  webinar retro planning surgery day night evening morning afternoon end start
  sitzung besprechung termin//e treffen prüfung klausur lieferung besuch gespräch konferenz abgabe konzert spiel flug ausfall vorfall probe
  abend nacht tag mittag
  vergadering afspraak bijeenkomst overleg examen toets levering bezoek gesprek les wedstrijd vlucht storing avond dag middag ochtend
  réunion rendez-vous livraison séance visite entretien vol panne audience journée soirée nuit matinée
  reunión cita entrega clase visita entrevista concierto partido vuelo fallo audiencia día noche tarde
  riunione appuntamento esame consegna lezione colloquio concerto partita volo guasto udienza giorno giornata sera notte mattina
  reunião consulta exame aula jogo voo falha audiência dia noite`);
/** The end of a compound in German and Dutch. */
const EVENT_END =
  /(?:sitzung|besprechung|termin|treffen|prüfung|lieferung|gespräch|konzert|spiel|probe|vergadering|afspraak|gesprek|wedstrijd)$/;
const isEvent = (word: string) => EVENTS.has(word) || EVENT_END.test(word);
const OF = formsOf("of von van de di d'");
/** Before "of", and no thing: "as of today", "antes de mañana". */
const NO_THINGS = formsOf(`
  as because instead ahead partir partire compter antes après después depois desde prima dopo además invece autour lugar vez`);
const FROM_THEN = formsOf('an ab auf af diante adelante poi');

/** "Tomorrow's world", "le pain d'hier". */
function isOfTheDay(said: Said): boolean {
  if (!isDay(said)) return false;
  const { behind, ahead, after } = said;
  if (/^['\u2019]s /.test(after)) return !ahead.slice(1, 4).some(isEvent);
  const [of = '', thing] = behind;
  if (!OF.has(of) || thing === undefined || NO_THINGS.has(thing)) return false;
  if (ahead.slice(0, 2).some((word) => FROM_THEN.has(word))) return of === 'von' && ahead[0] === 'auf';
  return !behind.slice(1, 5).some(isEvent);
}

const BEFORE_MORNING: Readonly<Record<string, ReadonlySet<string>>> = {
  morgen: formsOf(`
    guten jeden jedem am eines vom zum gegen frühen ganzen elke iedere goede goeie een hele vroege de die op volgende`),
  mañana: formsOf('la las una cada esta aquella media toda misma buena'),
};
/** How long it takes, always or never. */
const ONE_DAY = formsOf('in-einem-tag en-un-día en-un-dia em-um-dia');

/** Mornings, and ways to say always and suddenly; `<` and `>` stand around the day. */
const SAYINGS =
  /heute auf <morgen>|<heute> auf morgen|(?:bis|tot(?: op)?|until) <(?:heute|vandaag|today)>|<hoje> em dia|<hoy> (?:en )?día|giorno d['\u2019]<oggi>|muy de <mañana>|<mañana> y tarde|here <today>,? (?:and )?gone|gone <tomorrow>|<morgen>-\p{L}/iu;

function isSaying({ words, written, before, after, behind }: Said): boolean {
  if (BEFORE_MORNING[words[0]!]?.has(behind[0] ?? '')) return true;
  return ONE_DAY.has(words.join('-')) || SAYINGS.test(`${before.slice(-24)}<${written}>${after.slice(0, 24)}`);
}

const EVERY_DAY =
  /(?:\b(?:every|each) (?:day|morning|evening|night)\b|\bdaily\b|jede[nm] (?:tag|morgen|abend)|täglich|(?:chaque|tous les) (?:jours?|matins?|soirs?)|cada (?:día|noche|dia)|todos los días|todos os dias|ogni (?:giorno|mattina|sera)|(?:elke|iedere) (?:dag|ochtend|avond)|dagelijks|каждый (?:день|вечер)|каждое утро|ежедневно)(.*)$/isu;
/** Behind these, one day is set apart from all the others. */
const APART = formsOf(`
  but and except from since until aber und ab seit mais et dès depuis sauf pero y desde partir ma e da mas maar en vanaf sinds но и с а`);

/** "Every evening, look at what is due tomorrow" means another day each time. */
function isHabit(said: Said): boolean {
  if (!isDay(said)) return false;
  const since = EVERY_DAY.exec(said.before)?.[1];
  return since !== undefined && !wordsOf(since).some((word) => APART.has(word));
}

function isEachDays(before: string, after: string): boolean {
  return /^(?:の|的|의 )/.test(after) && /毎[日朝晩回]|每[天晚日]|매[일번]/.test(before);
}

const FOR = formsOf('for about für an voor aan para por pour à per a em для о на');
const NOT = formsOf('not never nicht niet no pas non não не statt rather instead');
const AND = formsOf('and but und maar y et e ma mas а и');
const SET = formsOf(`
  scheduled planned booked set due moved angesetzt geplant vorgesehen gepland prévu//e/s/es programad/o/a/os/as previst/o/a/os/as fissat/o/a
  marcad/o/a/os/as назначен//а/о/ы`);

/** "Build for tomorrow, not for today": no day is meant, unless something is set for it. */
function isMaxim(said: Said): boolean {
  if (!isDay(said) || said.behind.some((word) => SET.has(word))) return false;
  const isContrast = (words: readonly string[]) => {
    const rest = words.filter((word) => !AND.has(word) || FOR.has(word)).slice(0, 4);
    return rest.some((word) => NOT.has(word)) && rest.some((word) => DAYS.has(word));
  };
  const isFor = FOR.has(said.behind[0] ?? '');
  return (isFor && isContrast(said.ahead)) || ((isFor || NOT.has(said.behind[0] ?? '')) && isContrast(said.behind));
}

const RANGE = formsOf('to or bis oder ou o à a of или до and und e y et en и');
const TENS = formsOf(`
  twenty thirty forty fifty hundred veinte treinta cuarenta vinte trinta двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят
  девяносто сто`);
const NUMBERS = formsOf(`
  one two three four five six seven eight nine ten eleven twelve ein//e/em/en/er zwei drei vier fünf sechs sieben acht neun zehn elf zwölf een
  twee drie vijf zes zeven negen tien twaalf un//e deux trois quatre cinq sept huit neuf dix onze douze uno una dos tres cuatro cinco seis
  siete ocho nueve diez once doce due tre quattro cinque sei sette otto nove dieci undici dodici um uma dois duas três quatro sete oito dez
  один одну два две три четыре пять шесть семь восемь девять десять`);

/** "Two or three weeks ago" is no day, and the end of "thirty two days ago" is another one. */
function isVague({ words, before, behind }: Said): boolean {
  const [first = ''] = words;
  if (!NUMBERS.has(first) && !/^\d/.test(first) && first !== 'a') return false;
  if (/(?:\d ?[-–.,]|half) ?$/.test(before) || TENS.has(behind[0] ?? '')) return true;
  const other = behind[1] ?? '';
  return RANGE.has(behind[0] ?? '') && (NUMBERS.has(other) || TENS.has(other) || /^\d/.test(other));
}

const USUALLY = formsOf(`
  usually typically normally always often generally every each whenever take//s took üblicherweise meist meistens normalerweise immer jede//r/s/n/m
  dauert lässt normalmente siempre cada suele//n tarda//n sempre geralmente costuma todo//s toda//s`);
const WAS = formsOf('was were been wurde//n fue//ron foi foram hizo');
const PLANNED = formsOf('planned scheduled due announced set');
/** Dutch "over" is also about, and spread over. */
const ABOUT = formsOf(`
  boek film verslag gaat artikel verhaal lezing rapport documentaire spreiden verspreid verdeeld gemiddeld gespreid uitgesmeerd`);

/** How long something takes, took, or takes as a rule. */
function isDuration({ words, before, behind, ahead }: Said): boolean {
  const [first = '', count = ''] = words;
  if (!NUMBERS.has(count) && !/^\d/.test(count) && count !== 'a') return false;
  if (first === 'over') return ABOUT.has(behind[0] ?? '');
  if (first !== 'in' && first !== 'en' && first !== 'em') return false;
  if (/^(?:of|de|da|do)$/.test(ahead[0] ?? '') || behind.some((word) => USUALLY.has(word))) return true;
  const [last = '', verb = ''] = behind;
  if (WAS.has(last)) return true;
  return (WAS.has(verb) && !PLANNED.has(last)) || /\b(?:can|could) be \p{L}+ $/u.test(before);
}
