/** Lands what the rules allow as one journalled change. A file that changed since the dream read it is the user's, and is left alone. */

import { normalize } from 'node:path';
import { hashOf } from '../../../disk/contents.ts';
import { ReverieError } from '../../../errors.ts';
import type { MemoryFiles, PlannedFile } from '../../../memory/memory.ts';
import { type JudgedProposal, type LandFacts, type Landing, type Proposal, summaryOf } from '../index.ts';
import { landingReason } from '../records/landing.ts';
import { holdersOf } from '../records/record.ts';

export interface LandPorts {
  readonly files: MemoryFiles;
  /** Null when it holds none. */
  readonly describeSecretsIn: (text: string) => Promise<string | null>;
}

type Read = (file: string) => Buffer | null;

export async function landDream(facts: LandFacts, ports: LandPorts): Promise<Landing> {
  const landing = facts.judged.filter(({ verdict }) => verdict.kind === 'land');
  const withSecrets = await secretsIn(landing, { ...facts, ...ports });
  const concerned = landing.flatMap(({ proposal }) => [proposal.file, ...holdersOf(proposal)]);
  for (let attempt = 1; ; attempt += 1) {
    let skipped: ReadonlyMap<Proposal, string> = new Map();
    try {
      const saved = await ports.files.change(
        concerned,
        async (read) => {
          refuseWhenLost(facts);
          skipped = skippedOf(landing, { ...facts, read, withSecrets });
          const goes = landing.filter(({ proposal }) => !skipped.has(proposal));
          if (goes.length > 0) await facts.announce(skipped);
          refuseWhenLost(facts);
          const landed = goes.map(({ proposal }) => ({ ...proposal, state: 'landed' as const }));
          return { reason: landingReason(facts.id, summaryOf(landed)), files: goes.map(plannedOf) };
        },
        { who: 'dream' },
      );
      return { change: saved?.change ?? null, skipped };
    } catch (error) {
      // An edit at the very moment of landing: after replanning, that file is left alone and the rest lands.
      const isRefused = error instanceof ReverieError && error.code === 'refused';
      if (!isRefused || attempt === ATTEMPTS) throw error;
    }
  }
}

const ATTEMPTS = 3;

/** Under the folder's lock: whoever took over while this process was paused has the newer view. */
function refuseWhenLost({ stillHeld }: LandFacts): void {
  if (stillHeld()) return;
  throw new ReverieError({ code: 'locked', message: 'another process began to dream here meanwhile' });
}

function plannedOf({ proposal, verdict }: JudgedProposal): PlannedFile {
  const { action, file } = proposal;
  const text = verdict.kind === 'land' ? verdict.text : null;
  switch (action) {
    case 'create':
      return { file, text: text ?? '', mustBeNew: true };
    case 'update':
      return { file, text: text ?? '' };
    case 'remove':
      return { file, text: null };
    case 'list':
    case 'unlist':
      return { file, line: action };
  }
}

/** Its earlier text could not be stored for undo: the user must remove the secret first. */
async function secretsIn(
  landing: readonly JudgedProposal[],
  facts: Pick<LandFacts, 'base'> & Pick<LandPorts, 'describeSecretsIn'>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const { proposal } of landing) {
    const text = facts.base.get(proposal.file)?.text;
    if (text !== undefined && (await facts.describeSecretsIn(text)) !== null) found.add(proposal.file);
  }
  return found;
}

function skippedOf(
  landing: readonly JudgedProposal[],
  facts: Pick<LandFacts, 'base' | 'withheld'> & { readonly read: Read; readonly withSecrets: ReadonlySet<string> },
): ReadonlyMap<Proposal, string> {
  const skipped = new Map<Proposal, string>();
  const isAsFound = (file: string) => {
    const bytes = facts.read(file);
    return (bytes && hashOf(bytes)) === (facts.base.get(file)?.hash ?? null);
  };
  for (const { proposal } of landing) {
    const { file, action } = proposal;
    const withheld = facts.withheld.get(proposal);
    if (withheld !== undefined) skipped.set(proposal, withheld);
    else if (facts.withSecrets.has(file)) skipped.set(proposal, `${file} holds a secret; take it out first.`);
    else if (action === 'create' && facts.read(file) !== null)
      skipped.set(proposal, `${file} came into being meanwhile.`);
    else if (!isAsFound(file)) skipped.set(proposal, `${file} was changed while the dream went on; your edit stays.`);
    else {
      // Otherwise words the user has just corrected or removed would come back in another memory.
      const other = restsOn(proposal, landing).find((each) => facts.base.has(each) && !isAsFound(each));
      if (other !== undefined)
        skipped.set(proposal, `${other}, which it rests on, was changed while the dream went on.`);
    }
  }
  const byFile = new Map(landing.map(({ proposal }) => [proposal.file, proposal]));
  /** What a removal depends on must land, or be there unchanged. */
  const isReliable = (file: string) => {
    const change = byFile.get(file);
    return change === undefined ? isAsFound(file) && facts.base.has(file) : !skipped.has(change);
  };
  for (let before = -1; before !== skipped.size; ) {
    before = skipped.size;
    for (const { proposal } of landing) {
      const unreliable = skipped.has(proposal) ? undefined : holdersOf(proposal).find((file) => !isReliable(file));
      if (unreliable !== undefined) {
        skipped.set(proposal, `${unreliable}, which is to hold what it says, was changed while the dream went on.`);
      }
    }
  }
  return skipped;
}

/** The memories whose words are in it: those it quotes, and those merged into it. */
function restsOn({ file, evidence }: Proposal, landing: readonly JudgedProposal[]): readonly string[] {
  const merged = landing.flatMap(({ proposal }) => (proposal.into.includes(file) ? [proposal.file] : []));
  return [...evidence.map(({ from }) => normalize(from)), ...merged];
}
