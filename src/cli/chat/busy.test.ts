/** Commands that have the session to themselves: what is sent meanwhile waits for the session they leave behind. */

import { describe, expect, it } from 'vitest';
import type { TurnOutcome } from '../../agent/event.ts';
import { CHAT_LIMITS } from '../../limits.ts';
import { charKey, namedKey } from '../screen/key.ts';
import type { Action, Effect } from './action.ts';
import { reduce } from './reduce.ts';
import { NEEDS_SESSION } from './slash/commands.ts';
import { type ChatState, initialState } from './state.ts';

const opened: Action = { kind: 'opened', facts: {}, nowMs: 0 };
const opening: Action = { kind: 'opening' };
const freed: Action = { kind: 'freed', nowMs: 0 };
const escapeKey: Action = { kind: 'key', key: namedKey('escape'), nowMs: 0 };
const submit = (text: string): Action => ({ kind: 'submit', text, nowMs: 0 });
const ctrl = (letter: string): Action => ({ kind: 'key', key: charKey(letter, { ctrl: true }), nowMs: 0 });
const items = ['alpha', 'beta'].map((id) => ({ id, title: id, detail: '' }));
const pick: Action = { kind: 'pick', purpose: 'resume', title: 'Which?', items };

function play(actions: readonly Action[], { isLineMode = false } = {}) {
  let state: ChatState = initialState({ mode: 'ask', isLineMode, size: { columns: 80, rows: 24 } });
  const effects: Effect[] = [];
  for (const action of actions) {
    const next = reduce(state, action);
    state = next.state;
    effects.push(...next.effects.filter(({ kind }) => kind !== 'remember'));
  }
  return { state, effects };
}

/** The requested effects, in a word each. */
function doneBy(actions: readonly Action[], options: { readonly isLineMode?: boolean } = {}): readonly string[] {
  return play(actions, options).effects.map((effect) => {
    if (effect.kind === 'send') return effect.prompt.text;
    if (effect.kind === 'command') return `/${effect.name}`;
    return effect.kind === 'choose' ? `${effect.id}` : effect.kind;
  });
}

describe('a message right after a command', () => {
  it.each(NEEDS_SESSION.map((name) => [name]))('/%s is sent once that is done', (name) => {
    const behind = [opened, submit(`/${name}`), submit('hello')];
    expect(doneBy(behind)).toEqual([`/${name}`]);
    // Not before: the agent that the command opens is not known yet.
    expect(doneBy([...behind, opening, opened])).toEqual([`/${name}`]);
    expect(doneBy([...behind, opening, opened, freed])).toEqual([`/${name}`, 'hello']);
  });

  it('of another kind is sent at once', () => {
    expect(doneBy([opened, submit('/cost'), submit('hello')])).toEqual(['/cost', 'hello']);
  });

  it('keeps its order among other commands of the kind', () => {
    const lines = [opened, submit('/clear'), submit('one'), submit('/resume beta'), submit('two')];
    expect(doneBy([...lines, freed])).toEqual(['/clear', 'one']);
    const answered: Action = { kind: 'agent', event: { kind: 'turn-ended', outcome: { kind: 'answered' } }, nowMs: 0 };
    const settled: Action = { kind: 'settled', nowMs: 0 };
    expect(doneBy([...lines, freed, answered, settled])).toEqual(['/clear', 'one', '/resume']);
    expect(doneBy([...lines, freed, answered, settled, freed])).toEqual(['/clear', 'one', '/resume', 'two']);
  });
});

describe('a choice from a list', () => {
  it('has the session to itself, too', () => {
    const chosen = [opened, submit('/resume'), pick, freed, { ...escapeKey, key: namedKey('enter') }, submit('hello')];
    expect(doneBy(chosen)).toEqual(['/resume', 'alpha']);
    expect(doneBy([...chosen, opening, opened, freed])).toEqual(['/resume', 'alpha', 'hello']);
  });

  it('comes before what was already sent, which continues if nothing is chosen', () => {
    const asked = [opened, submit('/resume'), submit('hello'), pick, freed];
    expect(doneBy(asked)).toEqual(['/resume']);
    expect(doneBy([...asked, escapeKey])).toEqual(['/resume', 'hello']);
  });

  it('is the next line in line mode', () => {
    const asked = [opened, submit('/resume'), submit('2'), submit('hello'), pick, freed];
    expect(doneBy(asked, { isLineMode: true })).toEqual(['/resume', 'beta']);
    expect(doneBy([...asked, freed], { isLineMode: true })).toEqual(['/resume', 'beta', 'hello']);
  });
});

describe('lines that arrive all at once', () => {
  const lines = { isLineMode: true };
  const settled: Action = { kind: 'settled', nowMs: 0 };
  const ended = (outcome: TurnOutcome): Action => ({ kind: 'agent', event: { kind: 'turn-ended', outcome }, nowMs: 0 });
  const all = [submit('hello'), submit('/memory'), submit('/nonsense'), submit('again'), submit('/quit'), ctrl('d')];

  it.each([
    ['before the session is open', [...all, opened]],
    ['afterwards', [opened, ...all]],
  ])('%s each have their turn, and leaving comes last', (_, begun) => {
    expect(doneBy(begun, lines)).toEqual(['hello']);
    const answered = [...begun, ended({ kind: 'answered' }), settled];
    expect(doneBy(answered, lines)).toEqual(['hello', '/memory']);
    const shown = [...answered, freed, settled];
    expect(doneBy(shown, lines)).toEqual(['hello', '/memory', 'again']);
    expect(doneBy([...shown, ended({ kind: 'answered' }), settled], lines)).toEqual([
      ...['hello', '/memory', 'again', 'leave'],
    ]);
  });

  it('are all kept, however many', () => {
    const many = Array.from({ length: 2 * CHAT_LIMITS.queuedPrompts }, (_, at) => submit(`line ${at}`));
    expect(play([...many, opened], lines).state.queue).toHaveLength(many.length - 1);
  });

  it('continue after one that failed, but not after one that was interrupted', () => {
    const failed = ended({ kind: 'failed', error: new Error('no') });
    const two = [opened, submit('hello'), submit('again')];
    expect(doneBy([...two, failed, settled], lines)).toEqual(['hello', 'again']);
    expect(doneBy([...two, ended({ kind: 'interrupted' }), settled, ctrl('d')], lines)).toEqual(['hello', 'leave']);
  });
});

describe('leaving', () => {
  it('comes after the command when the input has ended', () => {
    const piped = [opened, submit('/clear'), ctrl('d')];
    expect(doneBy(piped, { isLineMode: true })).toEqual(['/clear']);
    expect(doneBy([...piped, opening, opened, freed], { isLineMode: true })).toEqual(['/clear', 'leave']);
  });

  it('is not undone by a session that was still being opened', () => {
    const left = [opened, submit('/clear'), ctrl('c'), ctrl('c'), opening, opened, freed];
    expect(play(left).state.phase).toBe('leaving');
  });

  it.each([
    ['Ctrl-C twice', [ctrl('c'), ctrl('c')], false],
    ['Ctrl-D', [ctrl('d')], true],
    ['/quit', [submit('/quit')], true],
  ])('by %s', (_, actions, waits) => {
    expect(play([opened, ...actions]).effects).toEqual([{ kind: 'leave', waits }]);
  });
});
