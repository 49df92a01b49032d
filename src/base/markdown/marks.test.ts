import { describe, expect, it } from 'vitest';
import { closesFence, fenceFollower, headingAt, openingFence } from './marks.ts';

describe('code fences', () => {
  it.each([
    ['```', { marks: '```', info: '' }],
    ['  ~~~~ ts {1,2}', { marks: '~~~~', info: 'ts {1,2}' }],
    ['```ts\r', { marks: '```', info: 'ts' }],
    ['~~~ a`b', { marks: '~~~', info: 'a`b' }],
    ['```a``` text', null],
    ['``', null],
    ['text ```', null],
  ])('%j opens %j', (line, fence) => {
    expect(openingFence(line)).toEqual(fence);
  });

  it.each([
    ['```', '```', true],
    ['  `````\r', '```', true],
    ['```', '````', false],
    ['~~~', '```', false],
    ['```ts', '```', false],
    ['', '```', false],
  ])('%j closes %j: %j', (line, marks, isClosed) => {
    expect(closesFence(line, marks)).toBe(isClosed);
  });

  it('are followed line by line', () => {
    const isCode = fenceFollower();
    const lines = ['a', '````md', '```', '~~~', '````', 'b', '\u00a0```', 'c'];
    expect(lines.filter((line) => !isCode(line))).toEqual(['a', 'b']);
  });
});

it.each([
  ['# a', { level: 1, title: 'a' }],
  ['  ###\ta # b ##  ', { level: 3, title: 'a # b' }],
  ['## C#', { level: 2, title: 'C#' }],
  ['# #', { level: 1, title: '' }],
  ['#', { level: 1, title: '' }],
  ['#a', null],
  ['####### a', null],
  ['a # b', null],
])('%j is the heading %j', (line, heading) => {
  expect(headingAt(line)).toEqual(heading);
});

it('takes no longer for lines designed to be slow', () => {
  for (const sign of ['#', ' ', '`', ' #', '# ']) {
    const long = sign.repeat(500_000);
    for (const line of [`# ${long}x`, `\`\`\`${long}\``, `${long}x`]) {
      headingAt(line);
      openingFence(line);
      closesFence(line, '```');
    }
  }
}, 60_000);
