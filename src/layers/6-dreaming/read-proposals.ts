/** Turns the dreamer's list and its copy into proposals: every field checked and limited, everything left out named. */

import { atOnce, type Steps } from '../../base/async/in-turns.ts';
import { singleLine } from '../../base/front-matter/scalar.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';
import { isObject } from '../../base/values.ts';
import { DREAMING_LIMITS, type Limits } from '../../limits.ts';
import { findSecret } from '../../memory/gate/secret.ts';
import type { BaseMemory, Proposal } from './proposal.ts';
import { readList } from './read-list.ts';
import { DREAM_ACTIONS, type DreamAction, type DreamDrop, type DreamEvidence } from './records/record.ts';
import { isDrop } from './records/shape.ts';

export interface ProposalSources {
  /** `changes.json` as the dreamer left it; null when there is none. */
  readonly listText: string | null;
  /** The whole text of a file of the copy; null when it is not there. */
  readonly copy: (file: string) => string | null;
  readonly base: ReadonlyMap<string, BaseMemory>;
  /** Every memory of the copy by name, so that new ones missing from the list are noticed. */
  readonly copyFiles?: readonly string[];
}

export interface ReadProposals {
  /** One per file. */
  readonly proposals: readonly Proposal[];
  /** In words for the user and the log. */
  readonly problems: readonly string[];
  /** Changed in the copy without an entry in the list: these changes do not happen. */
  readonly unlistedFiles: readonly string[];
}

export function readProposals(sources: ProposalSources, limits: Limits['dreaming']): ReadProposals {
  return atOnce(readingProposals(sources, limits));
}

/** The same in steps: every file of the copy is read. */
export function* readingProposals(sources: ProposalSources, limits: Limits['dreaming']): Steps<ReadProposals> {
  const problems: string[] = [];
  const entries = entriesOf(sources.listText, { limits, problems });
  const byFile = new Map<string, Proposal>();
  for (const [index, entry] of entries.entries()) {
    const proposal = proposalOf(entry, { sources, limits, problems, label: `Entry ${index + 1}` });
    if (proposal === null) continue;
    const before = byFile.get(proposal.file);
    byFile.set(proposal.file, before === undefined ? proposal : oneOf(before, proposal, { limits, problems }));
    yield;
  }
  const proposals: Proposal[] = [];
  for (const listed of byFile.values()) {
    const proposal = withText(listed, sources);
    const problem = emptyProblem(proposal, sources);
    if (problem === null) proposals.push(proposal);
    else problems.push(problem);
    yield;
  }
  const unlistedFiles = yield* unlistedOf(sources, byFile);
  for (const file of unlistedFiles) problems.push(`${shown(file)} was changed without a reason: not applied.`);
  return { proposals, problems: bounded(problems, limits.problems), unlistedFiles };
}

interface Reading {
  readonly limits: Limits['dreaming'];
  readonly problems: string[];
}

function entriesOf(listText: string | null, { limits, problems }: Reading): readonly unknown[] {
  if (listText === null) {
    problems.push('There is no changes.json: nothing is applied.');
    return [];
  }
  const list = readList(listText, DREAMING_LIMITS.listBytes);
  if (list.kind === 'unreadable') {
    problems.push(`${list.reason}: nothing is applied.`);
    return [];
  }
  if (list.entries.length > limits.changes) {
    problems.push(`The list has ${list.entries.length} entries; the first ${limits.changes} are read.`);
  }
  return list.entries.slice(0, limits.changes);
}

function proposalOf(
  entry: unknown,
  facts: Reading & { readonly sources: ProposalSources; readonly label: string },
): Proposal | null {
  const { limits, problems, label } = facts;
  const drop = (why: string) => {
    problems.push(`${label} is left aside: ${why}.`);
    return null;
  };
  if (!isObject(entry)) return drop('it is not an object');
  const file = typeof entry.file === 'string' ? fileName(entry.file) : '';
  if (file === '') return drop('it names no file');
  const action = actionOf(entry.action, file, facts.sources);
  if (action === null) return drop(`${shown(file)} has no action of ${DREAM_ACTIONS.join(', ')}`);
  const about = { limits, problems, label: `${label} (${shown(file)})` };
  const takesAway = action === 'remove' || action === 'update';
  const into = takesAway ? intoOf(entry.into, about) : [];
  const read = readDrops(takesAway ? entry.drops : null, fileName);
  problems.push(...read.problems.map((problem) => `${about.label} has ${problem}: not counted.`));
  return {
    action,
    file,
    reason: reasonOf(entry.reason, limits),
    evidence: evidenceOf(entry.evidence, about),
    into,
    drops: read.drops,
    text: null,
  };
}

/** What was not there before can only be new: the same checks apply to it. */
function actionOf(value: unknown, file: string, { base, copy }: ProposalSources): DreamAction | null {
  const action = DREAM_ACTIONS.find((each) => each === value) ?? null;
  return action === 'update' && !base.has(file) && copy(file) !== null ? 'create' : action;
}

function fileName(written: string): string {
  return written.trim().replace(/^(?:\.\/)+/, '');
}

/** One line a terminal can show. */
function reasonOf(value: unknown, limits: Limits['dreaming']): string {
  if (typeof value !== 'string') return '';
  const line = singleLine(stripInvisible(value).text).trim();
  return cut(line, limits.reasonCharacters);
}

function evidenceOf(value: unknown, facts: Reading & { readonly label: string }): readonly DreamEvidence[] {
  const { limits, problems, label } = facts;
  if (value === undefined || value === null) return [];
  const listed = Array.isArray(value) ? value : [value];
  const evidence = listed.flatMap((each): DreamEvidence[] => {
    if (!isObject(each) || typeof each.from !== 'string' || typeof each.quote !== 'string') return [];
    const from = each.from.trim();
    // The beginning of a quote that is there is there, too.
    const quote = each.quote
      .trim()
      .slice(0, limits.quoteCharacters)
      .replace(/[\ud800-\udbff]$/, '');
    return from === '' || quote === '' ? [] : [{ from: fileName(from), quote }];
  });
  if (evidence.length < listed.length) problems.push(`${label} has evidence without "from" or "quote": not counted.`);
  if (evidence.length > limits.quotes)
    problems.push(`${label} has ${evidence.length} quotes; ${limits.quotes} are read.`);
  return evidence.slice(0, limits.quotes);
}

function intoOf(value: unknown, facts: Reading & { readonly label: string }): readonly string[] {
  const { limits, problems, label } = facts;
  if (value === undefined || value === null) return [];
  const listed = Array.isArray(value) ? value : [value];
  const files = listed.flatMap((each) => (typeof each === 'string' && each.trim() !== '' ? [fileName(each)] : []));
  if (files.length < listed.length) problems.push(`${label} has an "into" that names no file: not counted.`);
  const distinct = [...new Set(files)];
  if (distinct.length > limits.superseding) {
    problems.push(`${label} names ${distinct.length} files in "into"; ${limits.superseding} are read.`);
  }
  return distinct.slice(0, limits.superseding);
}

/** The action that keeps most of a memory comes first. */
const GENTLEST: readonly DreamAction[] = ['update', 'create', 'list', 'unlist', 'remove'];

function oneOf(before: Proposal, after: Proposal, { limits, problems }: Reading): Proposal {
  if (before.action === after.action) {
    problems.push(`${shown(before.file)} is listed twice: taken as one ${before.action}.`);
    return {
      ...before,
      reason:
        before.reason === after.reason
          ? before.reason
          : cut(`${before.reason} ${after.reason}`.trim(), limits.reasonCharacters),
      evidence: [...before.evidence, ...after.evidence].slice(0, limits.quotes),
      into: [...new Set([...before.into, ...after.into])].slice(0, limits.superseding),
      drops: [...before.drops, ...after.drops],
    };
  }
  const [kept, dropped] =
    GENTLEST.indexOf(before.action) <= GENTLEST.indexOf(after.action) ? [before, after] : [after, before];
  problems.push(`${shown(kept.file)} is listed twice: ${kept.action} is kept, ${dropped.action} left aside.`);
  return kept;
}

function withText(proposal: Proposal, { copy }: ProposalSources): Proposal {
  return hasText(proposal) ? { ...proposal, text: copy(proposal.file) } : proposal;
}

function hasText({ action }: Proposal): boolean {
  return action === 'create' || action === 'update';
}

function emptyProblem(proposal: Proposal, { base }: ProposalSources): string | null {
  if (!hasText(proposal)) return null;
  if (proposal.text === null) return `${shown(proposal.file)} is listed as ${proposal.action}, but is not in the copy.`;
  if (proposal.action === 'update' && base.get(proposal.file)?.text === proposal.text)
    return `${shown(proposal.file)} is listed as update, but is as it was.`;
  return null;
}

function* unlistedOf(
  { base, copy, copyFiles }: ProposalSources,
  listed: ReadonlyMap<string, Proposal>,
): Steps<readonly string[]> {
  const isListed = (file: string) => {
    const proposal = listed.get(file);
    return proposal !== undefined && (hasText(proposal) || proposal.action === 'remove');
  };
  const changed: string[] = [];
  for (const { file, text } of base.values()) {
    if (!isListed(file) && copy(file) !== text) changed.push(file);
    yield;
  }
  const added = (copyFiles ?? []).filter((file) => !base.has(file) && !isListed(file) && !/^memory\.md$/i.test(file));
  return [...changed, ...new Set(added)];
}

/** A name the model made up, made safe for a line: problems are shown and stored. */
function shown(file: string): string {
  return findSecret(file) !== null
    ? 'A file whose name holds a secret'
    : cut(singleLine(stripInvisible(file).text), SHOWN_CHARACTERS);
}

const SHOWN_CHARACTERS = 120;

function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function bounded(problems: readonly string[], most: number): readonly string[] {
  if (problems.length <= most) return problems;
  return [...problems.slice(0, most - 1), `${problems.length - most + 1} more of the kind.`];
}

// The sentences a change says it drops, as the dreamer listed them: each is checked, and unreadable ones are named.

interface ReadDrops {
  readonly drops: readonly DreamDrop[];
  readonly problems: readonly string[];
}

function readDrops(value: unknown, fileName: (written: string) => string): ReadDrops {
  if (value === undefined || value === null) return { drops: [], problems: [] };
  const listed = Array.isArray(value) ? value : [value];
  const drops = listed.flatMap((each): DreamDrop[] => (isDrop(each) ? [plainDrop(each, fileName)] : []));
  const missing = new Set(listed.filter((each) => !isDrop(each)).map(problemOf));
  return { drops, problems: [...missing] };
}

/** Only the known fields of a drop are recorded. */
function plainDrop(drop: DreamDrop, fileName: (written: string) => string): DreamDrop {
  const quote = drop.quote.trim();
  switch (drop.because) {
    case 'duplicate':
      return { quote, because: drop.because, of: { file: fileName(drop.of.file), quote: drop.of.quote.trim() } };
    case 'superseded':
      return { quote, because: drop.because, by: { file: fileName(drop.by.file), quote: drop.by.quote.trim() } };
    case 'expired':
      return { quote, because: drop.because, day: drop.day.trim() };
    case 'gone':
      return { quote, because: drop.because, path: drop.path.trim() };
  }
}

const NEEDED: Readonly<Record<string, string>> = {
  duplicate: 'of: {file, quote}',
  superseded: 'by: {file, quote}',
  expired: 'a day',
  gone: 'a path',
};

function problemOf(entry: unknown): string {
  if (!isObject(entry) || typeof entry.quote !== 'string') return 'a drop without a quote';
  const needed = typeof entry.because === 'string' ? NEEDED[entry.because] : undefined;
  return needed === undefined
    ? `a drop without a reason of ${Object.keys(NEEDED).join(', ')}`
    : `a drop as ${String(entry.because)} without ${needed}`;
}
