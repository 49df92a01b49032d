/** A change of a memory by somebody who hears no conversation: judged like a save, and it yields as it would to a newer one. */

import type { MemorySource } from '../../base/taxonomy.ts';
import { ReverieError } from '../../errors.ts';
import { existingFor } from '../../memory/gate/writer/existing.ts';
import type { MemoryChanges, MemoryEntry, Saved } from '../../memory/memory.ts';
import { whyNotSuperseded } from '../../memory/supersede.ts';
import { judgeSave, type ProposedSave } from './judge-save.ts';
import { reasonOf, type UnheardFacts } from './save-unheard.ts';

export type UnheardChanges = Partial<Pick<ProposedSave, 'name' | 'description' | 'body' | 'source' | 'quote'>> &
  Pick<MemoryChanges, 'aliases'>;

export async function updateUnheard(
  old: MemoryEntry,
  { aliases, ...changes }: UnheardChanges,
  facts: UnheardFacts,
): Promise<{ readonly saved: Saved; readonly source: MemorySource }> {
  const { memory, heard, now } = facts;
  const named = aliases === undefined ? {} : { aliases };
  // What else its subject is called changes nothing of what the user said.
  if (aliases !== undefined && !old.pinned && Object.keys(changes).length === 0) {
    const change = { scope: old.scope, who: 'agent', reason: reasonOf('updated', facts) } as const;
    return { saved: await memory.update(old.file, named, change), source: old.source };
  }
  const { file, scope, name, description, body } = old;
  const type = old.type ?? 'project';
  const nearest = await existingFor(memory, { scope, file, body: changes.body ?? body });
  const existing = nearest.filter((each) => each.file !== file);
  const verdict = judgeSave({ type, name, description, body, ...changes }, { existing, heard, now });
  if (verdict.kind === 'refused') throw new ReverieError({ code: 'refused', message: verdict.advice });
  if (verdict.kind === 'duplicate') throw staysAsItIs(old, `${verdict.of} says the same already`, NOTHING_TO_DO);
  const { text, source, quote } = verdict;
  const stays = whyNotSuperseded(old, { source, quote });
  if (stays !== null) throw staysAsItIs(old, stays, SAVE_BESIDE);
  const reason = reasonOf('updated', facts);
  const saved = await memory.update(file, { ...text, ...named, source, quote }, { scope, who: 'agent', reason });
  return { saved, source };
}

const NOTHING_TO_DO = 'Nothing needs to be done.';
const SAVE_BESIDE = 'Save what you learnt as a memory of its own, with memory_save.';

function staysAsItIs({ file }: MemoryEntry, why: string, fix: string): ReverieError {
  return new ReverieError({ code: 'refused', message: `${file} stays as it is: ${why}`, fix });
}
