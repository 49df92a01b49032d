import { describe, expect, it } from 'vitest';
import { answered, ask, assistant, ended, text } from '../../../test/support/fake-agent.ts';
import type { TurnOutcome } from '../../agent/event.ts';
import { ReverieError } from '../../errors.ts';

describe('a turn without an answer', () => {
  const failure = new ReverieError({ code: 'model', message: 'The key is wrong.', fix: 'Set another.' });
  const outcomes: [TurnOutcome, string, string][] = [
    [{ kind: 'failed', error: failure }, 'error_during_execution', 'The key is wrong.\nSet another.'],
    [{ kind: 'refused' }, 'error_during_execution', 'The model refused to answer.'],
    [{ kind: 'interrupted' }, 'error_during_execution', 'Interrupted.'],
    [{ kind: 'too-many-rounds', rounds: 3 }, 'error_max_turns', 'after 3 requests'],
  ];

  it.each(outcomes)('%j exits 1 as %s', async (outcome, subtype, message) => {
    const events = [assistant([text('Let me')], 'tools'), ended(outcome)];
    const plain = await ask(['-p', 'x'], { events });
    expect(plain).toMatchObject({ exitCode: 1, stdout: '' });
    expect(plain.stderr).toContain(message);
    for (const format of ['json', 'stream-json']) {
      const asked = await ask(['-p', 'x', '--output-format', format], { events });
      expect(asked.exitCode).toBe(1);
      expect(asked.stderr).toContain(message);
      expect(asked.lines.at(-1)).toMatchObject({ type: 'result', subtype, is_error: true, session_id: 'session-1' });
      expect(asked.stderr).toContain(asked.lines.at(-1)!.result);
    }
  });

  it('out of turns says how to continue, with the given flags', async () => {
    const events = [ended({ kind: 'too-many-rounds', rounds: 3 })];
    const { stderr } = await ask(['-p', 'x', '--home', '/h'], { events });
    expect(stderr).toContain("reverie -p --resume session-1 'Go on' --home /h");
    for (const flags of [['--no-transcript'], ['--settings', '{"transcripts": "off"}']]) {
      expect((await ask(['-p', 'x', ...flags], { events })).stderr).not.toContain('--resume');
    }
  });

  it('that breaks in the middle still has a result', async () => {
    async function* broken() {
      yield assistant([text('Let me')], 'tools');
      throw new TypeError('a defect');
    }
    const asked = await ask(['-p', 'x', '--json'], { events: broken });
    expect(asked).toMatchObject({ exitCode: 1, lines: [{ is_error: true, result: 'a defect', num_turns: 1 }] });
  });

  it('because no agent could be opened has a result too', async () => {
    for (const format of ['json', 'stream-json']) {
      const asked = await ask(['-p', 'x', '--output-format', format], { openFails: failure });
      expect(asked.exitCode).toBe(1);
      expect(asked.stderr).toContain('Set another.');
      expect(asked.lines).toMatchObject([
        {
          ...{ type: 'result', subtype: 'error_during_execution', is_error: true, session_id: null },
          error: { code: 'model', message: 'The key is wrong.', fix: 'Set another.' },
        },
      ]);
    }
    expect(await ask(['-p', 'x'], { openFails: failure })).toMatchObject({ exitCode: 1, stdout: '' });
  });

  it.each([
    [['-p', 'x', '--output-format', 'json', '--modle', 'm']],
    [['-p', 'x', '--max-turns', '0', '--output-format=stream-json']],
    [['-p', '--json']],
  ])('%j has a result too, and exits 2', async (argv) => {
    const asked = await ask(argv);
    expect(asked).toMatchObject({ exitCode: 2, lines: [{ is_error: true, error: { code: 'usage' } }] });
  });

  it('when interrupted prints a result and how to resume', async () => {
    const interruption = new AbortController();
    const outcomes: (string | undefined)[] = [];
    const throwIfInterrupted = (outcome?: string) => {
      outcomes.push(outcome);
      throw new ReverieError({ code: 'refused', message: 'Interrupted.' });
    };
    async function* interrupted(signal: AbortSignal | undefined) {
      yield assistant([text('Let me')], 'tools');
      interruption.abort();
      if (signal?.aborted) yield ended({ kind: 'interrupted' });
    }
    const asked = await ask(['-p', 'x', '--json'], {
      events: interrupted,
      terminal: { interrupted: interruption.signal, throwIfInterrupted },
    });
    expect(asked.lines).toMatchObject([{ is_error: true, subtype: 'error_during_execution', session_id: 'session-1' }]);
    expect(outcomes).toEqual(["Interrupted. To go on: reverie -p --resume session-1 'Go on'"]);
  });
});

describe('the end', () => {
  it.each([['text'], ['json'], ['stream-json']])('%s is flushed before waiting for background work', async (format) => {
    const order: string[] = [];
    const close = async () => void order.push('closed');
    const terminal = {
      writeExact: (line: string) => void order.push(line.includes('Yes.') ? 'answer' : 'line'),
      flush: async () => void order.push('flushed'),
    };
    await ask(['-p', 'x', '--output-format', format], { agent: { close }, terminal });
    expect(order.slice(-3)).toEqual(['answer', 'flushed', 'closed']);
  });

  it('waits only until it is interrupted, and finally says what was saved', async () => {
    const interruption = new AbortController();
    const outcomes: (string | undefined)[] = [];
    const throwIfInterrupted = (outcome?: string) => {
      if (!interruption.signal.aborted) return;
      outcomes.push(outcome);
      throw new ReverieError({ code: 'refused', message: 'Interrupted.' });
    };
    const asked = await ask(['-p', 'x', '--json'], {
      closing: ({ signal, options }) => {
        expect(signal).toBe(interruption.signal);
        options.onClosingLine?.('Before.');
        interruption.abort();
        options.onClosingLine?.('Saved to memory: “Tabs”.');
      },
      terminal: { interrupted: interruption.signal, throwIfInterrupted },
    });
    expect(asked.lines).toMatchObject([{ is_error: false, result: 'Yes.' }]);
    expect(asked.stderr).toContain('note: Before.\n');
    expect(asked.stderr).not.toContain('Tabs');
    expect(outcomes).toEqual(['Interrupted; the answer is whole. Saved to memory: “Tabs”.']);
  });

  it('is still an answer when closing fails', async () => {
    const close = async () => {
      throw new Error('cannot let go');
    };
    const asked = await ask(['-p', 'x'], { agent: { close } });
    expect(asked).toMatchObject({ exitCode: 0, stdout: 'Yes.\n', stderr: 'warning: cannot let go\n' });
  });

  it('aborts the turn when the process has to end', async () => {
    const cleanups: (() => void)[] = [];
    const given: (AbortSignal | undefined)[] = [];
    async function* watched(signal: AbortSignal | undefined) {
      given.push(signal);
      yield* answered('Yes.');
    }
    await ask(['-p', 'x'], { events: watched, terminal: { atEnd: (cleanup) => void cleanups.push(cleanup) } });
    expect(given[0]?.aborted).toBe(false);
    for (const cleanup of cleanups) cleanup();
    expect(given[0]?.aborted).toBe(true);
  });
});
