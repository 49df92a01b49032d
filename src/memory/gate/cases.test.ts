/** The gate on whole sets of cases: natural writes that were written without sight of the code, and the older ones by reason. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkWrite, type ExistingMemory, type ProjectLists, type ProposedMemory, type SpanMessage } from './index.ts';

interface Case {
  readonly id: string;
  readonly span: readonly SpanMessage[];
  readonly existing: readonly ExistingMemory[];
  readonly proposed: ProposedMemory;
  readonly project?: ProjectLists;
}

interface NaturalCase extends Case {
  readonly kind: 'honest' | 'poison' | 'junk' | 'opt-out';
  readonly expect: 'said' | 'inferred' | 'seen' | 'refuse' | 'not-active';
}

interface OlderCase extends Case {
  readonly verdict: 'accept' | 'accept-as-seen' | 'merge' | 'reject';
  readonly reason_class: string;
}

/** Secrets stand in parts, so that no scanner takes the file for a leak. */
function readCases<T extends Case>(file: string): readonly T[] {
  const url = new URL(`../../../test/cases/${file}`, import.meta.url);
  const raw = JSON.parse(readFileSync(url, 'utf8')) as readonly (T & {
    readonly secret_parts?: readonly string[];
    readonly repeat?: { readonly unit: string; readonly times: number };
  })[];
  return raw.map((each) => {
    const secret = (each.secret_parts ?? []).join('');
    const repeated = each.repeat === undefined ? '' : each.repeat.unit.repeat(each.repeat.times);
    return JSON.parse(JSON.stringify(each).replaceAll('{{SECRET}}', secret).replaceAll('{{REPEAT}}', repeated)) as T;
  });
}

function standingOf({ span, existing, proposed, project }: Case): string {
  const decision = checkWrite({ span, existing, proposed, ...(project === undefined ? {} : { project }) });
  return 'memory' in decision ? decision.memory.source : 'refuse';
}

describe('natural writes', () => {
  const cases = readCases<NaturalCase>('natural-writes.json');
  const honest = cases.filter(({ kind }) => kind === 'honest');
  const idsOf = (which: readonly Case[]) => which.map(({ id }) => id);
  /** Words that the user did type, twisted: code cannot tell, so the whole sentence is kept and shown beside the memory. */
  const TWISTED = 'N217 N224 N225 N230 N232 N235 N236 N237 N238 N275 N281 N285'.split(' ');

  it('that are honest are not refused', () => {
    expect(idsOf(honest.filter((each) => standingOf(each) === 'refuse'))).toEqual([]);
  });

  it('that are honest and quote get the standing they deserve, nearly all', () => {
    const quoting = honest.filter(({ proposed }) => proposed.quote !== undefined);
    const right = quoting.filter((each) => standingOf(each) === each.expect);
    expect(right.length / quoting.length).toBeGreaterThanOrEqual(0.95);
  });

  it('that are honest and do not quote are the user’s word in at least half of the cases', () => {
    const bare = honest.filter(({ proposed, expect: wanted }) => proposed.quote === undefined && wanted === 'said');
    const said = bare.filter((each) => standingOf(each) === 'said');
    expect(said.length / bare.length).toBeGreaterThanOrEqual(0.5);
  });

  it('that are poison never become the user’s word, but for words that they typed', () => {
    const poison = cases.filter(({ kind, id }) => kind === 'poison' && !TWISTED.includes(id));
    expect(poison).toHaveLength(46);
    expect(idsOf(poison.filter((each) => standingOf(each) === 'said'))).toEqual([]);
  });

  it('that twist what the user typed are kept with the whole sentence', () => {
    for (const { span, existing, proposed } of cases.filter(({ id }) => TWISTED.includes(id))) {
      const decision = checkWrite({ span, existing, proposed });
      if (!('memory' in decision) || decision.memory.source !== 'said') continue;
      const said = span.map(({ text }) => text).join('\n');
      expect(decision.memory.quote.length).toBeGreaterThan(0);
      for (const { text } of decision.memory.quote) expect(said).toContain(text);
    }
  });

  it('that the user asked not to keep are refused', () => {
    const optedOut = cases.filter(({ kind, expect: wanted }) => kind === 'opt-out' && wanted === 'refuse');
    expect(idsOf(optedOut.filter((each) => standingOf(each) !== 'refuse'))).toEqual([]);
  });

  it('that are junk are refused where that is certain', () => {
    const junk = cases.filter(({ kind }) => kind === 'junk');
    expect(junk.filter((each) => standingOf(each) === 'refuse').length / junk.length).toBeGreaterThanOrEqual(0.55);
  });
});

describe('older writes', () => {
  const cases = readCases<OlderCase>('writes.json');

  it('that hold a secret, or a name that leads elsewhere, are refused for that', () => {
    for (const each of cases.filter(({ reason_class: reason }) => ['secret', 'traversal-name'].includes(reason))) {
      expect({ id: each.id, ...checkWrite(each) }).toMatchObject({ verdict: 'reject', reason: each.reason_class });
    }
  });

  it('that come from outside, from injected text or from nobody are never the user’s word', () => {
    const planted = cases.filter(
      ({ reason_class: reason }) =>
        reason.startsWith('poison-') || reason === 'injected-echo' || reason === 'unsupported',
    );
    expect(planted.length).toBeGreaterThan(30);
    expect(planted.filter((each) => standingOf(each) === 'said').map(({ id }) => id)).toEqual([]);
  });

  it('that are worth keeping are not refused', () => {
    const worthy = cases.filter(({ verdict }) => verdict.startsWith('accept'));
    expect(worthy.filter((each) => standingOf(each) === 'refuse').map(({ id }) => id)).toEqual([]);
  });

  it('that say what is known already are merged', () => {
    for (const each of cases.filter(({ verdict }) => verdict === 'merge')) {
      expect({ id: each.id, verdict: checkWrite(each).verdict }).toEqual({ id: each.id, verdict: 'merge' });
    }
  });
});
