import { describe, expect, it } from 'vitest';
import type { SteerableAgent } from '../../../session/steering.ts';
import { NO_PAINT } from '../../terminal/paint.ts';
import type { Action } from '../action.ts';
import type { SlashPorts } from './ports.ts';
import { runChoice, runSlash } from './run.ts';

const NOW = new Date('2026-01-02T03:04:05.000Z');
const range = (from: string, firstWords: string) => {
  return { from, to: `${from}-end`, at: NOW.toISOString(), messages: 4, firstWords };
};

function portsOver(agent: Partial<SteerableAgent>) {
  const actions: Action[] = [];
  const ports = {
    agent,
    paint: NO_PAINT,
    now: () => NOW,
    width: 40,
    dispatch: (action: Action) => actions.push(action),
  };
  return { ports: ports as unknown as SlashPorts, actions };
}

const printed = (actions: readonly Action[]) =>
  actions
    .flatMap((action) => {
      if (action.kind !== 'print') return [];
      const { output } = action;
      return output.kind === 'lines' ? output.lines : output.kind === 'notice' ? [output.text] : [];
    })
    .join('\n');

describe('/expand', () => {
  it('says so when nothing was summarised', async () => {
    const { ports, actions } = portsOver({ summarised: async () => ({ ranges: [], isAll: true }) });
    await runSlash({ name: 'expand', argument: '' }, ports);
    expect(printed(actions)).toContain('Nothing of this conversation was summarised');
  });

  it('shows the only range at once, fitted and sanitised, and how to see the rest', async () => {
    const asked: unknown[] = [];
    const { ports, actions } = portsOver({
      transcriptFile: '/t.jsonl',
      summarised: async () => ({ ranges: [range('a1', 'Hello')], isAll: true }),
      expand: async (wish) => {
        asked.push(wish);
        return {
          text: `[user, then, a1]\n\u001b]0;title\u0007  indented ${'long '.repeat(20)}`,
          shown: 1,
          nextUuid: 'a2',
          isCut: false,
        };
      },
    });
    await runSlash({ name: 'expand', argument: '' }, ports);
    expect(asked).toMatchObject([{ from: 'a1' }]);
    const text = printed(actions);
    expect(text).toContain('[user, then, a1]\n  indented long');
    expect(text).not.toContain('\u001b');
    expect(text).toContain('/expand a2');
    expect(text).toContain('/t.jsonl');
    const [first] = actions;
    const lines = first?.kind === 'print' && first.output.kind === 'lines' ? first.output.lines : [];
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  });

  it('offers a choice among several, and takes an id', async () => {
    const asked: (string | undefined)[] = [];
    const { ports, actions } = portsOver({
      summarised: async () => ({ ranges: [range('b1', 'Newer\nwords'), range('a1', '')], isAll: false }),
      expand: async (wish) => {
        asked.push(wish?.from);
        return { text: 'words', shown: 1, nextUuid: null, isCut: wish?.from === 'b1' };
      },
    });
    await runSlash({ name: 'expand', argument: '' }, ports);
    expect(actions).toMatchObject([
      { kind: 'pick', purpose: 'expand', items: [{ id: 'b1', title: 'Newer words' }, { id: 'a1' }] },
    ]);
    await runChoice({ purpose: 'expand', id: 'a1' }, ports);
    await runSlash({ name: 'expand', argument: 'b1' }, ports);
    expect(asked).toEqual(['a1', 'b1']);
    const [whole, cut] = printed(actions).split('Everything is in');
    expect(whole).toContain('That is all of it.');
    expect(cut).toContain('Long texts are cut here.');
    expect(cut).not.toContain('That is all');
  });
});

describe('a message chosen in /rewind', () => {
  it.each([
    ['from', 'compactFrom'],
    ['up-to', 'compactUpTo'],
  ] as const)('is summarised around: %s', async (way, method) => {
    const asked: unknown[] = [];
    const { ports, actions } = portsOver({
      [method]: async (...given: unknown[]) => {
        asked.push(given);
        return 'Compacted, well.';
      },
      summarised: async () => ({ ranges: [range('a1', 'Hello')], isAll: true }),
    });
    await runChoice({ purpose: 'rewind-way', id: `${way} u1` }, ports);
    expect(asked).toEqual([['u1', '']]);
    expect(printed(actions)).toMatch(/Compacted, well\.\n.*\/expand/);
  });

  it('is rewound to, and comes back for editing', async () => {
    const rewind = (uuid: string) => ({ uuid, at: '', text: 'my words', removed: 2 });
    const { ports, actions } = portsOver({ rewind });
    await runChoice({ purpose: 'rewind-way', id: 'back u1' }, ports);
    expect(actions.at(-1)).toEqual({ kind: 'edit', text: 'my words' });
  });

  it('that could not be summarised gives a warning with the reason', async () => {
    const { ports, actions } = portsOver({
      compactFrom: async () => 'Not compacted: it would not pay',
      summarised: async () => ({ ranges: [range('a1', 'Hello')], isAll: true }),
    });
    await runChoice({ purpose: 'rewind-way', id: 'from u1' }, ports);
    const last = actions.at(-1);
    expect(last).toMatchObject({ output: { tone: 'warning', text: 'Not compacted: it would not pay' } });
  });
});
