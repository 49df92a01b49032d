import { expect, it } from 'vitest';
import type { Entry, Injection } from '../../../conversation/entry.ts';
import type { ContentBlock } from '../../../conversation/message.ts';
import { spanOf } from './span.ts';

const AT = '2026-01-07T10:00:00.000Z';
const words = (text: string): ContentBlock => ({ type: 'text', text });
const use = (id: string, name: string): ContentBlock => ({ type: 'tool_use', id, name, input: {} });
const result = (id: string, text: string): ContentBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  content: [{ type: 'text', text }],
});

function entry(role: 'user' | 'assistant', content: ContentBlock[], injected?: readonly Injection[]): Entry {
  return { uuid: 'u', parentUuid: null, at: AT, message: { role, content }, ...(injected ? { injected } : {}) };
}

it('tells who said what, in order', () => {
  const entries = [
    entry('user', [words('Recalled.'), words('Look it up.')], [{ block: 0, source: 'recall' }]),
    entry('assistant', [words('I will.'), use('1', 'Read'), use('2', 'WebFetch'), use('3', 'Bash')]),
    entry('user', [result('1', 'a file'), result('2', 'a page'), result('3', 'output'), result('4', 'lost')]),
    entry('assistant', [words('  ')]),
  ];
  expect(spanOf(entries)).toEqual([
    { from: 'injected', text: 'Recalled.', at: AT },
    { from: 'user', text: 'Look it up.', at: AT },
    { from: 'assistant', text: 'I will.', at: AT },
    { from: 'file', tool: 'Read', text: 'a file', at: AT },
    { from: 'web', tool: 'WebFetch', text: 'a page', at: AT },
    { from: 'tool', tool: 'Bash', text: 'output', at: AT },
    { from: 'tool', tool: 'unknown', text: 'lost', at: AT },
  ]);
});

it('takes a task and a result of an agent for the words of an agent, wherever they stand', () => {
  const entries = [
    entry('user', [words('Look into it.')], [{ block: 0, source: 'task' }]),
    entry('user', [words('Go on.'), words('Found.')], [{ block: 1, source: 'agent-result', id: 'a' }]),
    entry('assistant', [use('1', 'Agent')]),
    entry('user', [result('1', 'Found too.')]),
  ];
  expect(spanOf(entries).map(({ from, text }) => [from, text])).toEqual([
    ['agent', 'Look into it.'],
    ['agent', 'Found.'],
    ['user', 'Go on.'],
    ['agent', 'Found too.'],
  ]);
});

it('keeps all that the user said, and of the rest the newest up to its bound', () => {
  const entries = [
    entry('user', [words('First wish.')]),
    entry('assistant', [words('old answer'), use('1', 'Bash')]),
    entry('user', [result('1', 'x'.repeat(100)), words('Second wish.')]),
    entry('assistant', [words('new')]),
  ];
  expect(spanOf(entries, { otherBytes: 13 }).map(({ from, text }) => [from, text])).toEqual([
    ['user', 'First wish.'],
    ['tool', 'x'.repeat(10)],
    ['user', 'Second wish.'],
    ['assistant', 'new'],
  ]);
});
