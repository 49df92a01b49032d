import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { baseOf, factsOfCase, judge, known } from '../../../test/support/dream-cases.ts';
import { inTurns } from '../../lib/in-turns.ts';
import { LIMITS } from '../../limits.ts';
import { parseMemoryFile, renderMemoryFile } from '../../memory/memory-file.ts';
import { factsOf } from '../../memory/memory-header.ts';
import { MEMORY_SOURCES, MEMORY_TYPES, type MemorySource } from '../../memory/taxonomy.ts';
import { DREAM_ACTIONS } from '../../store/dream-record.ts';
import { corpusOf, coverageOf } from './coverage.ts';
import { judging } from './judge.ts';
import type { BaseMemory, JudgedProposal, Proposal } from './proposal.ts';

/** Enough to meet every kind of change; more are drawn with other seeds. */
const RUNS = 50;
const TRUST: Readonly<Record<MemorySource, number>> = { seen: 0, inferred: 1, imported: 2, said: 3 };
const WORDS =
  'lantern meadow copper violin harbour saddle pepper marble candle orchard Bertha Okonkwo never 16 db7'.split(' ');

const sentence = fc
  .uniqueArray(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 6 })
  .map((words) => `The ${words.join(' and the ')} belong together.`);
const body = fc.array(sentence, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
const FILES = MEMORY_TYPES.flatMap((type) => [1, 2, 3].map((number) => `${type}_${number}.md`));

/** Few types and files, so that proposals meet each other. */
const memory = (file: string) =>
  fc
    .record({ body, source: fc.constantFrom(...MEMORY_SOURCES), pinned: fc.boolean(), isListed: fc.boolean() })
    .map(({ body, ...told }) => known(file, body, told));
const folder = fc.subarray(FILES, { minLength: 1 }).chain((files) => fc.tuple(...files.map(memory)));

const STRANGE = [
  '../out.md',
  '/etc/passwd.md',
  'MEMORY.md',
  'logs/2026/05/2026-05-01.md',
  '.reverie/x.md',
  'Project_1.md',
  'project_9.md',
  'a/../b.md',
];

/** Whatever a dreamer may come up with: honest, mistaken and hostile. */
function proposalFor(base: readonly BaseMemory[]): fc.Arbitrary<Proposal> {
  const file = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...base.map((each) => each.file)) },
    { weight: 2, arbitrary: fc.constantFrom(...FILES) },
    { weight: 1, arbitrary: fc.constantFrom(...STRANGE) },
  );
  const quoted = fc.constantFrom(...base).map(({ file: from, body: text }) => ({ from, quote: text.split('\n')[0]! }));
  const invented = fc.constantFrom({ from: 'project_1.md', quote: 'never stood there' });
  const evidence = fc.array(fc.oneof({ weight: 9, arbitrary: quoted }, { weight: 1, arbitrary: invented }), {
    maxLength: 2,
  });
  const merged = fc
    .subarray([...base], { minLength: 1, maxLength: Math.min(3, base.length) })
    .map((memories) => memories.map((each) => each.body).join('\n'));
  const text = fc
    .record({
      body: fc.oneof({ weight: 3, arbitrary: merged }, { weight: 1, arbitrary: body }),
      type: fc.constantFrom(...MEMORY_TYPES, null),
      source: fc.constantFrom(...MEMORY_SOURCES),
      pinned: fc.boolean(),
    })
    .map(
      (fields) => (type: string) =>
        renderMemoryFile({
          ...fields,
          name: 'a name',
          description: fields.body.split('\n')[0]!,
          type: fields.type ?? (type as 'user'),
        }),
    );
  return fc
    .record({
      action: fc.constantFrom(...DREAM_ACTIONS),
      file,
      reason: fc.constantFrom('They say the same.', 'They say the same.', 'They say the same.', ''),
      evidence,
      into: fc.array(file, { maxLength: 2 }),
      text,
    })
    .map((made) => {
      const isWrite = made.action === 'create' || made.action === 'update';
      return { ...made, text: isWrite ? made.text(made.file.split('_', 1)[0]!) : null };
    });
}

/** Removals into what says the same, so that some would land. */
function covering(base: readonly BaseMemory[]): fc.Arbitrary<Proposal> {
  return fc.tuple(fc.constantFrom(...base), fc.constantFrom(...base)).map(([gone, heir]) => ({
    action: 'remove',
    file: gone.file,
    reason: 'The other says it.',
    evidence: [{ from: heir.file, quote: heir.body.split('\n')[0]! }],
    into: [heir.file],
    text: null,
  }));
}

/** Two memories in one, in place of the first or as a new one: what an honest dreamer does. */
function merging(base: readonly BaseMemory[]): fc.Arbitrary<Proposal> {
  const number = fc.integer({ min: 4, max: 6 });
  return fc.tuple(fc.constantFrom(...base), fc.constantFrom(...base), fc.option(number)).map(([one, other, added]) => ({
    action: added === null ? 'update' : 'create',
    file: added === null ? one.file : `${one.type}_${added}.md`,
    reason: 'They belong together.',
    evidence: [one, other].map(({ file, body: text }) => ({ from: file, quote: text.split('\n')[0]! })),
    into: [],
    text: renderMemoryFile({
      name: one.name,
      description: one.description,
      type: one.type!,
      body: `${one.body}\n${other.body}`,
    }),
  }));
}

const dream = folder.chain((base) =>
  fc.record({
    base: fc.constant(base),
    proposals: fc.array(fc.oneof(proposalFor(base), covering(base), merging(base)), { minLength: 1, maxLength: 10 }),
  }),
);

interface Landed {
  readonly base: ReadonlyMap<string, BaseMemory>;
  readonly after: ReadonlyMap<string, string>;
  readonly landed: readonly JudgedProposal[];
}

/** The folder once what may land has landed, by nothing but the verdicts. */
function land(base: readonly BaseMemory[], judged: readonly JudgedProposal[]): Landed {
  const before = baseOf(base);
  const after = new Map(base.map(({ file, text }) => [file, text]));
  const landed = judged.filter(({ verdict }) => verdict.kind === 'land');
  for (const { proposal, verdict } of landed) {
    if (proposal.action === 'remove') after.delete(proposal.file);
    if (verdict.kind === 'land' && verdict.text !== null) after.set(proposal.file, verdict.text);
  }
  return { base: before, after, landed };
}

function read(file: string, text: string) {
  const { body: text_, ...parsed } = parseMemoryFile(Buffer.from(text));
  return { ...factsOf(file, parsed), body: text_ };
}

function textOf({ name, description, body: text }: Pick<BaseMemory, 'name' | 'description' | 'body'>): string {
  return `${name}\n${description}\n${text}`;
}

/** The cases below draw the same dreams by the same seed: each is judged once, as nothing else bears on the verdicts. */
const judgedBefore = new Map<string, readonly JudgedProposal[]>();
function judgeOnce(dreamt: { readonly base: readonly BaseMemory[]; readonly proposals: readonly Proposal[] }) {
  const key = JSON.stringify(dreamt);
  const judged = judgedBefore.get(key) ?? judge(dreamt);
  judgedBefore.set(key, judged);
  return judged;
}

function holds(check: (facts: Landed & { readonly judged: readonly JudgedProposal[] }) => void): void {
  fc.assert(
    fc.property(dream, ({ base, proposals }) => {
      const judged = judgeOnce({ base, proposals });
      check({ ...land(base, judged), judged });
    }),
    { numRuns: RUNS },
  );
}

describe('whatever is proposed', () => {
  test('each proposal has a verdict, and each that does not land a reason', () => {
    fc.assert(
      fc.property(dream, ({ base, proposals }) => {
        const judged = judgeOnce({ base, proposals });
        expect(judged.map(({ proposal }) => proposal.file)).toEqual(proposals.map(({ file }) => file));
        for (const { verdict } of judged) if (verdict.kind !== 'land') expect(verdict.reason).not.toBe('');
      }),
    );
  });

  test('no pinned memory goes or changes', () => {
    holds(({ base, after }) => {
      for (const { file, pinned, text } of base.values()) if (pinned) expect(after.get(file)).toBe(text);
    });
  });

  test('no more go than three, or a third', () => {
    holds(({ base, after }) => {
      const gone = [...base.keys()].filter((file) => !after.has(file));
      expect(gone.length).toBeLessThanOrEqual(
        Math.max(LIMITS.dreaming.removedFew, base.size * LIMITS.dreaming.removedShare),
      );
    });
  });

  test('what goes is held by memories that are there, of its type, and trusted no less', () => {
    holds(({ base, after, landed, judged }) => {
      for (const { proposal } of landed) {
        for (const file of proposal.into) expect([...after.keys()]).toContain(file);
        if (proposal.action !== 'remove') continue;
        const gone = base.get(proposal.file)!;
        const heirs = proposal.into.map((file) => read(file, after.get(file)!));
        for (const { type, source } of heirs) {
          expect(type).toBe(gone.type);
          expect(TRUST[source]).toBeGreaterThanOrEqual(TRUST[gone.source]);
        }
        const kin = judged.filter(({ verdict }) => verdict.kind !== 'refuse').map((each) => each.proposal);
        const family = new Set([
          gone.file,
          ...proposal.into,
          ...kin.flatMap(({ file, into }) => (into.some((each) => proposal.into.includes(each)) ? [file] : [])),
        ]);
        const others = [...base.values()].filter(({ file }) => !family.has(file));
        // Whether a word is a name is seen in all memories, how rare it is in those that are not concerned.
        const { frequency, memories } = corpusOf(others.map(textOf), LIMITS.dreaming);
        const corpus = { ...corpusOf([...base.values()].map(textOf), LIMITS.dreaming), frequency, memories };
        const share = coverageOf(`${gone.description}\n${gone.body}`, heirs.map(textOf), corpus);
        expect(share).toBeGreaterThanOrEqual(LIMITS.dreaming.coveredShare);
      }
    });
  });

  test('trust is never raised, nor lowered', () => {
    holds(({ base, landed }) => {
      for (const { proposal, verdict } of landed) {
        if (verdict.kind !== 'land' || verdict.text === null) continue;
        const { source } = read(proposal.file, verdict.text);
        const own = base.get(proposal.file);
        if (own !== undefined) expect(source).toBe(own.source);
        const behind = [
          proposal,
          ...landed.flatMap((each) => (each.proposal.into.includes(proposal.file) ? [each.proposal] : [])),
        ];
        const files = behind.flatMap((each) => [each.file, ...proposal.evidence.map(({ from }) => from)]);
        const best = Math.max(...files.flatMap((file) => (base.has(file) ? [TRUST[base.get(file)!.source]] : [])));
        expect(TRUST[source]).toBeLessThanOrEqual(best);
      }
    });
  });

  test('nothing is written outside, over another, or with another type or pin', () => {
    holds(({ base, landed }) => {
      for (const { proposal, verdict } of landed) {
        expect(base.has(proposal.file) || /^(?:user|feedback|project|reference)_\d\.md$/.test(proposal.file)).toBe(
          true,
        );
        expect(proposal.action === 'create').toBe(!base.has(proposal.file));
        if (verdict.kind !== 'land' || verdict.text === null) continue;
        const { type, pinned } = read(proposal.file, verdict.text);
        expect(proposal.file.startsWith(`${type}_`)).toBe(true);
        expect(pinned).toBe(false);
      }
      const files = landed.map(({ proposal }) => proposal.file);
      expect(new Set(files).size).toBe(files.length);
    });
  });

  test('in turns, beside others that are judged, comes of it what comes of it at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(dream, { minLength: 1, maxLength: 3 }), async (dreams) => {
        const alone = dreams.map((each) => judge(each));
        // Not a moment a slice: after each step the others have theirs.
        const together = await Promise.all(dreams.map((each) => inTurns(judging(factsOfCase(each)), 0)));
        expect(together).toEqual(alone);
      }),
      { numRuns: RUNS },
    );
  });

  test('under review nothing lands', () => {
    fc.assert(
      fc.property(dream, ({ base, proposals }) => {
        const judged = judge({ base, proposals }, { mode: 'review' });
        expect(judged.filter(({ verdict }) => verdict.kind === 'land')).toEqual([]);
      }),
    );
  });

  test('and something of every kind does land, or none of this would say anything', () => {
    const seen = new Set<string>();
    // Always the same ones: this is about what is drawn above, not about what is judged.
    for (const { base, proposals } of fc.sample(dream, { seed: 7, numRuns: 150 })) {
      for (const { proposal } of land(base, judge({ base, proposals })).landed) seen.add(proposal.action);
    }
    expect([...seen].sort()).toEqual([...DREAM_ACTIONS].sort());
  });
});
