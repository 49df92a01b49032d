import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/property-runs.ts';
import type { AgentEvent, TurnOutcome } from '../../agent/event.ts';
import type { ToolUseBlock } from '../../conversation/message.ts';
import { CHAT_LIMITS, LIMITS } from '../../limits.ts';
import { renderSurfaced, type SurfacedMemory } from '../../memory/shown/render.ts';
import { editorText } from '../screen/editor.ts';
import { charKey, type Key, namedKey, pasteKey } from '../screen/key.ts';
import { NO_PAINT } from '../terminal/paint.ts';
import { textWidth } from '../terminal/text-width.ts';
import type { Action, Effect, Output, Step } from './action.ts';
import { reduce } from './reduce.ts';
import { readWay } from './rewind-ways.ts';
import { type ChatState, initialState } from './state.ts';
import { chatView } from './view.ts';

const CALL: ToolUseBlock = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'rm -r build' } };
const QUESTION = {
  call: CALL,
  reason: 'No rule allows it.',
  suggestedRules: ['Bash(rm:*)'],
  subject: { kind: 'command', command: 'rm -r build' },
} as const;
const opened: Action = { kind: 'opened', facts: { model: 'model-1' }, nowMs: 0 };
const settled: Action = { kind: 'settled', nowMs: 0 };
const ctrl = (letter: string) => charKey(letter, { ctrl: true });
const enter = namedKey('enter');
const escapeKey = namedKey('escape');
const press = (key: Key, nowMs = 10_000): Action => ({ kind: 'key', key, nowMs });
const typed = (text: string): Action[] => [...text].map((character) => press(charKey(character)));
const told = (event: AgentEvent): Action => ({ kind: 'agent', event, nowMs: 10_000 });
const freed: Action = { kind: 'freed', nowMs: 10_000 };
const ended = (outcome: TurnOutcome): Action => told({ kind: 'turn-ended', outcome });
const asked: Action = { kind: 'asked', question: QUESTION, nowMs: 0 };

interface Told {
  readonly state: ChatState;
  readonly effects: readonly Effect[];
  readonly output: readonly Output[];
}

function play(actions: readonly Action[], options: Partial<Parameters<typeof initialState>[0]> = {}): Told {
  let state = initialState({ mode: 'ask', isLineMode: false, size: { columns: 80, rows: 24 }, ...options });
  const effects: Effect[] = [];
  const output: Output[] = [];
  for (const action of actions) {
    const next: Step = reduce(state, action);
    state = next.state;
    effects.push(...next.effects);
    output.push(...next.output);
  }
  return { state, effects, output };
}

const kinds = ({ effects }: Told) => effects.map(({ kind }) => kind).filter((kind) => kind !== 'remember');
const textOfNotices = ({ output }: Told) =>
  output.flatMap((each) => (each.kind === 'notice' ? [each.text] : [])).join('\n');
const working = [opened, ...typed('go'), press(enter)];

describe('a prompt', () => {
  it('is sent by Enter, echoed and remembered', () => {
    const { state, effects, output } = play(working);
    expect(effects).toEqual([
      { kind: 'remember', text: 'go' },
      { kind: 'send', prompt: { text: 'go', shown: 'go', images: [] } },
    ]);
    expect(output).toEqual([{ kind: 'prompt', text: 'go' }]);
    expect(state).toMatchObject({ phase: 'working' });
    expect(editorText(state.editor)).toBe('');
  });

  it.each([
    ['Shift+Enter', [press(namedKey('enter', { shift: true }))]],
    ['Alt+Enter', [press(namedKey('enter', { alt: true }))]],
    ['a backslash and Enter', [...typed('\\'), press(enter)]],
  ])('continues on a new line after %s', (_, keys) => {
    const { state, effects } = play([opened, ...typed('a'), ...keys, ...typed('b')]);
    expect(editorText(state.editor)).toBe('a\nb');
    expect(effects).toEqual([]);
  });

  it('that is empty is not sent', () => {
    expect(play([opened, press(enter), ...typed('  '), press(enter)]).effects).toEqual([]);
  });

  it('keeps a long paste in one line until it is sent', () => {
    const lines = 'line\n'.repeat(5_000);
    const { effects, output } = play([opened, press(pasteKey(lines)), press(enter)]);
    expect(effects.at(-1)).toMatchObject({ kind: 'send', prompt: { text: `<pasted>\n${lines}\n</pasted>` } });
    expect(JSON.stringify(output).length).toBeLessThan(200);
  });

  it('waits while the agent is being opened, and while it works', () => {
    const early = play([...typed('early'), press(enter)]);
    expect(kinds(early)).toEqual([]);
    expect(early.state.queue).toHaveLength(1);
    expect(kinds(play([...typed('early'), press(enter), opened]))).toEqual(['send']);

    const queued = [...working, ...typed('one'), press(enter), ...typed('two'), press(enter)];
    expect(play(queued).state.queue.map(({ text }) => text)).toEqual(['one', 'two']);
    const { effects } = play([...queued, ended({ kind: 'answered' }), settled]);
    expect(effects.at(-1)).toMatchObject({ kind: 'send', prompt: { text: 'one\n\ntwo' } });
  });

  it('that was queued comes back to the editor when the turn is interrupted', () => {
    const waited = [...working, ...typed('next'), press(enter), ended({ kind: 'interrupted' }), settled];
    const told = play(waited);
    expect(editorText(told.state.editor)).toBe('next');
    expect(kinds(told)).toEqual(['send']);
  });
});

describe('gestures', () => {
  it('Escape interrupts a turn once', () => {
    const told = play([...working, press(escapeKey), press(escapeKey)]);
    expect(kinds(told)).toEqual(['send', 'interrupt']);
    expect(told.state.phase).toBe('interrupting');
  });

  it.each([
    ['quickly', 100, ['command']],
    ['slowly', CHAT_LIMITS.twiceMs + 1, []],
  ])('Escape twice %s', (_, gapMs, expected) => {
    expect(kinds(play([opened, press(escapeKey, 0), press(escapeKey, gapMs)]))).toEqual(expected);
  });

  it('Ctrl-C clears first, and leaves on the second press', () => {
    const once = play([opened, ...typed('text'), press(ctrl('c'))]);
    expect(editorText(once.state.editor)).toBe('');
    expect(kinds(once)).toEqual([]);
    expect(kinds(play([opened, ...typed('text'), press(ctrl('c')), press(ctrl('c'))]))).toEqual(['leave']);
  });

  it('Ctrl-C interrupts, and leaves on the second press, even if the turn has ended meanwhile', () => {
    expect(kinds(play([...working, press(ctrl('c'))]))).toEqual(['send', 'interrupt']);
    const ending = [...working, press(ctrl('c')), ended({ kind: 'interrupted' }), press(ctrl('c'))];
    expect(kinds(play(ending))).toEqual(['send', 'interrupt', 'leave']);
  });

  it('Ctrl-D leaves only when nothing is typed', () => {
    expect(kinds(play([opened, ...typed('text'), press(ctrl('d'))]))).toEqual([]);
    expect(kinds(play([opened, press(ctrl('d'))]))).toEqual(['leave']);
  });

  it('Shift+Tab cycles through the modes, except the one that asks nothing', () => {
    const tab = press(namedKey('tab', { shift: true }));
    const { effects } = play([opened, tab, tab, tab, tab]);
    expect(effects.map((effect) => effect.kind === 'set-mode' && effect.mode)).toEqual([
      ...['accept-edits', 'plan', 'ask', 'accept-edits'],
    ]);
  });

  it('Ctrl-O opens the last output, then the one before', () => {
    const end = (id: string) =>
      told({ kind: 'tool-ended', call: { ...CALL, id }, result: { content: id }, milliseconds: 1 });
    const { output } = play([...working, end('one'), end('two'), press(ctrl('o')), press(ctrl('o')), press(ctrl('o'))]);
    const expanded = output.flatMap((each) => (each.kind === 'tool' && each.isExpanded ? [each.call.id] : []));
    expect(expanded).toEqual(['two', 'one']);
  });
});

describe('commands', () => {
  it('run, are completed by Tab and by Enter, and a typo names the nearest', () => {
    const run = play([opened, ...typed('/context'), press(enter)]);
    expect(run.effects).toContainEqual({ kind: 'command', name: 'context', argument: '' });
    const chosen = play([opened, ...typed('/cont'), press(enter)]);
    expect(chosen.effects).toContainEqual({ kind: 'command', name: 'context', argument: '' });
    expect(editorText(play([opened, ...typed('/res'), press(namedKey('tab'))]).state.editor)).toBe('/resume ');
    expect(textOfNotices(play([opened, ...typed('/contxt'), press(escapeKey), press(enter)]))).toContain('/context');
  });

  it('that would pull the conversation away wait for the end of a turn', () => {
    const told = play([...working, ...typed('/clear'), press(enter)]);
    expect(kinds(told)).toEqual(['send']);
    expect(textOfNotices(told)).toContain('Escape');
    expect(kinds(play([...working, ...typed('/cost'), press(enter)]))).toEqual(['send', 'command']);
  });

  it('complete files as they are found, and drop late answers', () => {
    const files = ['src/view.ts', 'README.md'];
    const found = (word: string): Action => ({ kind: 'files-found', typed: word, files });
    const told = play([opened, ...typed('see @vi'), found('vi')]);
    expect(told.effects).toContainEqual({ kind: 'find-files', typed: 'vi' });
    expect(told.state.suggestions?.items).toEqual([{ text: 'src/view.ts', detail: '' }]);
    expect(play([opened, ...typed('see @vie'), found('vi')]).state.suggestions).toBeNull();
    const taken = play([opened, ...typed('see @vi'), found('vi'), press(enter)]);
    expect(editorText(taken.state.editor)).toBe('see @src/view.ts ');
    expect(kinds(taken)).not.toContain('send');
  });
});

describe('a question', () => {
  const answers = ({ effects }: Told) => effects.flatMap((each) => (each.kind === 'answer' ? [each.answer] : []));
  const later = CHAT_LIMITS.armMs;

  it('is not answered by what was typed for the prompt', () => {
    const keys = [...'yes'].map((letter, at) => press(charKey(letter), at * 50));
    const told = play([...working, asked, ...keys, press(enter, 150)]);
    expect(answers(told)).toEqual([]);
    expect(told.state.dialog?.kind).toBe('permission');
    expect(told.state.queue.map(({ text }) => text)).toEqual(['yes']);
  });

  it.each([
    ['Enter', [enter], { kind: 'once' }],
    ['its number', [charKey('2')], { kind: 'always', rules: ['Bash(rm:*)'] }],
    ['y', [charKey('y')], { kind: 'once' }],
    ['n and Enter', [charKey('n'), enter], { kind: 'no' }],
    ['no with words', [namedKey('up'), charKey('o'), charKey('k'), enter], { kind: 'no', feedback: 'ok' }],
  ])('is answered by %s', (_, keys, answer) => {
    const told = play([...working, asked, ...keys.map((key) => press(key, later))]);
    expect(answers(told)).toEqual([answer]);
    expect(told.state.dialog).toBeNull();
  });

  it('is withdrawn by Escape, which interrupts, and by the end of the turn', () => {
    expect(kinds(play([...working, asked, press(escapeKey, 1)]))).toEqual(['send', 'notify', 'interrupt']);
    expect(play([...working, asked, ended({ kind: 'interrupted' })]).state.dialog).toBeNull();
    expect(play([...working, asked, { kind: 'ask-withdrawn' }]).state.dialog).toBeNull();
  });
});

describe('shown only once', () => {
  const result = { content: 'No.', isError: true };
  const events = (...list: AgentEvent[]) => play([opened, ...typed('go'), press(enter), ...list.map(told)]).output;

  it('a denied call, though it also ends', () => {
    const output = events(
      { kind: 'tool-started', call: CALL },
      { kind: 'denied', call: CALL, reason: 'The user interrupted before this could run.' },
      { kind: 'tool-ended', call: CALL, result, milliseconds: 1 },
    );
    expect(output.map(({ kind }) => kind).filter((kind) => kind === 'denied' || kind === 'tool')).toEqual(['denied']);
  });

  it('the names of memories that joined, in one turn', () => {
    const memory = (name: string, file: string) => ({
      ...{ file, path: `/m/${file}`, name, description: 'd', type: 'project', body: 'b', source: 'said' },
      ...{ origin: null, modified: '2026-01-01T00:00:00.000Z', supersededBy: null, refuted: null, check: null },
    });
    const facts = { now: new Date('2026-02-01'), limits: LIMITS.recall };
    const texts = ['Deploys (weekly)', 'Ports'].map((name) =>
      renderSurfaced(memory(name, 'a.md') as SurfacedMemory, facts),
    );
    const content = ['my words', ...texts].map((text) => ({ type: 'text', text }) as const);
    const injected = [1, 2].map((block) => ({ block, source: 'recall' }) as const);
    const entry = { uuid: 'u', parentUuid: null, at: '2026-01-01', message: { role: 'user', content } } as const;
    const joins: AgentEvent = { kind: 'entry', entry: { ...entry, injected } };
    const notices = events({ kind: 'entry', entry: entry }, joins, joins).filter(({ kind }) => kind === 'notice');
    expect(notices).toEqual([
      { kind: 'notice', tone: 'info', text: '2 memories recalled: Deploys (weekly), Ports; /memory why' },
    ]);
  });
});

describe('line mode', () => {
  const lines = { isLineMode: true };
  const line = (text: string) => [press(pasteKey(text)), press(enter)];

  it('asks by printing, and takes a line as the answer', () => {
    const told = play([opened, ...line('go'), asked, ...line('1')], lines);
    expect(told.output.map(({ kind }) => kind)).toContain('dialog');
    expect(told.effects).toContainEqual({ kind: 'answer', answer: { kind: 'once' } });
    const no = play([opened, ...line('go'), asked, ...line('not in this folder')], lines);
    expect(no.effects).toContainEqual({ kind: 'answer', answer: { kind: 'no', feedback: 'not in this folder' } });
  });

  it('answers every line before it leaves at the end of the input, in order', () => {
    const eof = press(ctrl('d'));
    const start = [...line('one'), ...line('/cost'), ...line('two'), eof, opened];
    expect(kinds(play(start, lines))).toEqual(['send']);
    const first = [...start, ended({ kind: 'answered' }), settled];
    expect(kinds(play(first, lines))).toEqual(['send', 'command']);
    expect(kinds(play([...first, freed, settled], lines))).toEqual(['send', 'command', 'send']);
    expect(kinds(play([...first, freed, settled, ended({ kind: 'answered' }), settled], lines))).toEqual([
      ...['send', 'command', 'send', 'leave'],
    ]);
  });

  it('says no when nobody is there', () => {
    const told = play([opened, ...line('go'), press(ctrl('d')), asked], lines);
    expect(told.effects).toContainEqual({ kind: 'answer', answer: { kind: 'no' } });
  });
});

describe('a choice', () => {
  const items = ['alpha', 'beta', 'gamma'].map((title) => ({ id: title, title, detail: '' }));
  const pick: Action = { kind: 'pick', purpose: 'resume', title: 'Which?', items };

  it('is narrowed by typing, taken by Enter and left by Escape', () => {
    expect(play([opened, pick, ...typed('ma'), press(enter)]).effects).toEqual([
      { kind: 'choose', purpose: 'resume', id: 'gamma' },
    ]);
    expect(play([opened, pick, press(namedKey('down')), press(enter)]).effects).toMatchObject([{ id: 'beta' }]);
    const left = play([opened, pick, press(escapeKey)]);
    expect(left).toMatchObject({ effects: [], state: { dialog: null } });
    expect(play([opened, pick, ...typed('zzz'), press(enter)]).effects).toEqual([]);
  });
});

describe('a question of the agent’s', () => {
  const items = ['PostgreSQL', 'SQLite'].map((title) => ({ id: title, title, detail: '' }));
  const pick: Action = { kind: 'pick', purpose: 'question', title: 'Which database?', items, nowMs: 0 };
  const replies = ({ effects }: Told) => effects.flatMap((each) => (each.kind === 'choose' ? [each.id] : []));
  const down = press(namedKey('down'));

  it.each([
    ['Enter', [press(enter)], 'PostgreSQL'],
    ['another option', [down, press(enter)], 'SQLite'],
    ['words of the user’s own', [...typed('MySQL, please'), press(enter)], 'MySQL, please'],
    ['Escape, as no answer', [press(escapeKey)], null],
  ])('is answered by %s while the turn goes on', (_, keys, reply) => {
    const told = play([...working, pick, ...keys]);
    expect(replies(told)).toEqual([reply]);
    expect(told.state).toMatchObject({ dialog: null, phase: 'working' });
  });

  it('is not answered by what was typed for the prompt, and is gone with the turn', () => {
    const early = play([...working, pick, press(charKey('y'), 50), press(enter, 100)]);
    expect(replies(early)).toEqual([]);
    expect(early.state.queue.map(({ text }) => text)).toEqual(['y']);
    expect(play([...working, pick, ended({ kind: 'interrupted' })]).state.dialog).toBeNull();
  });

  it('is answered by a number or by words in line mode, and by nothing once the input has ended', () => {
    const line = (text: string) => [...typed(text), press(enter)];
    expect(replies(play([...working, pick, ...line('2')], { isLineMode: true }))).toEqual(['SQLite']);
    expect(replies(play([...working, pick, ...line('SQL')], { isLineMode: true }))).toEqual(['SQL']);
    expect(replies(play([...working, press(ctrl('d')), pick], { isLineMode: true }))).toEqual([null]);
  });
});

describe('a message chosen in /rewind', () => {
  const items = [
    { id: 'u2', title: 'second', detail: '' },
    { id: 'u1', title: 'first', detail: '' },
  ];
  const rewind: Action = { kind: 'pick', purpose: 'rewind', title: 'Which message?', items };
  const down = press(namedKey('down'));
  const chosen = [opened, rewind, down, press(enter)];

  it('is only rewound to once that is chosen too', () => {
    const asking = play(chosen);
    expect(asking.effects).toEqual([]);
    expect(asking.state.dialog).toMatchObject({ kind: 'picker', title: 'first', selected: 0, query: '' });
    const { lines } = chatView(asking.state, { paint: NO_PAINT, cwd: '/', open: [] });
    expect(lines.join('\n')).toMatch(/go back here[\s\S]*from here on[\s\S]*up to here/);
  });

  it.each([
    ['back', [press(enter)]],
    ['from', [down, press(enter)]],
    ['up-to', [down, down, press(enter)]],
    ['up-to', [...typed('up to'), press(enter)]],
  ])('can be used for: %s', (way, keys) => {
    const told = play([...chosen, ...keys]);
    expect(told.effects).toEqual([{ kind: 'choose', purpose: 'rewind-way', id: `${way} u1` }]);
    expect(told.state.dialog).toBeNull();
    expect(readWay(`${way} u1`)).toEqual({ way, uuid: 'u1' });
  });

  it('is left alone by Escape', () => {
    const told = play([...chosen, press(escapeKey)]);
    expect(told).toMatchObject({ effects: [], state: { dialog: null } });
    expect(textOfNotices(told)).toContain('Nothing was chosen.');
  });

  it('is asked about in numbered lines in line mode', () => {
    const line = (text: string) => [...typed(text), press(enter)];
    const told = play([opened, rewind, ...line('2'), ...line('3')], { isLineMode: true });
    const asked = told.output.flatMap((each) => (each.kind === 'dialog' ? [each.dialog] : []));
    expect(asked.map((dialog) => dialog.kind === 'picker' && dialog.purpose)).toEqual(['rewind', 'rewind-way']);
    expect(told.effects).toEqual([{ kind: 'choose', purpose: 'rewind-way', id: 'up-to u1' }]);
  });
});

describe('any sequence', () => {
  const key = fc.oneof(
    fc.constantFrom('a', '/', '@', ' ', '\\', 'é', '漢', '👩‍👩‍👧').map((text) => charKey(text)),
    fc.constantFrom('c', 'o', 'l', 'u', 'w', 'k', 'y').map(ctrl),
    fc
      .constantFrom('enter', 'escape', 'tab', 'backspace', 'up', 'down', 'left', 'home', 'page-down', 'delete')
      .chain((name) => fc.boolean().map((shift) => namedKey(name as 'enter', { shift }))),
    fc.string().map(pasteKey),
  );
  const event = fc.constantFrom<Action>(
    opened,
    asked,
    settled,
    ended({ kind: 'answered' }),
    ended({ kind: 'interrupted' }),
    { kind: 'text', text: 'some words\n\nand more' },
    told({ kind: 'tool-started', call: CALL }),
    told({ kind: 'tool-progress', call: CALL, text: 'x\n'.repeat(50) }),
    told({ kind: 'tool-ended', call: CALL, result: { content: 'done' }, milliseconds: 1 }),
    { kind: 'pick', purpose: 'model', title: 'Which?', items: [{ id: 'a', title: 'a', detail: 'b', preview: 'c' }] },
  );
  const action = fc.oneof(
    fc.tuple(key, fc.nat(5_000)).map(([each, nowMs]) => press(each, nowMs)),
    event,
  );

  it('keeps what is drawn within the screen, and its cursor within what is drawn', () => {
    fc.assert(
      fc.property(
        fc.array(action, { maxLength: 40 }),
        fc.integer({ min: 8, max: 120 }),
        fc.integer({ min: 6, max: 40 }),
        (actions, columns, rows) => {
          const { state } = play(actions, { size: { columns, rows } });
          const open = Array.from({ length: 60 }, (_, at) => `line ${at}`.slice(0, columns));
          const view = chatView(state, { paint: NO_PAINT, cwd: '/', open });
          for (const line of view.lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
          if (view.cursor === null) return;
          expect(view.cursor.row).toBeLessThan(view.lines.length);
          expect(view.lines.length).toBeLessThanOrEqual(Math.max(rows, 9));
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
