/**
 * The gate in front of memory: whether a write that nobody typed by hand is kept, and as whose word.
 *
 * When: before every write by extraction, a dream, the agent or a model over MCP; a person's own save is refused for secrets only.
 * Cost: one pass over the span; no model, no disk.
 * Prevents: secrets, rules planted by tools, files, pages and agents, echoes of recalled text, copies of the project, dates without a day.
 * On error: it does not fail. What it refuses it names, with what to write instead.
 */

import { stripInvisible } from '../../lib/visible-text.ts';
import { LIMITS, type Limits } from '../../limits.ts';
import { isMemoryType, type MemoryType } from '../taxonomy.ts';
import { inventedAddress } from './addresses.ts';
import { adviceFor, adviceForContrary } from './advice.ts';
import { findContrary } from './contrary.ts';
import { dateWrite, hasUnknownDay } from './dates.ts';
import { findDerivable } from './derivable.ts';
import { type Evidence, type Likeness, weighEvidence } from './evidence.ts';
import { hasJudgement } from './judgement.ts';
import { isForeign, isTranslated } from './language.ts';
import { isSameText, normalise } from './normalise.ts';
import { coreText, partsOf } from './parts.ts';
import { inventedPerson } from './people.ts';
import { placeProblem } from './place.ts';
import { type FindSecret, findSecret } from './secret.ts';
import { judgeStanding } from './standing.ts';
import { voicesOf } from './voices.ts';
import type { ExistingMemory, GateDecision, ProposedMemory, RejectReason, WriteFacts } from './write.ts';

export type { Likeness } from './evidence.ts';
export type { FindSecret } from './secret.ts';
export type { ExistingMemory, GateDecision, GatedMemory, ProposedMemory, SpanMessage, WriteFacts } from './write.ts';

/** What a better judge can be put in place of. */
export interface GatePorts {
  readonly limits?: Limits['gate'];
  readonly findSecret?: FindSecret;
  readonly likeness?: Likeness;
}

export function checkWrite(facts: WriteFacts, ports: GatePorts = {}): GateDecision {
  const limits = ports.limits ?? LIMITS.gate;
  const { existing, span } = facts;
  const proposed = withTexts(facts.proposed);
  const type = proposed.type.trim().toLowerCase();
  const updated = existing.find(({ file }) => file === proposed.file) ?? null;

  const unfit = unfitReason(proposed, {
    limits,
    isUpdate: updated !== null,
    findSecret: ports.findSecret ?? findSecret,
  });
  if (unfit !== null) return reject(unfit.reason, unfit.words);
  if (!isMemoryType(type)) return reject('wrong-type', proposed.type);

  const parts = partsOf(proposed);
  const passages = voicesOf(span, limits);
  const weigh = (spelling: 'as-written' | 'forgiving') =>
    weighEvidence({ parts, passages, updated, limits, spelling, likeness: ports.likeness });
  const judge = ({ supports, numbers }: Evidence) => ({
    supports,
    standing: judgeStanding({
      type,
      supports,
      span,
      isUpdate: updated !== null,
      numbers: { said: numbers, hasUnknownDay: () => hasUnknownDay(span) },
      isTranslated: () => isTranslated(coreText(proposed.body), passages),
      isForeign: (passage) => isForeign(coreText(proposed.body), passage),
      limits,
    }),
  });
  const evidence = weigh('as-written');
  const isReasoned = evidence.supports.some(
    (support) => support.part.kind === 'why' && support.user(['states']) >= limits.restsShare,
  );
  const derivable = findDerivable({ proposed, isReasoned });
  if (derivable !== null) return reject(derivable, coreText(proposed.body));

  const first = judge(evidence);
  const isUnsupported = first.standing.kind === 'refused' && first.standing.reason === 'unsupported';
  const { supports, standing } = isUnsupported ? judge(weigh('forgiving')) : first;
  const duplicate = findDuplicate(proposed, existing);
  if (duplicate !== null && !(standing.kind === 'refused' && isPlanted(standing.reason))) return merge(duplicate);
  if (standing.kind === 'refused') return reject(standing.reason, standing.words);
  const contrary =
    standing.kind === 'seen' ? null : findContrary({ parts, type, passages, before: updated?.body ?? '' });
  if (contrary !== null) return { verdict: 'reject', reason: 'unsupported', advice: adviceForContrary(contrary) };
  const known = [...span.map(({ text }) => text), updated?.body ?? ''];
  const invented = inventedAddress(proposed, known) ?? inventedPerson(proposed, known);
  if (invented !== null) return reject('unsupported', invented);

  const dated = dateWrite({ proposed, supports, span, isSeen: standing.kind === 'seen' });
  if (dated.kind === 'unknown-day') return reject('relative-date', dated.words);
  const text = dated.kind === 'mended' ? dated.memory : proposed;
  const again = dated.kind === 'mended' ? findDuplicate(text, existing) : null;
  if (again !== null) return merge(again);
  const memory = { ...visible(text), type: type as MemoryType, source: standing.source };
  if (standing.kind === 'seen') {
    return {
      verdict: 'accept-as-seen',
      reason: 'worthy',
      advice: 'Kept as seen, not as the user’s word: it is shown with its origin until the user confirms it.',
      memory,
    };
  }
  const reason = dated.kind === 'mended' ? 'relative-date' : updated !== null ? 'contradiction-update' : 'worthy';
  return { verdict: 'accept', reason, advice: 'Kept.', memory };
}

/** A model may leave out what the types promise. */
function withTexts(proposed: ProposedMemory): ProposedMemory {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const { type, name, description, body } = proposed;
  return { ...proposed, type: text(type), name: text(name), description: text(description), body: text(body) };
}

/** The part of the gate that needs no conversation: place, size, secrets and judgements of people. Null when it is fit. */
export function checkFit(
  proposed: ProposedMemory,
  facts: GatePorts & { readonly isUpdate: boolean },
): (GateDecision & { readonly verdict: 'reject' }) | null {
  const limits = facts.limits ?? LIMITS.gate;
  const unfit = unfitReason(withTexts(proposed), {
    limits,
    isUpdate: facts.isUpdate,
    findSecret: facts.findSecret ?? findSecret,
  });
  return unfit === null ? null : reject(unfit.reason, unfit.words);
}

/** What no evidence can mend, cheapest first. */
function unfitReason(
  proposed: ProposedMemory,
  facts: { readonly limits: Limits['gate']; readonly isUpdate: boolean; readonly findSecret: FindSecret },
): { readonly reason: RejectReason; readonly words: string } | null {
  const { name, description, body, file } = proposed;
  const problem = file === undefined ? null : placeProblem(file, facts.isUpdate);
  if (problem !== null) return { reason: 'traversal-name', words: problem };
  const bytes = Buffer.byteLength(name) + Buffer.byteLength(description) + Buffer.byteLength(body);
  if (bytes > facts.limits.writeBytes)
    return { reason: 'oversize', words: `${bytes} bytes of ${facts.limits.writeBytes}` };
  const secret = facts.findSecret([file ?? '', name, description, body].join('\n'));
  if (secret !== null) return { reason: 'secret', words: secret };
  if (name.trim() === '' || (body.trim() === '' && description.trim() === '')) return { reason: 'empty', words: '' };
  const judging = [body, description, name].find(hasJudgement);
  return judging === undefined ? null : { reason: 'negative-judgement', words: judging };
}

/** What repeats text of ours or of the world is refused even when it is known already: it is no confirmation. */
function isPlanted(reason: RejectReason): boolean {
  return reason === 'injected-echo' || reason.startsWith('poison-');
}

function findDuplicate(proposed: ProposedMemory, existing: readonly ExistingMemory[]): string | null {
  const body = normalise(proposed.body);
  if (body === '') return null;
  return existing.find((memory) => isSameText(memory.body, body))?.file ?? null;
}

/** Characters that nobody sees would be read by a model all the same. */
function visible(proposed: ProposedMemory): ProposedMemory {
  const [name, description, body] = [proposed.name, proposed.description, proposed.body].map(
    (text) => stripInvisible(text).text,
  ) as [string, string, string];
  return { ...proposed, name, description, body };
}

function merge(file: string): GateDecision {
  return {
    verdict: 'merge',
    reason: 'exact-duplicate',
    advice: `${file} says the same already. Nothing was written.`,
    duplicateOf: file,
  };
}

function reject(reason: RejectReason, words: string): GateDecision & { readonly verdict: 'reject' } {
  return { verdict: 'reject', reason, advice: adviceFor(reason, words) };
}
