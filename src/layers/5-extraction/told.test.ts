/** The lines the user reads about what was kept. */

import { expect, it } from 'vitest';
import type { WrittenMemory } from './ports.ts';
import { savedLine } from './told.ts';

const memory = (name: string, more: Partial<WrittenMemory> = {}): WrittenMemory => ({
  ...{ scope: 'project', file: `project_${name}.md`, name, isNew: true },
  ...more,
});

it.each<[string, readonly WrittenMemory[], string]>([
  ['what the user said', [memory('tea')], 'Saved to memory: “tea”. `reverie memory undo` takes it back.'],
  [
    'what the user has not said',
    [memory('tea', { isUnconfirmed: true })],
    'Saved to memory: “tea”. Unconfirmed; if it holds: `reverie memory confirm project_tea.md`. `reverie memory undo` takes it back.',
  ],
  [
    'several of both',
    [
      memory('tea', { isUnconfirmed: true }),
      memory('oolong', { isNew: false }),
      memory('milk', { isUnconfirmed: true }),
    ],
    'Saved to memory: “tea”, “milk”. Updated in memory: “oolong”. Unconfirmed; if it holds: `reverie memory list --unconfirmed`. `reverie memory undo` takes it back.',
  ],
])('names %s', (_what, written, line) => {
  expect(savedLine(written, 5)).toBe(line);
});
