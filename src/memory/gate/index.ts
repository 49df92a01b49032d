/**
 * The gate in front of memory: whether a write that nobody typed by hand is kept, and as whose word.
 *
 * When: before every write by extraction, a dream, the agent or a model over MCP; a person's own save is refused for secrets only.
 * Cost: one pass over the span; no model, no disk.
 * Prevents: secrets, rules planted by tools, files, pages and agents, echoes of recalled text, what the user wants forgotten.
 * On error: it does not fail. What it refuses it names, with what to write instead.
 *
 * It does not judge whether a sentence follows from another. It looks up the words that a write quotes, says whose they are,
 * and keeps the whole sentence beside the memory, where a reader sees it.
 */

import { withAbsoluteDates } from '../../base/dates/relative-dates.ts';
import { isMemoryType, type MemoryType } from '../../base/taxonomy.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';
import { LIMITS, type Limits } from '../../limits.ts';
import { adviceFor } from './advice.ts';
import { type Heard, hear } from './heard.ts';
import { hasJudgement } from './judgement.ts';
import { isSameText, normalise } from './normalise.ts';
import { coreText } from './parts.ts';
import { isOptOut, isOptOutOf } from './phrases.ts';
import { placeProblem } from './place.ts';
import { shownByProject } from './project.ts';
import { type FindSecret, findSecret } from './secret.ts';
import { judgeStanding, type Likeness, type Standing } from './standing.ts';
import type { ExistingMemory, GateDecision, ProposedMemory, Quote, RejectReason, WriteFacts } from './write.ts';

export { commitsIn } from './project.ts';
export type { FindSecret } from './secret.ts';
export type { Likeness } from './standing.ts';
export type {
  ExistingMemory,
  GateDecision,
  GatedMemory,
  ProjectLists,
  ProjectView,
  ProposedMemory,
  Quote,
  SpanMessage,
  WriteFacts,
} from './write.ts';

/** Limits and checks that `checkWrite` uses in place of its own. */
export interface GatePorts {
  readonly limits?: Limits['gate'];
  readonly findSecret?: FindSecret;
  readonly likeness?: Likeness;
}

/** Decides whether a write that no person typed may be kept, and whose word it is. */
export function checkWrite(facts: WriteFacts, ports: GatePorts = {}): GateDecision {
  const { existing, span } = facts;
  const proposed = withTexts(facts.proposed);
  const type = proposed.type.trim().toLowerCase();
  const updated = existing.find(({ file }) => file === proposed.file);
  const isUpdate = updated !== undefined;
  const unfit = checkFit(proposed, { ...ports, isUpdate });
  if (unfit !== null) return unfit;
  if (!isMemoryType(type)) return reject('wrong-type', proposed.type);
  const duplicate = findDuplicate(proposed, existing);
  if (duplicate !== null && isUsersWord(duplicate)) return merge(duplicate.file);

  const heard = hear(span);
  const core = coreText(proposed.body) || proposed.description;
  const whole = [proposed.name, proposed.description, proposed.body].join('\n');
  const { likeness } = ports;
  const standing = judgeStanding({
    ...{ type, core, whole, heard, quotes: quotesOf(proposed) },
    ...(likeness === undefined ? {} : { likeness }),
    ...(updated === undefined ? {} : { known: `${updated.name}\n${updated.description}\n${updated.body}` }),
  });
  if (duplicate !== null) {
    const isTheirs = standing.kind === 'said' && !isOptedOut(standing, { heard, whole });
    return merge(duplicate.file, isTheirs ? standing.quote : undefined);
  }
  if (standing.kind === 'refused') return reject(standing.reason, core);
  if (isOptedOut(standing, { heard, whole })) return reject('opted-out', core);
  const shown = standing.kind === 'said' || facts.project === undefined ? null : shownByProject(whole, facts.project);
  if (shown !== null) return reject(shown, core);

  const { quote: _quote, ...text } = proposed;
  const dated = dateWrite({ ...text, type }, standing.quote);
  const again = dated.body === proposed.body ? null : findDuplicate(dated, existing);
  if (again !== null) return merge(again.file);
  const memory = { ...visible(dated), type: type as MemoryType, source: standing.kind, quote: standing.quote };
  if (standing.kind === 'seen') return { verdict: 'accept-as-seen', reason: 'worthy', advice: AS_SEEN, memory };
  const reason = dated.body !== proposed.body ? 'relative-date' : isUpdate ? 'contradiction-update' : 'worthy';
  return { verdict: 'accept', reason, advice: standing.kind === 'said' ? 'Kept.' : AS_INFERRED, memory };
}

const AS_SEEN =
  'Kept as seen, not as the user’s word: it is shown with its origin until the user confirms it. Tell them if it matters.';
const AS_INFERRED =
  'Kept as inferred: nothing that the user typed was found to say it, so it is shown as unconfirmed. To keep it as theirs, quote the words of theirs that say it.';

/** A model may leave out what the types promise. */
function withTexts(proposed: ProposedMemory): ProposedMemory {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const { type, name, description, body } = proposed;
  return { ...proposed, type: text(type), name: text(name), description: text(description), body: text(body) };
}

export function quotesOf({ quote }: Pick<ProposedMemory, 'quote'>): readonly string[] {
  const all: readonly unknown[] = Array.isArray(quote) ? quote : [quote];
  return all
    .map((each) => (typeof each === 'object' && each !== null && 'text' in each ? each.text : each))
    .filter((each): each is string => typeof each === 'string' && each.trim() !== '');
}

/** The part of the gate that needs no conversation: place, size, secrets and judgements of people, cheapest first. Null when it is fit. */
export function checkFit(
  proposed: ProposedMemory,
  facts: GatePorts & { readonly isUpdate: boolean },
): (GateDecision & { readonly verdict: 'reject' }) | null {
  const { writeBytes } = facts.limits ?? LIMITS.gate;
  const { name, description, body, file } = withTexts(proposed);
  const problem = file === undefined ? null : placeProblem(file, facts.isUpdate);
  if (problem !== null) return reject('traversal-name', problem);
  const bytes = Buffer.byteLength(name) + Buffer.byteLength(description) + Buffer.byteLength(body);
  if (bytes > writeBytes) return reject('oversize', `${bytes} bytes of ${writeBytes}`);
  const secret = (facts.findSecret ?? findSecret)([file ?? '', name, description, body].join('\n'));
  if (secret !== null) return reject('secret', secret);
  if (name.trim() === '' || (body.trim() === '' && description.trim() === '')) return reject('empty', '');
  const judging = [body, description, name].find((part) => hasJudgement(part, body));
  return judging === undefined ? null : reject('negative-judgement', judging);
}

/** Messages around the one that an opt-out stands in: "don't save that" is said a moment later. */
const OPT_OUT_REACH = 2;

function isOptedOut(
  standing: Exclude<Standing, { kind: 'refused' }>,
  { heard, whole }: { readonly heard: Heard; readonly whole: string },
): boolean {
  const { messages } = standing;
  return heard.typed.some(
    ({ message, sentences }) =>
      (messages.length === 0 || messages.some((each) => each <= message && message - each <= OPT_OUT_REACH)) &&
      sentences.some(({ text }) => isOptOut(text) || isOptOutOf(text, whole)),
  );
}

function isUsersWord({ source }: ExistingMemory): boolean {
  return source === undefined || source === 'said';
}

function findDuplicate(proposed: ProposedMemory, existing: readonly ExistingMemory[]): ExistingMemory | null {
  const body = normalise(proposed.body);
  if (body === '') return null;
  return existing.find((memory) => isSameText(memory.body, body)) ?? null;
}

/** Characters that nobody sees would be read by a model all the same. */
function visible<T extends ProposedMemory>(proposed: T): T {
  const [name, description, body] = [proposed.name, proposed.description, proposed.body].map(
    (text) => stripInvisible(text).text,
  ) as [string, string, string];
  return { ...proposed, name, description, body };
}

function merge(file: string, saidNow?: readonly Quote[]): GateDecision {
  const same = { verdict: 'merge', reason: 'exact-duplicate', duplicateOf: file } as const;
  if (saidNow === undefined) return { ...same, advice: `${file} says the same already. Nothing was written.` };
  const advice = `${file} says the same already, unconfirmed. The user has said it now: edit that file to \`source: said\`, with their words in \`quote\`.`;
  return { ...same, advice, saidNow };
}

function reject(reason: RejectReason, words: string): GateDecision & { readonly verdict: 'reject' } {
  return { verdict: 'reject', reason, advice: adviceFor(reason, words) };
}

// A relative date that the writer left in place is resolved by the day on which the words behind it were said.

/** The same object where nothing changes. How to work holds on every day, so only facts are dated. */
function dateWrite(proposed: ProposedMemory, quote: readonly Quote[]): ProposedMemory {
  const day = quote.map(({ at }) => dayOf(at ?? undefined)).find((each) => each !== null);
  if (day === undefined || day === null || proposed.type === 'feedback') return proposed;
  const [name, description, body] = [proposed.name, proposed.description, proposed.body].map((text) =>
    withAbsoluteDates(text, day),
  ) as [string, string, string];
  const isSame = name === proposed.name && description === proposed.description && body === proposed.body;
  return isSame ? proposed : { ...proposed, name, description, body };
}

// The day of a message, where the user is.

/** A time with its zone is that moment here; a day as written is that day. Null when it is neither. */
function dayOf(at: string | undefined): Date | null {
  const written = /^(\d{4})-(\d{2})-(\d{2})(?:$|[T ][\d:.,]*(Z|[+-]\d{2}:?\d{2})?$)/i.exec(at ?? '');
  if (written === null) return null;
  if (written[4] !== undefined) return validOrNull(new Date(at!));
  const [year, month, day] = written.slice(1, 4).map(Number) as [number, number, number];
  const date = new Date(year, month - 1, day, NOON);
  return date.getMonth() === month - 1 && date.getDate() === day ? date : null;
}

/** Midday: whatever the clocks do, it is that day. */
const NOON = 12;

function validOrNull(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date;
}
