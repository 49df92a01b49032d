/** Keeps what the user explicitly asked for, without a model: each request once, through the same gate as every other write. */

import { fold } from '../../base/text/fold.ts';
import { sourceFor } from '../../memory/gate/writer/existing.ts';
import { spanOf, type WriteGate } from '../../memory/gate/writer/judge-write.ts';
import type { Memory } from '../../memory/memory.ts';
import { type ExplicitMemory, findExplicit } from './explicit.ts';
import type { KeptWishes, RefusedMemory, SaidText, Span, WrittenMemory } from './index.ts';

export interface ExplicitFacts {
  readonly memory: Memory;
  readonly gate: WriteGate;
  readonly session: string;
}

/** Wishes of one run: each is held to the whole conversation and to every memory. */
const MOST_WISHES = 50;

export async function saveExplicit(span: Span, facts: ExplicitFacts): Promise<KeptWishes> {
  const written: WrittenMemory[] = [];
  const refused: RefusedMemory[] = [];
  const heard = spanOf(span.entries);
  let looked = 0;
  let omitted = 0;
  for (const said of span.wishes) {
    const found = findExplicit(said.text, { now: new Date(said.at) });
    const taken = found.memories.slice(0, MOST_WISHES - looked);
    looked += taken.length;
    omitted += found.omitted + found.memories.length - taken.length;
    for (const wish of taken) {
      const saved = await saveOne(wish, { ...facts, heard, said });
      if (saved === null) continue;
      if ('rule' in saved) refused.push(saved);
      else written.push(saved);
    }
  }
  return { written, refused, omitted };
}

async function saveOne(
  found: ExplicitMemory,
  facts: ExplicitFacts & { readonly heard: ReturnType<typeof spanOf>; readonly said: SaidText },
): Promise<WrittenMemory | RefusedMemory | null> {
  const { memory, said } = facts;
  const { type, name, description, body, scope, cue, quote } = found;
  const reason = `the user said so: ${cue}`;
  const entries = await memory.list();
  if (isQuoted(quote, said, entries)) return null;
  const existing = entries.map((entry) => ({ ...headerOf(entry), body: entry.body }));
  const answer = await facts.gate({
    span: facts.heard,
    existing,
    proposed: { type, name, description, body, quote },
  });
  if (answer.verdict === 'reject') return { rule: answer.reason, name };
  if (answer.verdict === 'merge' && answer.saidNow !== undefined) {
    const known = entries.find(({ path }) => path === answer.duplicateOf)!;
    const raised = { source: 'said', quote: answer.saidNow } as const;
    await memory.update(known.file, raised, { scope: known.scope, who: 'extraction', reason });
    return { file: known.file, scope: known.scope, name: known.name, isNew: false };
  }
  if (answer.verdict !== 'accept') return null;
  const origin = { session: facts.session, message: said.uuid };
  const saved = await memory.save({ ...answer.memory, type, scope, origin }, { who: 'extraction', reason });
  return { file: saved.file, scope: saved.scope, name, isNew: true };
}

/** Somebody kept it in their own words, resting on these, or on a part of them while answering this message. */
function isQuoted(quote: string, { uuid }: SaidText, entries: Awaited<ReturnType<Memory['list']>>): boolean {
  const said = fold(quote);
  return entries.some(({ origin, quote: quotes }) =>
    quotes.some(({ text }) => fold(text).includes(said) || (origin?.message === uuid && said.includes(fold(text)))),
  );
}

/** By its path: two scopes may hold files of one name. */
function headerOf(entry: Awaited<ReturnType<Memory['list']>>[number]) {
  const { path, type, name, description } = entry;
  return { file: path, type: type ?? '', name, description, ...sourceFor(entry) };
}
