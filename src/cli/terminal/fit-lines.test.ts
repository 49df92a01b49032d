/** Lines that commands print, on a narrow terminal: none is wider, and no word that fits is broken. */

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { entryOf, MARKED_PAINT, runLine } from '../../../test/support/cli-stub.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const base = temporaryFolder('fit');
const COLOUR = /\u001b\[[0-9;]*m/g;
const wordsOf = (text: string) => text.replaceAll(COLOUR, '').split(/\s+/);

it.each([['status'], ['stats']])('%s', async (command) => {
  const line = [command, '--home', join(base, 'home'), '--cwd', base];
  const problem = 'Something rather long went wrong in the background, and this is what to do about it.';
  const options = {
    environment: { HOME: base },
    memories: [entryOf('a.md')],
    memory: { problems: () => [problem] },
  };
  const whole = await runLine(line, options);
  const terminal = { isTerminal: true, width: 40, paint: MARKED_PAINT };
  const narrow = await runLine(line, { ...options, terminal });
  expect(narrow.exitCode).toBe(0);
  for (const each of narrow.stdout.split('\n')) expect(each.replaceAll(COLOUR, '').length).toBeLessThanOrEqual(40);
  expect(wordsOf(narrow.stdout).join('')).toBe(wordsOf(whole.stdout).join(''));
  const kept = new Set(wordsOf(narrow.stdout));
  expect(wordsOf(whole.stdout).filter((word) => word.length <= 30 && !kept.has(word))).toEqual([]);
});
