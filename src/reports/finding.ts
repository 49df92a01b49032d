/** What the doctor finds: how bad, what, where, and what fixes it. */

import { lstatSync, type Stats, statSync } from 'node:fs';
import { messageOf } from '../base/values.ts';
import { errnoOf, ReverieError } from '../errors.ts';

export interface Finding {
  readonly severity: 'error' | 'warning' | 'note';
  readonly what: string;
  /** File and line, folder, or setting. */
  readonly where: string;
  /** The command or edit that fixes it, several one per line; empty for a note. */
  readonly fix: string;
}

/** One check of one thing: an error in it is a finding too, and the other checks continue. */
export async function guarded(where: string, look: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [failure(where, error)];
  }
}

export function failure(where: string, error: unknown): Finding {
  const fix = error instanceof ReverieError ? error.fix : '';
  return {
    severity: 'error',
    what: messageOf(error),
    where,
    fix: fix || 'Fix what it names, then run `reverie doctor` again.',
  };
}

/** On one line, for commands that also show other things. */
export function findingLine({ what, where, fix }: Finding): string {
  return `${what}${where === '' ? '' : ` (${where})`}${fix === '' ? '' : `. To fix it: ${fix}`}`;
}

/** What a path leads to, or with `itself` what it is: a link is then a link. Undefined when there is nothing. */
export function statsAt(path: string, options: { readonly itself: boolean } = { itself: false }): Stats | undefined {
  try {
    return options.itself ? lstatSync(path) : statSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) return undefined;
    throw error;
  }
}
