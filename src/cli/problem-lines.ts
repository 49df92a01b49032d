/** Problems that came up alongside a command's answer, in lines for people below it. */

import type { Paint } from './terminal/paint.ts';
import { plainLine } from './terminal/plain-text.ts';

export function problemLines(problems: readonly string[], paint: Paint): readonly string[] {
  if (problems.length === 0) return [];
  return ['', paint.yellow('Problems:'), ...problems.map((problem) => `  ${plainLine(problem)}`)];
}
