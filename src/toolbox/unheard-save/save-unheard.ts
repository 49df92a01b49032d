/** A save by somebody who hears no conversation, an MCP client or an agent that runs our command: judged, then kept with the standing it has. */

import type { MemoryScope, MemorySource } from '../../base/taxonomy.ts';
import { quoted } from '../../base/text/shell-words.ts';
import { ReverieError } from '../../errors.ts';
import { findMemory } from '../../memory/find-memory.ts';
import type { SpanMessage } from '../../memory/gate/index.ts';
import { entryNamed, existingFor } from '../../memory/gate/writer/existing.ts';
import type { Memory, MemoryEntry, Saved } from '../../memory/memory.ts';
import { whyNotSuperseded } from '../../memory/supersede.ts';
import { judgeSave, type ProposedSave, type SaveVerdict } from './judge-save.ts';

export interface UnheardSave extends ProposedSave {
  readonly scope?: MemoryScope | undefined;
  readonly supersedes?: string | undefined;
  /** Other names for what it is about. */
  readonly aliases?: readonly string[] | undefined;
}

export interface UnheardFacts {
  readonly memory: Memory;
  /** What the user is known to have typed lately, with what came along. */
  readonly heard: readonly SpanMessage[];
  /** Who saves, by their own account; empty when they did not say. */
  readonly client: string;
  /** How it came, for the journal: `over MCP`. */
  readonly way: string;
  readonly now: Date;
}

export type UnheardOutcome =
  | { readonly kind: 'saved'; readonly saved: Saved; readonly source: MemorySource; readonly notes: readonly string[] }
  | { readonly kind: 'duplicate'; readonly entry: MemoryEntry }
  /** It is there already, and the user's word from now on. */
  | { readonly kind: 'confirmed'; readonly entry: MemoryEntry; readonly change: string };

export async function saveUnheard(save: UnheardSave, facts: UnheardFacts): Promise<UnheardOutcome> {
  const { memory, heard, now } = facts;
  const existing = await existingFor(memory, { scope: HERE, file: '', body: save.body });
  const verdict = judgeSave(save, { existing, heard, now });
  switch (verdict.kind) {
    case 'refused':
      throw new ReverieError({ code: 'refused', message: verdict.advice });
    case 'duplicate': {
      const entry = await entryNamed(verdict.of, { memory, scope: HERE });
      // Forgotten meanwhile: nothing says the same any more.
      if (entry === null) return saveUnheard(save, facts);
      return alreadyKnown(entry, { ...facts, isSaid: verdict.isSaid });
    }
    case 'keep':
      return keep(verdict, save, facts);
  }
}

async function keep(
  { text, source, quote }: Extract<SaveVerdict, { kind: 'keep' }>,
  { scope, supersedes, aliases }: UnheardSave,
  facts: UnheardFacts,
): Promise<UnheardOutcome> {
  const { memory, client } = facts;
  const old = supersedes === undefined ? null : await findMemory(memory, supersedes);
  const stays = old === null ? null : whyNotSuperseded(old, { source, quote });
  const replacing = old !== null && stays === null ? { scope: old.scope, supersedes: old.file } : {};
  const origin = client === '' ? {} : { origin: { client } };
  const saved = await memory.save(
    {
      ...text,
      source,
      quote,
      ...origin,
      ...(aliases && { aliases }),
      ...(scope === undefined ? {} : { scope }),
      ...replacing,
    },
    { who: 'agent', reason: reasonOf('saved', facts) },
  );
  const notes = [
    ...(stays === null ? [] : [`${old!.file} is not superseded: ${stays}.`]),
    ...(source === 'said' ? [] : [toConfirm(saved)]),
    ...saved.warnings,
  ];
  return { kind: 'saved', saved, source, notes };
}

/** What a model quotes cannot be looked up here; the user's own command can be believed. */
function toConfirm({ scope, file }: Pick<MemoryEntry, 'scope' | 'file'>): string {
  return `It is shown as unconfirmed until the user says that it holds: reverie memory confirm ${quoted(`${scope}:${file}`)}. Tell them if it matters.`;
}

async function alreadyKnown(
  entry: MemoryEntry,
  facts: UnheardFacts & { readonly isSaid: boolean },
): Promise<UnheardOutcome> {
  if (!facts.isSaid || entry.source === 'said') return { kind: 'duplicate', entry };
  const { file, scope } = entry;
  const reason = reasonOf('confirmed', facts);
  const { change } = await facts.memory.update(file, { source: 'said' }, { scope, who: 'agent', reason });
  return { kind: 'confirmed', entry, change };
}

export function reasonOf(
  what: 'saved' | 'confirmed' | 'updated',
  { client, way }: Pick<UnheardFacts, 'client' | 'way'>,
): string {
  return client === '' ? `${what} ${way}` : `${what} ${way} by ${client}`;
}

/** The scope whose files go by their names; those of the other go by their paths. */
const HERE = 'project';
