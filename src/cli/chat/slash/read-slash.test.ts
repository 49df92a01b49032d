/** Lines that are no prompts: commands of the user's own, and commands for their shell. */

import { expect, it } from 'vitest';
import { readSlash } from './commands.ts';

const customs = [
  { name: 'front:ship', argument: '', summary: '' },
  { name: 'help', argument: '', summary: '' },
];

it.each([
  ['/front:ship it now', { kind: 'custom', name: 'front:ship', argument: 'it now' }],
  ['/front:ship it\nnow', { kind: 'custom', name: 'front:ship', argument: 'it\nnow' }],
  ['/help', { kind: 'command', name: 'help', argument: '' }],
  ['/init', { kind: 'custom', name: 'init', argument: '' }],
  ['!ls -l', { kind: 'shell', command: 'ls -l' }],
  ['! ', { kind: 'prompt' }],
  ['/usr/bin is full', { kind: 'prompt' }],
] as const)('%s', (line, read) => {
  expect(readSlash(line, { customs })).toEqual(read);
});

it('runs nothing that was piped in', () => {
  expect(readSlash('!rm -r x', { isPiped: true })).toEqual({ kind: 'prompt' });
});
