/** Which rules a touched file calls for. */

import { relative, sep } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { INSTRUCTION_LIMITS } from '../../limits.ts';
import { compileGlob } from './glob.ts';
import type { ConditionalRule } from './instruction.ts';

/** `touchedPath` is absolute. In the order of the rules. */
export function matchRules(conditional: readonly ConditionalRule[], touchedPath: string): ConditionalRule[] {
  return conditional.filter(({ globs }) =>
    globs.some(({ folder, glob }) => {
      if (!isWithin(touchedPath, folder)) return false;
      const matches = compileGlob(glob, INSTRUCTION_LIMITS.globAlternatives);
      return matches?.(relative(folder, touchedPath).split(sep).join('/')) ?? false;
    }),
  );
}
