import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResultBlock, ToolResultBlock } from '../../conversation/message.ts';
import { LIMITS, type Limits } from '../../limits.ts';
import {
  createToolResults,
  type ResultDecision,
  readToolResultsState,
  type StoreResult,
  type ToolCall,
  type ToolResultsPorts,
} from './index.ts';

interface Place {
  readonly ports: ToolResultsPorts;
  readonly files: Map<string, string>;
  readonly recorded: { toolUseId: string; decision: ResultDecision }[];
  readonly problems: string[];
}

function place(more: Partial<ToolResultsPorts> = {}): Place {
  const files = new Map<string, string>();
  const recorded: Place['recorded'] = [];
  const problems: string[] = [];
  const ports: ToolResultsPorts = {
    async store({ toolUseId, extension, bytes }: StoreResult) {
      const path = `/results/${toolUseId}.${extension}`;
      if (files.has(path)) throw new Error(`${path} is there already`);
      files.set(path, Buffer.from(bytes).toString());
      return path;
    },
    onDecision: (made) => recorded.push(made),
    onProblem: (problem) => problems.push(problem),
    effectiveTokens: () => 180_000,
    limits: LIMITS,
    ...more,
  };
  return { ports, files, recorded, problems };
}

function called(id: string, name: string, content: string | readonly ResultBlock[], isError = false): ToolCall {
  return {
    call: { type: 'tool_use', id, name, input: {} },
    result: {
      type: 'tool_result',
      tool_use_id: id,
      content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
      ...(isError ? { is_error: true as const } : {}),
    },
  };
}

function textOf(result: ToolResultBlock | undefined): string {
  return result!.content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('');
}

const LONG = 'a line of output\n'.repeat(3_000);

describe('a result over its limit', () => {
  it('goes to a file whole, and a preview takes its place', async () => {
    const { ports, files, recorded } = place();
    const [result] = await createToolResults(ports).admit([called('t1', 'Bash', LONG)]);
    expect([...files]).toEqual([['/results/t1.txt', LONG]]);
    expect(textOf(result)).toMatch(
      /^<persisted-output>[\s\S]*\/results\/t1\.txt[\s\S]*a line of output\n\[…\]\n<\/persisted-output>$/,
    );
    expect(recorded).toEqual([
      { toolUseId: 't1', decision: expect.objectContaining({ kind: 'replaced', how: 'stored', reason: 'over-limit' }) },
    ]);
  });

  it('is stored as JSON if it is JSON', async () => {
    const { ports, files } = place();
    const json = JSON.stringify(Array.from({ length: 20_000 }, (_, number) => ({ number })));
    await createToolResults(ports).admit([
      called('t1', 'mcp__issues__search', json),
      called('t2', 'WebFetch', `{${'x'.repeat(60_000)}}`),
    ]);
    expect([...files.keys()]).toEqual(['/results/t1.json', '/results/t2.txt']);
  });

  it('keeps its images', async () => {
    const { ports, files } = place();
    const image = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } } as const;
    const [result] = await createToolResults(ports).admit([
      called('t1', 'WebFetch', [{ type: 'text', text: LONG }, image]),
    ]);
    expect(result!.content.map(({ type }) => type)).toEqual(['text', 'image']);
    expect(files.get('/results/t1.txt')).toBe(LONG);
  });

  it('of a failing command keeps head and tail, and goes whole to a file', async () => {
    const { ports, files } = place();
    const output = `began\n${LONG}exit code 1`;
    const [result] = await createToolResults(ports).admit([called('t1', 'Bash', output, true)]);
    expect(textOf(result)).toMatch(/^began\n[\s\S]*\/results\/t1\.txt[\s\S]*\nexit code 1$/);
    expect(textOf(result).length).toBeLessThanOrEqual(10_000);
    expect(result!.is_error).toBe(true);
    expect(files.get('/results/t1.txt')).toBe(output);
  });
});

describe('a result within its limit', () => {
  it('is the same object, and its decision is recorded', async () => {
    const { ports, files, recorded } = place();
    const call = called('t1', 'Bash', 'ok');
    const [result] = await createToolResults(ports).admit([call]);
    expect(result).toBe(call.result);
    expect(files.size).toBe(0);
    expect(recorded).toEqual([{ toolUseId: 't1', decision: { kind: 'whole', characters: 2 } }]);
  });
});

describe('a decision', () => {
  const tight = { ...LIMITS, toolResults: { ...LIMITS.toolResults, bashCharacters: 1 } } as Pick<
    Limits,
    'toolResults' | 'window'
  >;

  it('holds after the limits change, after a resume and in a fork', async () => {
    const first = place();
    const layer = createToolResults(first.ports);
    const batch = [called('t1', 'Bash', LONG), called('t2', 'Bash', 'short '.repeat(1_000))];
    const shown = await layer.admit(batch);
    const later = place({ limits: tight });
    const resumed = createToolResults(later.ports, JSON.parse(JSON.stringify(layer.state())));
    expect(await resumed.admit(batch)).toEqual(shown);
    expect(await layer.clone(later.ports).admit(batch)).toEqual(shown);
    expect(await layer.admit(batch)).toEqual(shown);
    expect(later.files.size + later.recorded.length).toBe(0);
    expect(first.files.size).toBe(1);
  });

  it('is read back from the transcript, and damaged ones are decided again', () => {
    const whole = { kind: 'whole', characters: 2 } as const;
    const records = [
      { toolUseId: 't1', decision: whole },
      { toolUseId: 't2', decision: null },
      { toolUseId: 't3', decision: { kind: 'replaced', characters: 9 } },
    ];
    expect(readToolResultsState(records)).toEqual({ decisions: [['t1', whole]] });
  });

  it('on one result is not taken for another with the same id', async () => {
    const { ports } = place();
    const layer = createToolResults(ports);
    await layer.admit([called('call_1', 'Bash', 'ok')]);
    const [result] = await layer.admit([called('call_1', 'Bash', LONG)]);
    expect(textOf(result)).toContain('<persisted-output>');
  });

  it('is forgotten once its result is no longer in the conversation', async () => {
    const { ports } = place();
    const layer = createToolResults(ports);
    await layer.admit([called('t1', 'Bash', 'one'), called('t2', 'Bash', 'two')]);
    layer.keepOnly((id) => id === 't2');
    expect(layer.state().decisions.map(([id]) => id)).toEqual(['t2']);
  });

  it('always renders the same bytes', async () => {
    const results = fc.array(
      fc.record({
        tool: fc.constantFrom('Bash', 'Grep', 'Read', 'WebFetch', 'mcp__a__b'),
        piece: fc.constantFrom('word ', 'line\n', '漢', '{"a":1},'),
        times: fc.integer({ min: 0, max: 20_000 }),
        isError: fc.boolean(),
      }),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(results, fc.boolean(), async (drawn, isDiskFull) => {
        const full = { store: async () => Promise.reject(new Error('no space left on device')) };
        const { ports } = place(isDiskFull ? full : {});
        const batch = drawn.map(({ tool, piece, times, isError }, at) =>
          called(`t${at}`, tool, piece.repeat(times), isError),
        );
        const layer = createToolResults(ports);
        const shown = await layer.admit(batch);
        expect(shown.map(({ tool_use_id }) => tool_use_id)).toEqual(batch.map(({ call }) => call.id));
        const again = createToolResults(place({ limits: tight }).ports, JSON.parse(JSON.stringify(layer.state())));
        expect(await again.admit(batch)).toEqual(shown);
        // What is in the conversation comes by again as it was shown.
        expect(await again.admit(batch.map(({ call }, at) => ({ call, result: shown[at]! })))).toEqual(shown);
        const together = shown.reduce((sum, result) => sum + textOf(result).length, 0);
        expect(together).toBeLessThanOrEqual(200_000);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a disk that fails', () => {
  it('leaves head and tail in place, with the reason', async () => {
    const { ports, problems } = place({
      store: async () => Promise.reject(new Error('ENOSPC: no space left on device')),
    });
    const [result] = await createToolResults(ports).admit([called('t1', 'Bash', `began\n${LONG}ended`)]);
    expect(textOf(result)).toMatch(/^began\n[\s\S]*could not be stored: ENOSPC: no space left on device[\s\S]*ended$/);
    expect(textOf(result).length).toBeLessThan(5_000);
    expect(problems).toEqual(['tool results: ENOSPC: no space left on device']);
  });

  it('is left alone after three failures in a row, and a success resets the count', async () => {
    const answers = ['bad', 'bad', 'good', 'bad', 'bad', 'bad', 'good'];
    let asked = 0;
    const trips: unknown[] = [];
    const { ports, problems } = place({
      onPaused: (trip) => trips.push(trip),
      async store({ toolUseId }) {
        if (answers[asked++] === 'bad') throw new Error('EIO');
        return `/results/${toolUseId}`;
      },
    });
    const layer = createToolResults(ports);
    for (let at = 0; at < 9; at++) await layer.admit([called(`t${at}`, 'Bash', LONG)]);
    expect(asked).toBe(6);
    // Each failure was reported, and once that nothing is tried any more.
    expect(problems).toHaveLength(5);
    expect(trips).toEqual([{ failures: 3, problem: 'EIO' }]);
  });
});

describe('trouble elsewhere', () => {
  it('never reaches the conversation', async () => {
    const fail = () => {
      throw new Error('broken');
    };
    const unrecorded = place({ onDecision: fail });
    const [result] = await createToolResults(unrecorded.ports).admit([called('t1', 'Bash', LONG)]);
    expect(textOf(result)).toContain('/results/t1.txt');
    expect(unrecorded.problems).toEqual([expect.stringContaining('broken')]);
    const call = called('t1', 'Bash', LONG);
    const { ports, problems } = place({ effectiveTokens: fail });
    expect(await createToolResults(ports).admit([call])).toEqual([call.result]);
    expect(problems).toHaveLength(1);
  });
});

describe('the kill switch', () => {
  it('leaves results as they come, and earlier decisions as they are', async () => {
    let isOn = true;
    const { ports, files } = place({ isOn: () => isOn });
    const layer = createToolResults(ports);
    const [shown] = await layer.admit([called('t1', 'Bash', LONG)]);
    isOn = false;
    const next = called('t2', 'Bash', LONG);
    expect(await layer.admit([called('t1', 'Bash', LONG), next])).toEqual([shown, next.result]);
    expect(files.size).toBe(1);
  });
});
