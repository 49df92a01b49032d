/** A dreamer without tools: it is asked once, and its answer is put into the copy, where it is judged like any other dream. */

import { join } from 'node:path';
import { isObject } from '../../../base/values.ts';
import type { Usage } from '../../../conversation/message.ts';
import type { Memory } from '../../../memory/memory.ts';
import { equivalentTokens } from '../../../model/metered-usage.ts';
import type { DreamerEnd, DreamerWork } from '../index.ts';
import { LIST_FILE } from './copy.ts';
import { dreamFiles } from './dreamer.ts';

export type PlanAnswer =
  | {
      readonly kind: 'answered';
      readonly text: string;
      readonly usage: Usage;
      readonly money: number | null;
      /** Where nobody tells what it cost. */
      readonly isEstimated?: true;
    }
  | { readonly kind: 'failed'; readonly problem: string };

export type AskForPlan = (question: string, signal: AbortSignal) => Promise<PlanAnswer>;

export async function dreamByPlan(
  work: DreamerWork,
  { question, ask, memory }: { readonly question: string; readonly ask: AskForPlan; readonly memory: Memory },
): Promise<DreamerEnd> {
  const answer = await ask(question, work.signal);
  if (answer.kind === 'failed')
    return work.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', problem: answer.problem };
  work.onCost({ equivalentTokens: equivalentTokens(answer.usage), money: answer.money });
  const changes = readPlan(answer.text);
  if (changes === null) return { kind: 'failed', problem: 'the answer is not the JSON that was asked for' };
  work.onRound({ at: new Date().toISOString(), text: `Proposed ${changes.length} changes.`, tools: [] });
  const { copy, base } = work.workshop;
  const files = dreamFiles(memory, copy);
  const write = (file: string, text: string) =>
    files.write(join(copy, file), Buffer.from(text), { ifUnchanged: base.get(file)?.hash ?? null });
  for (const { file, text } of changes.flatMap(textOf)) {
    const written = await write(file, text).catch(() => null);
    if (written?.kind === 'written') work.onWrite(file);
  }
  // What could not be written is unchanged in the copy, and is judged as that.
  await write(LIST_FILE, JSON.stringify({ changes: changes.map(({ text: _, ...entry }) => entry) }));
  return { kind: 'done' };
}

type Entry = Readonly<Record<string, unknown>>;

function readPlan(answer: string): readonly Entry[] | null {
  const text = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && Array.isArray(value.changes) ? value.changes.filter(isObject) : null;
  } catch {
    return null;
  }
}

function textOf({ action, file, text }: Entry): readonly { readonly file: string; readonly text: string }[] {
  const isWritten = action === 'update' || action === 'create';
  return isWritten && typeof file === 'string' && typeof text === 'string' ? [{ file, text }] : [];
}
