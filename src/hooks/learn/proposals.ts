/** What a model proposes to keep, read from its answer and passed through the gate with the whole conversation as evidence. */

import { MEMORY_TYPES, type MemoryType } from '../../base/taxonomy.ts';
import { isObject } from '../../base/values.ts';
import { ReverieError } from '../../errors.ts';
import { findMemory } from '../../memory/find-memory.ts';
import { checkWrite, type SpanMessage } from '../../memory/gate/index.ts';
import { entryNamed, existingFor } from '../../memory/gate/writer/existing.ts';
import { type ProjectPlace, viewProject } from '../../memory/gate/writer/project-view.ts';
import type { Memory } from '../../memory/memory.ts';
import { whyNotSuperseded } from '../../memory/supersede.ts';

/** More from one conversation is no choice. */
const MOST_PROPOSALS = 20;

export interface Proposal {
  readonly type: MemoryType;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly quote: readonly string[];
  readonly supersedes: string | null;
}

/** Null when the answer is not what was asked for; what is wrong in one entry costs that one. */
export function readProposals(answer: string): readonly Proposal[] | null {
  const text = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(value) || !Array.isArray(value.memories)) return null;
  return value.memories.flatMap(proposalOf).slice(0, MOST_PROPOSALS);
}

function proposalOf(value: unknown): readonly Proposal[] {
  if (!isObject(value)) return [];
  const text = (key: string) => (typeof value[key] === 'string' && value[key].trim() !== '' ? value[key].trim() : null);
  const quote = (Array.isArray(value.quote) ? value.quote : [value.quote]).filter(
    (each): each is string => typeof each === 'string' && each.trim() !== '',
  );
  const type = MEMORY_TYPES.find((each) => each === value.type);
  const [name, description, body] = [text('name'), text('description'), text('body')];
  if (type === undefined || name === null || description === null || body === null) return [];
  return [{ type, name, description, body, quote, supersedes: text('supersedes') }];
}

export interface KeepFacts {
  readonly memory: Memory;
  readonly span: readonly SpanMessage[];
  readonly project: ProjectPlace;
  readonly origin: { readonly session: string; readonly host: string };
}

export type Kept =
  | { readonly kind: 'saved'; readonly file: string }
  | { readonly kind: 'known' }
  | { readonly kind: 'refused'; readonly rule: string };

export async function keepProposal(proposal: Proposal, facts: KeepFacts): Promise<Kept> {
  const { memory, span, origin } = facts;
  const { type, name, description, body, quote } = proposal;
  const existing = await existingFor(memory, { scope: 'project', file: '', body });
  const project = await viewProject(`${description}\n${body}`, facts.project);
  const proposed = { type, name, description, body, quote };
  const decision = checkWrite({ span, existing, proposed, project });
  if (decision.verdict === 'merge') {
    const { duplicateOf, saidNow } = decision;
    if (saidNow === undefined) return { kind: 'known' };
    const known = await entryNamed(duplicateOf, { memory, scope: 'project' });
    // The user forgot it meanwhile, and what they said before that does not bring it back.
    if (known === null) return { kind: 'known' };
    const reason = `the user said so in ${origin.host}`;
    const raised = { source: 'said', quote: saidNow } as const;
    await memory.update(known.file, raised, { scope: known.scope, who: 'extraction', reason });
    return { kind: 'saved', file: known.file };
  }
  if (decision.verdict === 'reject') return { kind: 'refused', rule: decision.reason };
  const kept = decision.memory;
  // How to work is not for a page to say, and nobody is there to notice.
  const isRule = kept.type === 'feedback' || kept.type === 'user';
  if (kept.source === 'seen' && isRule) return { kind: 'refused', rule: 'unsupported' };
  const old = proposal.supersedes === null ? null : await findMemory(memory, proposal.supersedes).catch(() => null);
  const isReplaced = old !== null && whyNotSuperseded(old, kept) === null;
  try {
    const saved = await memory.save(
      {
        ...{ type: kept.type, name: kept.name, description: kept.description, body: kept.body },
        ...{ source: kept.source, quote: kept.quote, origin },
        ...(isReplaced ? { scope: old.scope, supersedes: old.file } : {}),
      },
      { who: 'extraction', reason: `learnt from a conversation in ${origin.host}` },
    );
    return { kind: 'saved', file: saved.file };
  } catch (error) {
    if (error instanceof ReverieError && error.code === 'secret') return { kind: 'refused', rule: 'secret' };
    throw error;
  }
}
