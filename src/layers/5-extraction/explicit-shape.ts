/** Turns a user's sentence into a memory: type, scope, name and description; the body is the sentence as said. */

import { withAbsoluteDates } from '../../base/dates/relative-dates.ts';
import { defaultScope, type MemoryScope, type MemoryType } from '../../base/taxonomy.ts';
import type { Cue } from './explicit-openings.ts';

export interface ExplicitMemory {
  readonly type: MemoryType;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly scope: MemoryScope;
  /** The cue that asked for it. */
  readonly cue: string;
  /** The user's sentence, as written. */
  readonly quote: string;
}

const NAME_CHARACTERS = 60;
const DESCRIPTION_CHARACTERS = 150;

export function shapeMemory(facts: {
  readonly cue: Cue;
  readonly rest: string;
  readonly quote: string;
  readonly now: Date;
  /** Where more than the cue says it. */
  readonly type?: MemoryType | undefined;
}): ExplicitMemory {
  const { cue, rest, quote, now } = facts;
  const type = facts.type ?? typeOf(cue, { rest, quote });
  // How to work applies every day.
  const dated = (text: string) => (type === 'feedback' ? text : withAbsoluteDates(text, now));
  const body = dated(quote);
  const isThing = (cue === 'remember' || cue === 'note that' || cue === 'from now on') && rest.length > 2;
  const name = (isThing ? dated(rest) : body).replace(/[\s.!?。！？]+$/u, '');
  return {
    ...{ type, name: shortened(capital(name), NAME_CHARACTERS), description: shortened(body, DESCRIPTION_CHARACTERS) },
    ...{ body, scope: scopeOf(quote, type), cue, quote },
  };
}

const ABOUT_SELF =
  /^(?:i|i'm|i've|i'd|my|ich|mein|meine|je|j'|mon|ma|mes|yo|mi|mis|soy|io|mio|mia|sono|eu|meu|minha|sou|ik|mijn|я|мой|моя|моё|мне)(?![\p{L}])|^(?:我(?!们)|私(?!たち)|僕(?!ら|たち)|저는|나는|제 )/iu;
const ABOUT_ASSISTANT =
  /\b(?:you|your|du|dein|deine|tu|te|vous|tú|você|jij)\b|(?<!\p{L})ты(?!\p{L})|你|あなた|당신|너/iu;
const DEMAND =
  /^(?:please|never|always|don't|do not|no|only|use|avoid|ask|run|prefer)\b|\b(?:nobody|must|should|has to|have to|needs to|may not|never|always|only|muss|müssen|soll|sollen|immer|nie|nur|niemals|doit|doivent|toujours|jamais|debe|deben|siempre|nunca|deve|devono|devem|sempre|mai|moet|moeten|altijd|nooit)\b/iu;
/** In languages that put it anywhere, often without a subject. */
const DEMAND_ANYWHERE = /всегда|никогда|不要|必须|每次|一律|应该|必ず|ないで|항상|반드시|지 마/iu;
const PLACE =
  /https?:\/\/|(?:\b(?:in|at|on|under|im|auf|bei|dans|sur|en|su|em|no|op)|(?<!\p{L})в|在)\s?(?:the )?(?:linear|jira|notion|confluence|grafana|datadog|sentry|figma|slack|wiki|飞书|#[a-z])/iu;

function typeOf(cue: Cue, { rest, quote }: { readonly rest: string; readonly quote: string }): MemoryType {
  switch (cue) {
    case 'about me':
      return 'user';
    case 'I prefer':
      return ABOUT_ASSISTANT.test(quote) ? 'feedback' : 'user';
    case 'always':
    case 'we use … not':
    case 'no, use … instead':
    case "don't … because":
      return 'feedback';
    case 'from now on':
      return ABOUT_SELF.test(rest) ? 'user' : 'feedback';
    case 'remember':
    case 'note that':
      if (PLACE.test(rest)) return 'reference';
      if (ABOUT_SELF.test(rest)) return 'user';
      return DEMAND.test(rest) || DEMAND_ANYWHERE.test(rest) ? 'feedback' : 'project';
  }
}

/** What somebody writes down of their own accord is about the project, unless it opens as a demand or demands something of the assistant. */
export function typeOfStatement({ whole, core }: { readonly whole: string; readonly core: string }): MemoryType {
  const type = typeOf('remember', { rest: whole, quote: whole });
  if (type !== 'feedback' || ABOUT_ASSISTANT.test(whole) || DEMAND_ANYWHERE.test(whole)) return type;
  return DEMAND.exec(core)?.index === 0 ? 'feedback' : 'project';
}

const EVERYWHERE =
  /\b(?:everywhere|globally|partout|ovunque|overal)\b|überall|везде|\b(?:in|for|across|on|in allen|dans tous|en todos|in tutti|em todos|in alle) (?:all|every|any|each|meinen|mes|mis|i miei|os meus|mijn)? ?(?:of )?(?:my |our |the |your )?(?:projects?|repos?|repositories|codebases?|projekten?|projets|proyectos|progetti|projetos|projecten)\b|(?:所有|任何|每个)(?:的)?项目|すべてのプロジェクト|모든 프로젝트/iu;
const ONLY_HERE =
  /\b(?:in|for|on) this (?:project|repo|repository|codebase)\b|in diesem (?:projekt|repo)|(?:这个|本)项目/i;

function scopeOf(quote: string, type: MemoryType): MemoryScope {
  if (ONLY_HERE.test(quote)) return 'project';
  return type === 'feedback' && EVERYWHERE.test(quote) ? 'global' : defaultScope(type);
}

/** Not a lower-case name such as `iPhone` or `a.txt`. */
export function capital(words: string): string {
  return /^[\p{Ll}']+(?=[\s,:]|$)/u.test(words) ? words[0]!.toUpperCase() + words.slice(1) : words;
}

/** Cut at the end of a word if possible. */
function shortened(words: string, characters: number): string {
  const all = [...words];
  if (all.length <= characters) return words;
  const cut = all.slice(0, characters - 1).join('');
  const atWord = cut.replace(/\s+\S*$/, '');
  return `${(atWord.length > characters / 2 ? atWord : cut).replace(/[\s,;:.–—-]+$/, '')}…`;
}
