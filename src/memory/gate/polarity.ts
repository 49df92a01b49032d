/** What a sentence says yes to and what it says no to: its clauses, with the words of each on one side or the other. */

import { type Piece, piecesOf } from './clauses.ts';
import { type Mood, moodOf } from './mood.ts';
import type { Negator } from './negation.ts';
import { LETTER, wordPattern } from './word-pattern.ts';
import { eachWord, isNegation, type Word } from './words.ts';

/** `open` where it cannot be told. */
export type Side = 'yes' | 'no' | 'open';

export interface SidedWord {
  readonly word: Word;
  readonly side: Side;
  /** One of the verbs that any rule may be put with: "use", "add", "keep". */
  readonly isLight: boolean;
  /** One that a writer may add: "write", where the user only named the thing. */
  readonly isAffirming: boolean;
  /** What is denied or ordered first of all, and not where, when or for whom. */
  readonly isHead: boolean;
  /** Whether it stands behind "before", "when" and the like. */
  readonly isBehind: boolean;
}

export interface Clause {
  readonly words: readonly SidedWord[];
  readonly mood: Mood;
  /** Words on which it depends: "before", "when". */
  readonly conditions: string;
  /** The no stands anywhere in its language, or the words are pairs of characters: only the whole of it can be compared. */
  readonly isWhole: boolean;
  readonly isUnspaced: boolean;
  readonly hasWithout: boolean;
  /** Who does it: the user, or whoever is told to. */
  readonly doer: 'user' | 'told' | null;
}

const CONDITIONS = wordPattern(
  {
    en: 'before|after|when|whenever|while|during|if|once',
    others:
      'vor|nach|bevor|nachdem|während|wenn|antes|después|cuando|si|avant|après|quand|prima|dopo|quando|depois|voor|na|als|до|после|когда|если',
    zh: '之前|之后',
    ja: '前に|後に',
    ko: '전에|후에',
  },
  'g',
);
const WITHOUT = wordPattern({ words: 'without|ohne|sin|sans|senza|sem|zonder|без', ko: '없이' });
/** After it a no may go on or be over: "don't squash and rebase". */
const AND = wordPattern({ words: 'and|und|y|et|e|en|и' }, 'g');
/** What stands behind one of these is no longer the thing itself. */
const PREPOSITION =
  /^(?:in|on|at|for|to|from|with|of|by|into|onto|as|about|under|before|after|when|while|during|auf|für|mit|von|bei|aus|zu|vor|nach|en|de|para|por|con|dans|pour|avec|sur|di|nel|nei|nelle|per|su|em|nas|nos|da|do|op|van|met|в|на|для|с)$/;
/** The user as the one who does it, not as the one who wants it. */
const USER_DOES = new RegExp(
  `^\\W*(?:the user|user|der nutzer|die nutzerin|el usuario|la usuaria|l'utilisateur|i(?!')|ich|yo|je|io|eu|ik)(?!${LETTER})(?! (?:do(?:es)?n'?t |do(?:es)? not |would not )?(?:wants?|prefers?|likes?|loves?|expects?|needs?|would|said|asked|hates?|dislikes?|möchte|will|quier[eo]|veux|voudrais|voglio|quero|wil)(?!${LETTER}))|\\bby the user\\b|用户|^我(?![想要希])`,
);

const LIGHT = keysOf(
  `use using used utilise employ add adding added put putting include including insert inserting make making do doing have
  having keep keeping allow allowing enable enabling permit prefer love enjoy likes turn switch
  will wollen möchte quiero veux voudrais voglio quero wil хочу
  verwenden verwende nutzen nutze benutzen benutze einsetzen machen mache setzen setze einfügen hinzufügen
  usar usa uses usen utilizar utiliza poner pon pongas hacer haz hagas añadir añade añadas prefiere
  utiliser utilise utilises utilisez employer mettre mets mettez faire fais ajouter ajoute préfère
  usare usate utilizzare mettere metti fare aggiungere preferisce colocar coloque fazer adicionar prefere
  gebruik gebruiken toevoegen zetten maken использовать используй используйте добавлять добавляй делать делай
  쓴다 쓰다 쓰지 사용 사용한다 사용하지 넣는다 넣지 한다 하지 합니다 마세요 마 말 않는다`,
);
const AFFIRMING = keysOf(
  'write create show set give schreiben schreibe escribir escribe écrire écris scrivere escrever schrijf schrijven писать пиши',
);

function keysOf(list: string): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const written of list.split(/\s+/)) eachWord(written, new Map(), (word) => keys.add(word.keys[0]!));
  return keys;
}

const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'-]*/gu;
const PAIRED = /[\u3040-\u30ff\u3400-\u9fff]{2}/;

export function clausesOf(sentence: string, known: Map<string, Word | null>): Clause[] {
  const clauses: Clause[] = [];
  for (const piece of piecesOf(sentence)) {
    const clause = clauseOf(piece, known);
    const led = piece.isFragment ? clauses.at(-1) : undefined;
    clauses.push(led === undefined ? clause : { ...clause, words: [...clause.words, ...led.words.map(asContext)] });
  }
  return clauses;
}

function asContext(word: SidedWord): SidedWord {
  return { ...word, side: 'open', isHead: false, isLight: true };
}

function clauseOf({ text, negators }: Piece, known: Map<string, Word | null>): Clause {
  const isUnspaced = PAIRED.test(text);
  const conditions = [...text.matchAll(CONDITIONS)];
  const firstCondition = conditions[0]?.index ?? Number.POSITIVE_INFINITY;
  const sideAt = negators === null ? () => 'open' as const : sidesBy(negators, text);
  const head = headFinder(negators ?? []);
  const words: SidedWord[] = [];
  let isUnclear = negators === null;
  for (const { 0: written, index } of text.matchAll(TOKEN)) {
    if (PREPOSITION.test(written)) head.meetPreposition(index);
    else if (!isPartOf(negators ?? [], { index, end: index + written.length })) {
      eachWord(written, known, (word) => {
        // A no that no rule knows.
        if (isNegation(word)) isUnclear ||= !isUnspaced;
        if (isNegation(word)) return;
        const [key] = word.keys;
        const isLight = LIGHT.has(key!);
        const isHead = isLight ? head.meetLight(index) : head.meet(index);
        const isAffirming = AFFIRMING.has(key!);
        words.push({ word, side: sideAt(index), isLight, isAffirming, isHead, isBehind: index > firstCondition });
      });
    }
  }
  const mood = isUnclear ? 'open' : moodOf(text, negators ?? []);
  return {
    words,
    mood,
    conditions: conditions
      .map(([word]) => word)
      .sort()
      .join(' '),
    isWhole: isUnspaced || (negators?.some(({ reach }) => reach === 'denies-all') ?? false),
    isUnspaced,
    hasWithout: WITHOUT.test(text),
    doer: USER_DOES.test(text) ? 'user' : mood === 'order' ? 'told' : null,
  };
}

/** What removes is something to do besides. */
function isPartOf(negators: readonly Negator[], token: { readonly index: number; readonly end: number }): boolean {
  return negators.some(({ reach, start, end }) => reach !== 'removes' && start <= token.index && token.end <= end);
}

/** By the negators around a place: one makes a no, two leave it open, but for "never … without". */
function sidesBy(negators: readonly Negator[], text: string): (place: number) => Side {
  const denials = negators.filter(({ reach }) => reach === 'denies' || reach === 'denies-all');
  const [denial] = denials;
  const narrow = negators.filter(({ reach }) => reach === 'lacks' || reach === 'swaps' || reach === 'removes');
  const goesOn = negators.length === 0 ? [] : [...text.matchAll(AND)].map(({ index }) => index);
  return (place) => {
    const before = negators.findLast(({ end }) => end <= place);
    if (denials.length > 1 || goesOn.some((and) => before !== undefined && before.end <= and && and < place))
      return 'open';
    if (narrow.some(({ reach, start }) => reach === 'lacks' && start > place)) return 'open';
    const isDenied = denial !== undefined && (denial.reach === 'denies-all' || denial.end <= place);
    const last = narrow.findLast(({ end }) => end <= place);
    if (last === undefined) return denial === undefined ? 'yes' : isDenied ? 'no' : 'open';
    if (denial === undefined) return 'no';
    return isDenied && last.reach === 'lacks' ? 'yes' : 'open';
  };
}

interface HeadFinder {
  meet(place: number): boolean;
  meetLight(place: number): false;
  meetPreposition(place: number): void;
}

/** Walks along a clause: after each no a verb is the head by itself, and a thing behind a light verb up to a preposition. */
function headFinder(negators: readonly Negator[]): HeadFinder {
  let from = -1;
  let isThing = false;
  let isNamed = false;
  let isOver = false;
  const reach = (place: number) => {
    const last = negators.findLast(
      (each) => each.end <= place && each.reach !== 'denies-all' && each.reach !== 'again',
    );
    if ((last?.end ?? -1) === from) return;
    from = last!.end;
    isThing = last!.reach === 'swaps' || last!.reach === 'removes';
    isNamed = false;
    isOver = false;
  };
  return {
    meet(place) {
      reach(place);
      if (isOver) return false;
      isOver = !isThing;
      isNamed = true;
      return true;
    },
    meetLight(place) {
      reach(place);
      isThing ||= !isNamed;
      return false;
    },
    meetPreposition(place) {
      reach(place);
      isOver ||= isNamed;
    },
  };
}
