/** Extraction over ports: what is queued during a run, what is rewound, and what is kept when no model looks. */

import { describe, expect, it, vi } from 'vitest';
import type { Entry } from '../../conversation/entry.ts';
import { LIMITS } from '../../limits.ts';
import { ModelFailure } from '../../model/failure.ts';
import {
  createExtraction,
  type Extraction,
  type ExtractionPorts,
  type ExtractionState,
  type ForkReport,
  type ForkWork,
} from './index.ts';

const DONE: ForkReport = { outcome: { kind: 'answered' }, written: [], refused: [], denied: 0, rejected: 0 };
const FAILED: ForkReport = { ...DONE, outcome: { kind: 'failed', error: new Error('no') } };
const capped = (cap: 'day' | 'session'): ForkReport => {
  const error = new ModelFailure({ failure: 'cap', cap, message: `The ${cap} has had enough`, fix: 'Raise it.' });
  return { ...DONE, outcome: { kind: 'failed', error } };
};

/** Messages by name: `u…` the user's, `a…` an answer, `w…` a write by the agent, followed by its result. */
function entry(uuid: string, text = 'ok'): Entry {
  const role = uuid.startsWith('u') ? 'user' : 'assistant';
  return {
    uuid,
    parentUuid: null,
    at: '2031-05-08T10:00:00.000Z',
    message: { role, content: [{ type: 'text', text }] },
  };
}

function written(id: string): readonly Entry[] {
  const call = { type: 'tool_use', id, name: 'Write', input: {} } as const;
  const result = { type: 'tool_result', tool_use_id: id, content: [] } as const;
  const of = (uuid: string, role: 'user' | 'assistant', block: typeof call | typeof result): Entry => {
    return { ...entry(uuid), message: { role, content: [block] } };
  };
  return [of(id, 'assistant', call), of(`${id}-result`, 'user', result)];
}

interface Story {
  readonly extraction: Extraction;
  /** What the user had said in each span a fork was asked about. */
  readonly asked: string[][];
  /** The same for the extractor without a model. */
  readonly kept: string[][];
  readonly states: ExtractionState[];
  readonly recorded: string[];
  /** Lines for the user. */
  readonly told: string[];
  /** What was not kept or not fully searched, for the ledger. */
  readonly losses: string[];
  /** For each fork: whether its messages come by again. */
  readonly lasts: boolean[];
  say(...entries: readonly Entry[]): void;
  become(entries: readonly Entry[]): void;
  /** Answers the oldest waiting fork. */
  answer(report?: ForkReport): Promise<void>;
}

function story(
  given: {
    readonly resumed?: ExtractionState;
    readonly entries?: readonly Entry[];
    readonly isOn?: () => boolean;
    readonly savesWishes?: boolean;
  } = {},
): Story {
  let entries: readonly Entry[] = given.entries ?? [];
  const waiting: ((report: ForkReport) => void)[] = [];
  const [asked, kept, states, recorded]: [string[][], string[][], ExtractionState[], string[]] = [[], [], [], []];
  const [told, losses]: [string[], string[]] = [[], []];
  const lasts: boolean[] = [];
  function fork({ span, signal, isLast }: ForkWork): Promise<ForkReport> {
    lasts.push(isLast);
    asked.push(span.said.map(({ text }) => text));
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ ...DONE, outcome: { kind: 'interrupted' } }));
      waiting.push(resolve);
    });
  }
  const ports: ExtractionPorts = {
    isOn: given.isOn ?? (() => true),
    everyTurns: () => undefined,
    isAhead: () => false,
    entries: () => entries,
    snapshot: () => ({ entries, fork }),
    isMemoryWrite: () => true,
    manifest: async () => ({ nearest: [], newest: [], more: 0 }),
    async saveExplicit({ wishes }) {
      kept.push(wishes.map(({ text }) => text));
      return { written: given.savesWishes ? wishes.map(({ text }) => ({ ...SAVED, name: text })) : [], refused: [] };
    },
    tell: (line) => void told.push(line),
    record: ({ result }) => void recorded.push(result),
    recordLoss: ({ kind, by }) => void losses.push(`${kind} by ${by}`),
    onWritten: () => {},
    onState: (state) => void states.push(state),
    onPaused: () => {},
    limits: LIMITS.extraction,
  };
  return {
    extraction: createExtraction(ports, given.resumed),
    ...{ asked, kept, states, recorded, told, losses, lasts },
    say: (...more) => {
      entries = [...entries, ...more];
    },
    become: (now) => {
      entries = now;
    },
    async answer(report = DONE) {
      const count = recorded.length;
      await vi.waitFor(() => expect(waiting).not.toEqual([]), { interval: 1 });
      waiting.shift()!(report);
      await vi.waitFor(() => expect(recorded.length).toBeGreaterThan(count), { interval: 1 });
    },
  };
}

const MOOD = 'From now on, write commits in the imperative mood.';
const FRIDAYS = 'From now on, never push on Fridays because nobody is around.';
const PLAN = 'The migration is done by three of us until the end of May.';
const TABS = 'From now on, use tabs in Makefiles.';
const SAVED = { scope: 'project', file: 'feedback_a.md', isNew: true } as const;
const PATIENT = { waitMs: 60_000 };

describe('what is queued during a run', () => {
  it('is the newest view, and every view that a compaction removed', async () => {
    const { extraction, asked, say, become, answer } = story();
    say(entry('u1', MOOD), entry('a1'));
    extraction.answered();
    say(entry('u2', FRIDAYS), entry('a2'));
    extraction.answered();
    expect(extraction.flush()).toEqual({ kind: 'run', reason: 'compaction' });
    become([entry('u3', TABS), entry('a3')]);
    extraction.answered();
    say(entry('u4', 'What else?'), entry('a4'));
    extraction.answered();
    for (let run = 0; run < 3; run++) await answer();
    await extraction.close(PATIENT);
    expect(asked).toEqual([[MOOD], [FRIDAYS], [TABS, 'What else?']]);
  });

  it('does not begin if extraction was switched off meanwhile', async () => {
    let isOn = true;
    const { extraction, asked, say, answer } = story({ isOn: () => isOn });
    say(entry('u1', MOOD), entry('a1'));
    extraction.answered();
    say(entry('u2', FRIDAYS), entry('a2'));
    extraction.answered();
    isOn = false;
    await answer();
    await extraction.close(PATIENT);
    expect(asked).toEqual([[MOOD]]);
  });

  it('is kept without a model when nobody waits, each request once', async () => {
    const { extraction, asked, kept, recorded, states, say, become } = story();
    say(entry('u1', MOOD), entry('a1'));
    extraction.answered();
    await vi.waitFor(() => expect(asked).toHaveLength(1), { interval: 1 });
    say(entry('u2', FRIDAYS), entry('a2'));
    extraction.flush();
    become([entry('u3', TABS), entry('a3')]);
    extraction.answered();
    await extraction.close({ ...PATIENT, signal: AbortSignal.abort() });
    expect(asked).toEqual([[MOOD]]);
    expect(kept).toEqual([[MOOD], [FRIDAYS], [TABS]]);
    expect(recorded).toEqual(['stopped', 'stopped', 'stopped']);
    // When the session is resumed, a model looks at it.
    expect(states).toEqual([]);
  });
});

describe('leaving', () => {
  it('is immediate when the signal comes during the wait', async () => {
    const { extraction, asked, kept, say } = story();
    say(entry('u1', MOOD), entry('a1'));
    extraction.answered();
    const leave = new AbortController();
    const closed = extraction.close({ ...PATIENT, signal: leave.signal });
    await vi.waitFor(() => expect(asked).toHaveLength(1), { interval: 1 });
    expect(kept).toEqual([]);
    leave.abort();
    await closed;
    expect(kept).toEqual([[MOOD]]);
  });

  it('keeps what was said since the cancelled run began', async () => {
    const { extraction, kept, say } = story();
    say(entry('u1', MOOD), entry('a1'));
    extraction.answered();
    say(entry('u2', TABS), entry('a2'));
    await extraction.close({ waitMs: 1 });
    expect(kept).toEqual([[MOOD], [TABS]]);
    expect(extraction.answered()).toEqual({ kind: 'wait', reason: 'off' });
  });
});

describe('the cursor', () => {
  const looked = [entry('u1', PLAN), ...written('w1'), entry('a1'), entry('u2', MOOD), entry('a2')];

  it('goes back with the conversation, so that what was searched before is not searched again', async () => {
    const { extraction, asked, states, say, become, answer } = story();
    say(...looked.slice(0, 4));
    // The agent wrote to memory itself: a model still looks.
    expect(extraction.answered()).toEqual({ kind: 'run', reason: 'said' });
    await answer();
    say(...looked.slice(4));
    extraction.answered();
    await answer();
    become(looked.slice(0, 4));
    extraction.replaced();
    expect(states.at(-1)).toEqual({ cursor: 'a1' });
    say(entry('u3', TABS), entry('a3'));
    expect(extraction.answered()).toEqual({ kind: 'run', reason: 'cue' });
    await answer();
    expect(asked).toEqual([[PLAN], [MOOD], [TABS]]);
    expect(extraction.state()).toEqual({ cursor: 'a3' });
  });

  it('does so when a run over rewound messages ends later, and in a resumed session', async () => {
    const { extraction, states, become, answer } = story({ resumed: { cursor: 'a1' }, entries: looked });
    extraction.answered();
    become(looked.slice(0, 4));
    extraction.replaced();
    await answer();
    expect(extraction.state()).toEqual({ cursor: 'a1' });
    expect(states).toEqual([]);
    const again = story({ resumed: { cursor: 'a2' }, entries: looked });
    again.become([...looked.slice(0, 4), entry('u3', TABS), entry('a3')]);
    again.extraction.answered();
    await again.answer();
    expect(again.asked).toEqual([[TABS]]);
  });
});

describe('when it is paused', () => {
  async function paused(): Promise<Story> {
    const told = story();
    for (const [at, wish] of [MOOD, FRIDAYS, TABS].entries()) {
      told.say(entry(`u${at}`, wish), entry(`a${at}`));
      told.extraction.answered();
      await told.answer(FAILED);
    }
    expect(told.extraction.answered()).toEqual({ kind: 'wait', reason: 'paused' });
    return told;
  }

  it('keeps what was explicitly asked for at the end, and asks no model', async () => {
    const { extraction, asked, kept, recorded } = await paused();
    await extraction.close(PATIENT);
    expect(asked).toHaveLength(3);
    expect(kept).toEqual([[MOOD, FRIDAYS, TABS]]);
    expect(recorded.at(-1)).toBe('explicit');
  });

  it('does so before a compaction, stays paused, and does it once', async () => {
    const { extraction, asked, kept, recorded, states } = await paused();
    expect(extraction.flush()).toEqual({ kind: 'keep', reason: 'paused' });
    await vi.waitFor(() => expect(recorded).toHaveLength(4), { interval: 1 });
    expect(extraction.flush()).toEqual({ kind: 'wait', reason: 'paused' });
    await extraction.close(PATIENT);
    expect(kept).toHaveLength(1);
    expect(asked).toHaveLength(3);
    expect(states).toEqual([]);
  });
});

describe('when a cap is reached', () => {
  const lineOf = (cap: string) =>
    `Not looked through for memories: the ${cap} has had enough. Raise it. It is done when the session goes on.`;

  it('says so once and at once, if it is the daily cap', async () => {
    const { extraction, told, say, answer } = story();
    for (const turn of [1, 2]) {
      say(entry(`u${turn}`, MOOD), entry(`a${turn}`));
      extraction.answered();
      await answer(capped('day'));
    }
    expect(told).toEqual([lineOf('day')]);
  });

  it("says at the end that the session's share was used up, if it still is", async () => {
    const { extraction, told, say, answer } = story();
    say(entry('u1', MOOD), entry('a1'));
    extraction.answered();
    await answer(capped('session'));
    expect(told).toEqual([]);
    const closed = extraction.close(PATIENT);
    await answer(capped('session'));
    await closed;
    expect(told).toEqual([lineOf('session')]);
  });

  it('says nothing if there was room for the last look', async () => {
    const { extraction, told, lasts, say, answer } = story();
    say(entry('u1', MOOD), entry('a1'));
    extraction.answered();
    await answer(capped('session'));
    const closed = extraction.close(PATIENT);
    await answer();
    await closed;
    expect(told).toEqual([]);
    expect(lasts).toEqual([false, true]);
  });
});

describe('a loss is reported', () => {
  const refused = { rule: 'opted-out', name: 'Port of the server' } as const;

  it('when the gate refused it, once, unless it was already known', async () => {
    const { extraction, told, losses, say, answer } = story();
    const known = { rule: 'exact-duplicate', name: 'Known' } as const;
    const secret = { rule: 'secret', name: 'hunter2' } as const;
    for (const more of [[], [known, secret]]) {
      say(entry(`u${more.length}`, MOOD), entry(`a${more.length}`));
      extraction.answered();
      await answer({ ...DONE, refused: [refused, ...more] });
    }
    expect(told).toEqual([
      'Not kept: “Port of the server” (you asked not to).',
      'Not kept: a memory (it holds a secret).',
    ]);
    expect(losses).toEqual(['refused by opted-out', 'refused by opted-out', 'refused by secret']);
  });

  it.each<[string, ForkReport['outcome'], string]>([
    ['its rounds', { kind: 'too-many-rounds', rounds: 5 }, 'rounds'],
    ['the model’s refusal', { kind: 'refused' }, 'model'],
  ])('when %s ended it, once', async (_, outcome, by) => {
    const { extraction, told, losses, say, answer } = story();
    for (const turn of [1, 2]) {
      say(entry(`u${turn}`, MOOD), entry(`a${turn}`));
      extraction.answered();
      await answer({ ...DONE, outcome });
    }
    expect(told).toHaveLength(1);
    expect(losses).toEqual([`cut by ${by}`, `cut by ${by}`]);
  });

  it.each<[string, { waitMs: number; signal?: AbortSignal }, string]>([
    ['it took too long', { waitMs: 1 }, 'cut by time'],
    ['nobody waited', { ...PATIENT, signal: AbortSignal.abort() }, 'cut by leaving'],
  ])('at the end, when %s', async (_, patience, loss) => {
    const { extraction, told, losses, say } = story();
    say(entry('u1', PLAN), entry('a1'));
    extraction.answered();
    await extraction.close(patience);
    expect(told).toEqual([expect.stringMatching(/^Not looked through for memories: /)]);
    expect(losses).toEqual([loss]);
  });

  it('at the end, when it failed and was not tried again', async () => {
    const { extraction, told, say, answer } = story();
    say(entry('u1', PLAN), entry('a1'));
    extraction.answered();
    await answer(FAILED);
    expect(told).toEqual([]);
    const closed = extraction.close(PATIENT);
    await answer(FAILED);
    await closed;
    expect(told).toEqual([expect.stringMatching(/^Not looked through for memories: no\./)]);
  });
});
