import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { baseOf, explained, factsOfCase, judge, known, NOW } from '../../../test/support/dream-cases.ts';
import { runs } from '../../../test/support/property-runs.ts';
import { inTurns } from '../../base/async/in-turns.ts';
import { MEMORY_SOURCES, MEMORY_TYPES, type MemorySource } from '../../base/taxonomy.ts';
import { DREAMING_LIMITS, LIMITS } from '../../limits.ts';
import { factsOf } from '../../memory/files/header.ts';
import { parseMemoryFile, renderMemoryFile } from '../../memory/files/memory-file.ts';
import { judging } from './judge.ts';
import type { BaseMemory, JudgedProposal, Proposal } from './proposal.ts';
import { DREAM_ACTIONS, type DreamDrop } from './records/record.ts';

/** Enough to hit every kind of change; other seeds draw more. */
const RUNS = 50;
const TRUST: Readonly<Record<MemorySource, number>> = { seen: 0, inferred: 1, imported: 2, said: 3 };
const WORDS =
  'lantern meadow copper violin harbour saddle pepper marble candle orchard Bertha Okonkwo never 16 db7'.split(' ');

const sentence = fc
  .uniqueArray(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 6 })
  .map((words) => `The ${words.join(' and the ')} belong together.`);
/** Some name a day or a path that a drop may point to. */
const dated = sentence.map((words) => words.replace('.', ' until 2026-05-01, see src/gone.ts.'));
const body = fc
  .array(fc.oneof({ weight: 3, arbitrary: sentence }, { weight: 1, arbitrary: dated }), { minLength: 1, maxLength: 3 })
  .map((lines) => lines.join('\n'));
const FILES = MEMORY_TYPES.flatMap((type) => [1, 2, 3].map((number) => `${type}_${number}.md`));

/** Few types, files and days, so that proposals collide. */
const memory = (file: string) =>
  fc
    .record({
      body,
      source: fc.constantFrom(...MEMORY_SOURCES),
      pinned: fc.boolean(),
      isListed: fc.boolean(),
      modified: fc.constantFrom('2026-05-04T09:00:00.000Z', '2026-05-20T09:00:00.000Z'),
    })
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

/** True, mistaken and made up. */
function dropFor(base: readonly BaseMemory[]): fc.Arbitrary<DreamDrop> {
  const lines = base.flatMap(({ file, body: text, name }) =>
    [name, ...text.split('\n')].map((quote) => ({ file, quote })),
  );
  const line = fc.constantFrom(...lines);
  const held = fc.oneof(
    line,
    fc.constantFrom({ file: 'project_9.md', quote: 'the' }, { file: 'user_1.md', quote: 'e' }),
  );
  const words = fc
    .oneof(line, fc.constantFrom({ quote: base.map((each) => each.body).join('\n') }))
    .map(({ quote }) => quote);
  return fc.oneof(
    fc.record({ quote: words, because: fc.constant('duplicate' as const), of: held }),
    fc.record({ quote: words, because: fc.constant('superseded' as const), by: held }),
    fc.record({
      quote: words,
      because: fc.constant('expired' as const),
      day: fc.constantFrom('2026-05-01', '2026-05-04', '2027-01-01'),
    }),
    fc.record({ quote: words, because: fc.constant('gone' as const), path: fc.constantFrom('src/gone.ts', 'the', '') }),
  );
}

/** Anything a dreamer may come up with: honest, mistaken and hostile. */
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
      drops: fc.array(dropFor(base), { maxLength: 4 }),
      text,
    })
    .map((made) => {
      const isWrite = made.action === 'create' || made.action === 'update';
      return { ...made, text: isWrite ? made.text(made.file.split('_', 1)[0]!) : null };
    });
}

/** Removals into a memory that says the same, so that some would land. */
function covering(base: readonly BaseMemory[]): fc.Arbitrary<Proposal> {
  return fc.tuple(fc.constantFrom(...base), fc.constantFrom(...base)).map(([gone, heir]) => ({
    action: 'remove',
    file: gone.file,
    reason: 'The other says it.',
    evidence: [{ from: heir.file, quote: heir.body.split('\n')[0]! }],
    into: [heir.file],
    drops: [],
    text: null,
  }));
}

/** Two memories in one, replacing the first or as a new one: what an honest dreamer does. */
function merging(base: readonly BaseMemory[]): fc.Arbitrary<Proposal> {
  const number = fc.integer({ min: 4, max: 6 });
  return fc.tuple(fc.constantFrom(...base), fc.constantFrom(...base), fc.option(number)).map(([one, other, added]) => ({
    action: added === null ? 'update' : 'create',
    file: added === null ? one.file : `${one.type}_${added}.md`,
    reason: 'They belong together.',
    evidence: [one, other].map(({ file, body: text }) => ({ from: file, quote: text.split('\n')[0]! })),
    into: [],
    drops: [],
    text: renderMemoryFile({
      name: one.name,
      description: one.description,
      type: one.type!,
      body: `${one.body}\n${other.body}`,
    }),
  }));
}

/** Every second one explains each sentence as well as it can. */
const dream = folder.chain((base) =>
  fc
    .record({
      base: fc.constant(base),
      proposals: fc.array(fc.oneof(proposalFor(base), covering(base), merging(base)), { minLength: 1, maxLength: 10 }),
      isExplained: fc.boolean(),
    })
    .map(({ isExplained, ...made }) => {
      const known = made.proposals.filter(({ file }) => baseOf(base).has(file));
      return isExplained ? explained({ ...made, proposals: known.length > 0 ? known : [] }) : made;
    })
    .filter(({ proposals }) => proposals.length > 0),
);

interface Landed {
  readonly base: ReadonlyMap<string, BaseMemory>;
  readonly after: ReadonlyMap<string, string>;
  readonly landed: readonly JudgedProposal[];
}

/** The folder after everything allowed has landed, built from the verdicts alone. */
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

function holds(check: (facts: Landed & { readonly judged: readonly JudgedProposal[] }) => void): void {
  fc.assert(
    fc.property(dream, ({ base, proposals }) => {
      const judged = judge({ base, proposals });
      check({ ...land(base, judged), judged });
    }),
    { numRuns: RUNS },
  );
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9/-]+/g, ' ')
    .trim();

/** A name of its own adds something only where the text does not say it. */
function linesOf({ name, description, body: text }: BaseMemory): readonly string[] {
  const lines = [description, ...text.split('\n')];
  return lines.some((line) => plain(line).includes(plain(name))) ? lines : [name, ...lines];
}

/** A second opinion that shares no code with the first. */
function isTrue(
  drop: DreamDrop,
  { line, own, base, after }: Pick<Landed, 'base' | 'after'> & { readonly line: string; readonly own: BaseMemory },
): boolean {
  const holds = ({ file, quote }: { readonly file: string; readonly quote: string }) => {
    const text = after.get(file);
    if (text === undefined || !plain(text).includes(plain(quote))) return false;
    return own.source === 'said' ? read(file, text).source === 'said' : true;
  };
  switch (drop.because) {
    case 'duplicate':
      return holds(drop.of);
    case 'superseded':
      return holds(drop.by) && (base.get(drop.by.file)?.modified ?? '') > own.modified;
    case 'expired':
      return `${own.description}\n${own.body}`.includes(drop.day) && drop.day < NOW.toISOString().slice(0, 10);
    case 'gone':
      return line.includes(drop.path) && drop.path.includes('gone');
  }
}

describe('whatever is proposed', () => {
  test('each proposal has a verdict, and each one that does not land has a reason', () => {
    fc.assert(
      fc.property(dream, ({ base, proposals }) => {
        const judged = judge({ base, proposals });
        expect(judged.map(({ proposal }) => proposal.file)).toEqual(proposals.map(({ file }) => file));
        for (const { verdict } of judged) if (verdict.kind !== 'land') expect(verdict.reason).not.toBe('');
      }),
    );
  });

  test('no pinned memory is removed or changed', () => {
    holds(({ base, after }) => {
      for (const { file, pinned, text } of base.values()) if (pinned) expect(after.get(file)).toBe(text);
    });
  });

  test('no more than three, or a third, are removed', () => {
    holds(({ base, after }) => {
      const gone = [...base.keys()].filter((file) => !after.has(file));
      expect(gone.length).toBeLessThanOrEqual(
        Math.max(DREAMING_LIMITS.removedFew, base.size * LIMITS.dreaming.removedShare),
      );
    });
  });

  test('each removed sentence is kept in what remains, or dropped for a reason that is true', () => {
    let [kept, explainedAway] = [0, 0];
    holds(({ base, after, landed }) => {
      for (const { proposal } of landed) {
        if (proposal.action !== 'remove' && proposal.action !== 'update') continue;
        const own = base.get(proposal.file)!;
        const places = proposal.action === 'update' ? [proposal.file, ...proposal.into] : proposal.into;
        const remaining = places.map((file) => plain(after.get(file)!));
        for (const line of linesOf(own)) {
          if (remaining.some((text) => text.includes(plain(line)))) kept += 1;
          else {
            explainedAway += 1;
            const reasons = proposal.drops.filter(({ quote }) => plain(quote).includes(plain(line)));
            expect(reasons.some((drop) => isTrue(drop, { line, own, base, after }))).toBe(true);
          }
        }
      }
    });
    expect(Math.min(kept, explainedAway)).toBeGreaterThan(0);
  });

  test('trust is neither raised nor lowered', () => {
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

  test('nothing is written outside, over another file, or with another type or pin', () => {
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

  test('judging in steps, alongside other work, gives the same result as judging at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(dream, { minLength: 1, maxLength: 3 }), async (dreams) => {
        const alone = dreams.map((each) => judge(each));
        // Not one moment per slice: after each step the others get their turn.
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

  test('and something of every kind does land, or these tests would prove nothing', () => {
    const seen = new Set<string>();
    // Always the same ones: this is about what is drawn above, not about what is judged.
    for (const { base, proposals } of fc.sample(dream, { seed: 7, numRuns: runs(150) })) {
      for (const { proposal } of land(base, judge({ base, proposals })).landed) seen.add(proposal.action);
    }
    expect([...seen].sort()).toEqual([...DREAM_ACTIONS].sort());
  });
});
