/** A memory that a dreamer wrote or changed: checks that it is fit to keep and no better than its sources, and makes it a file. */

import type { Steps } from '../../base/async/in-turns.ts';
import type { MemorySource } from '../../base/taxonomy.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';
import { factsOf, type MemoryFacts, type MemoryOrigin } from '../../memory/files/header.ts';
import { aliasesText, editMemoryFile, parseMemoryFile, renderMemoryFile } from '../../memory/files/memory-file.ts';
import type { ProposedMemory, Quote } from '../../memory/gate/index.ts';
import { isSameText, normalise } from '../../memory/gate/normalise.ts';
import { keysOf, overlap, termsOf } from '../../memory/gate/terms.ts';
import { whenOf } from './check-drop.ts';
import type { BaseMemory, FoundEvidence, Proposal } from './proposal.ts';
import { missingFrom, type Sentence } from './sentences.ts';
import { isFact, isLower, lowest, type Origin, type Rewording, sourceOfVoice, tracing } from './trust.ts';

/** A memory as it is once the dream has landed. */
export type AfterMemory = Pick<BaseMemory, 'type' | 'name' | 'description' | 'body' | 'source' | 'quotes'> & {
  /** Other names for its subject; those it had where none are given. */
  readonly aliases?: readonly string[];
  /** Suggested for the team, newly or before. */
  readonly forTeam?: boolean;
};

export type Passage = Extract<FoundEvidence, { kind: 'found' }> & {
  /** Word for word, as the dreamer gave it. */
  readonly quote: string;
};

export type WriteVerdict =
  | { readonly kind: 'refuse'; readonly reason: string; readonly isSecret: boolean }
  /** `waits` says why the user must be asked first. */
  | { readonly kind: 'write'; readonly text: string; readonly after: AfterMemory; readonly waits: string | null };

/** The part of the gate that needs no conversation, `checkFit`. Null when it is fit. */
export type CheckFit = (
  proposed: ProposedMemory,
  facts: { readonly isUpdate: boolean },
) => { readonly reason: string; readonly advice: string } | null;

export interface WriteContext {
  readonly base: ReadonlyMap<string, BaseMemory>;
  /** Memories merged into this one. */
  readonly merged: readonly BaseMemory[];
  readonly passages: readonly Passage[];
  /** Sentences from other memories that this one says in other words. */
  readonly rewordings: readonly Rewording[];
  /** New memories of this dream that were judged earlier. */
  readonly made: readonly { readonly file: string; readonly body: string }[];
  readonly checkFit: CheckFit;
  readonly now: Date;
  readonly origin: MemoryOrigin;
}

/** In steps; the gate is the longest. */
export function* judgingWrite(proposal: Proposal, context: WriteContext): Steps<WriteVerdict> {
  const own = context.base.get(proposal.file) ?? null;
  const read = readText(proposal, own);
  if ('problem' in read) return refuse(read.problem);
  const { memory } = read;
  yield;
  const unfit = context.checkFit(
    { ...memory, type: memory.type ?? '', file: proposal.file },
    { isUpdate: own !== null },
  );
  yield;
  if (unfit !== null) return { ...refuse(unfit.advice), isSecret: unfit.reason === 'secret' };
  const copy = copyOf(memory.body, { own, context });
  if (copy !== null) return refuse(`${copy} says the same already.`);
  const trust = yield* findingSource(memory, { own, context });
  const quotes = joinedQuotes([
    ...(own?.quotes ?? []),
    ...context.merged.flatMap((each) => each.quotes),
    ...(trust.source === 'said' ? spokenQuotes(context) : []),
  ]);
  const aliases = aliasesAfter(memory.aliases ?? [], { own, context });
  const after = { ...memory, aliases, source: trust.source, quotes };
  const made = own === null ? { text: newFile(after, context) } : editedFile(after, own, context.now);
  yield;
  if ('problem' in made) return refuse(made.problem);
  return { kind: 'write', text: made.text, after, waits: waitReason(after, own) ?? trust.waits };
}

type Text = Omit<AfterMemory, 'source' | 'quotes'>;

/** Front matter beyond these fields is not the dreamer's to change. */
function readText({ file, text }: Proposal, own: BaseMemory | null): { memory: Text } | { problem: string } {
  const { body, ...parsed } = parseMemoryFile(Buffer.from(text ?? ''));
  const facts = factsOf(file, parsed);
  const { type } = facts;
  const name = stripInvisible(facts.name).text;
  const description = stripInvisible(facts.description).text;
  if (own !== null) {
    const hadHeader = parseMemoryFile(Buffer.from(own.text)).hasFrontMatter;
    if (hadHeader && !parsed.hasFrontMatter) return { problem: 'Its front matter can no longer be read.' };
    if (stripInvisible(body).text.trim() === '' && own.body.trim() !== '')
      return { problem: 'It would be left without a text.' };
    const memory = {
      name: parsed.meta.name === undefined ? own.name : name,
      description: description.trim() === '' ? own.description : description,
      type: type ?? own.type,
      body: body === own.body ? body : stripInvisible(body).text,
      aliases: parsed.aliases,
      forTeam: isMarkedForTeam({ ...facts, type: type ?? own.type }),
    };
    const known = aliasesOf(own);
    const isNamedAlike = parsed.aliases.every((alias) => known.includes(alias));
    const isNewForTeam = memory.forTeam && !isForTeam(own);
    const isSame =
      !isNewForTeam &&
      isNamedAlike &&
      (['type', 'name', 'description', 'body'] as const).every((field) => memory[field] === own[field]);
    return isSame ? { problem: 'It changes nothing.' } : { memory };
  }
  if (type === null || description.trim() === '' || parsed.meta.name === undefined) {
    return {
      problem: 'A memory begins with front matter: name, description and type (user, feedback, project, reference).',
    };
  }
  if (!file.startsWith(`${type}_`)) return { problem: `A memory of type ${type} is called ${type}_….md.` };
  return {
    memory: {
      name,
      description,
      type,
      body: stripInvisible(body).text,
      aliases: parsed.aliases,
      forTeam: isMarkedForTeam(facts),
    },
  };
}

/** What is about a person is never suggested, whoever marks it. */
function isMarkedForTeam({ forTeam, type }: Pick<MemoryFacts, 'forTeam' | 'type'>): boolean {
  return forTeam === true && type !== 'user';
}

function isForTeam({ file, text }: BaseMemory): boolean {
  return factsOf(file, parseMemoryFile(Buffer.from(text))).forTeam === true;
}

/** A merge loses none; a new one counts where it is written in what the memory rests on, since nobody else can vouch for it. */
function aliasesAfter(
  written: readonly string[],
  { own, context }: { readonly own: BaseMemory | null; readonly context: WriteContext },
): readonly string[] {
  const kept = [...(own === null ? [] : [own]), ...context.merged].flatMap(aliasesOf);
  const origins = originsOf({ own, context }).map(({ text }) => normalise(text));
  const vouched = written.filter((alias) => origins.some((text) => text.includes(normalise(alias))));
  return [...new Set([...kept, ...vouched])];
}

function aliasesOf({ text }: BaseMemory): readonly string[] {
  return parseMemoryFile(Buffer.from(text)).aliases;
}

/** Another memory that says exactly this, and stays. */
function copyOf(
  body: string,
  { own, context }: { readonly own: BaseMemory | null; readonly context: WriteContext },
): string | null {
  const text = normalise(body);
  if (text === '' || (own !== null && isSameText(own.body, text))) return null;
  const gone = new Set([own?.file, ...context.merged.map(({ file }) => file)]);
  const others = [...context.base.values(), ...context.made].filter(({ file }) => !gone.has(file));
  return others.find((other) => isSameText(other.body, text))?.file ?? null;
}

/** A new memory may reword what it quotes; a change to an existing one says which sentence it rewords. */
const DISTILLED = 0.5;
const MOVED = 1;

interface Trust {
  readonly source: MemorySource;
  readonly waits: string | null;
}

/** Each sentence new to the memory must come from somewhere, and the memory is only as trusted as the weakest of them. */
function* findingSource(
  memory: Text,
  { own, context }: { readonly own: BaseMemory | null; readonly context: WriteContext },
): Steps<Trust> {
  const share = own === null ? DISTILLED : MOVED;
  const trace = tracing({ origins: originsOf({ own, context }), rewordings: context.rewordings, share });
  yield;
  const sources: MemorySource[] = own === null ? [] : [own.source];
  let waits: string | null = null;
  for (const sentence of missingFrom(own === null ? [] : [own], memory)) {
    if (isGloss(sentence, memory)) continue;
    const source = trace(sentence);
    if (source === null) waits ??= `“${sentence.text}” stands in nothing that it quotes.`;
    else sources.push(source);
    yield;
  }
  return { source: lowest(sources) ?? 'inferred', waits };
}

/** The writer's own words: a name, if it names what the memory is about, and "in every review". */
function isGloss({ kind, text }: Sentence, { description, body }: Text): boolean {
  const terms = termsOf(text);
  if (kind === 'how') return terms.length < LEAST_TERMS;
  return kind === 'name' && (terms.length === 0 || overlap(terms, keysOf(`${description}\n${body}`)).share >= NAMES);
}

const LEAST_TERMS = 3;
const NAMES = 0.5;

function originsOf({ own, context }: { readonly own: BaseMemory | null; readonly context: WriteContext }): Origin[] {
  const { merged, passages, base } = context;
  const memories = [...(own === null ? [] : [own]), ...merged.filter(isFact)].map((memory) => {
    const { name, description, body, source } = memory;
    return { text: [name, description, body].join('\n'), source, day: whenOf(memory) };
  });
  const quoted = passages.flatMap(({ memory: file, passage }): Origin[] => {
    const memory = file === undefined ? undefined : base.get(file);
    if (memory === undefined) return [{ text: passage.text, source: sourceOfVoice(passage), day: passage.at ?? null }];
    return isFact(memory) ? [{ text: passage.text, source: memory.source, day: whenOf(memory) }] : [];
  });
  return [...memories, ...quoted];
}

/** What the user said outside of memory, and when. */
function spokenQuotes({ passages }: WriteContext): readonly Quote[] {
  return passages.flatMap(({ memory, passage, quote }) =>
    memory === undefined && passage.from === 'user' ? [{ text: quote, at: passage.at?.slice(0, 10) ?? null }] : [],
  );
}

export function joinedQuotes(quotes: readonly Quote[]): readonly Quote[] {
  const all = new Map<string, Quote>();
  for (const quote of quotes) {
    const key = normalise(quote.text);
    if (!all.has(key)) all.set(key, quote);
  }
  return [...all.values()];
}

function waitReason(after: AfterMemory, own: BaseMemory | null): string | null {
  if (own === null) {
    const isRule = after.type === 'user' || after.type === 'feedback';
    return isRule && isLower(after.source, 'imported')
      ? `No words of yours carry it: it is ${after.source}, and would be about you or how to work.`
      : null;
  }
  if (own.pinned) return PINNED;
  if (own.type !== null && after.type !== own.type) return `It would be of type ${after.type} instead of ${own.type}.`;
  if (isLower(after.source, own.source))
    return `It would be ${after.source} instead of ${own.source}: part of it rests on less than the memory did.`;
  return null;
}

export const PINNED = 'It is pinned: what changes it is yours to approve.';

/** As old as the oldest one it replaces: merging makes nothing new. */
function newFile(after: AfterMemory, { merged, now, origin }: WriteContext): string {
  const times = merged.map(({ created, modified }) => created ?? modified).sort();
  const { type, quotes, forTeam, ...fields } = after;
  return renderMemoryFile({
    ...fields,
    ...(type === null ? {} : { type }),
    ...(quotes.length === 0 ? {} : { quote: quotes }),
    ...(forTeam ? { share: 'team' } : {}),
    origin,
    created: times[0] ?? now.toISOString(),
    modified: now.toISOString(),
  });
}

export function editedFile(
  after: AfterMemory,
  own: BaseMemory,
  now: Date,
): { readonly text: string } | { readonly problem: string } {
  if (/[\p{Surrogate}\ufffd]/u.test(own.text)) {
    return { problem: 'The file is not plain UTF-8: changing it could lose something. Save it as UTF-8 first.' };
  }
  const fields = (['name', 'description', 'type', 'source'] as const).flatMap((field) => {
    const value = after[field];
    return value !== null && value !== own[field] ? [[field, value] as const] : [];
  });
  const edited = editMemoryFile(Buffer.from(own.text), {
    set: {
      modified: now.toISOString(),
      ...Object.fromEntries(fields),
      ...(after.quotes.length === own.quotes.length ? {} : { quote: after.quotes }),
      ...aliasField(after.aliases ?? [], own),
      ...(after.forTeam && !isForTeam(own) ? { share: 'team' } : {}),
    },
    ...(after.body === own.body ? {} : { body: after.body }),
  });
  return 'bytes' in edited ? { text: Buffer.from(edited.bytes).toString('utf8') } : { problem: edited.refused };
}

function aliasField(aliases: readonly string[], own: BaseMemory): { readonly aliases?: string } {
  const had = aliasesOf(own);
  return aliases.every((alias) => had.includes(alias)) ? {} : { aliases: aliasesText(aliases) };
}

function refuse(reason: string): Extract<WriteVerdict, { kind: 'refuse' }> {
  return { kind: 'refuse', reason, isSecret: false };
}
