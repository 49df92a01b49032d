/** A memory that is switched off: reads are empty, writes say why and how to switch it on. */

import { ReverieError } from '../errors.ts';
import type { Memory } from './memory.ts';

export function describeOff(offReason: string): Memory {
  const refuse = async (): Promise<never> => {
    throw offError(offReason);
  };
  const nothing = async () => [];
  const files = {
    unmarked: 'said' as const,
    ...{ list: nothing, read: refuse, write: refuse, edit: refuse },
    ...{ remove: refuse, rename: refuse, change: refuse },
  };
  return {
    enabled: false,
    offReason,
    folders: {},
    save: refuse,
    update: refuse,
    replace: refuse,
    pin: refuse,
    confirm: refuse,
    forget: refuse,
    purge: refuse,
    get: refuse,
    undo: refuse,
    recall: nothing,
    rank: nothing,
    ready: async () => undefined,
    list: nothing,
    log: nothing,
    diff: nothing,
    files,
    filesOf: () => files,
    noticeOutsideEdits: async () => [],
    problems: () => [],
    close: async () => undefined,
  };
}

export function refuseWhenOff(place: { readonly offReason: string | null }): void {
  if (place.offReason !== null) throw offError(place.offReason);
}

function offError(offReason: string): ReverieError {
  return new ReverieError({
    code: 'memory-off',
    message: offReason,
    fix: 'Unset REVERIE_DISABLE_MEMORY, leave out --bare, or see where it is set with `reverie settings autoMemoryEnabled`.',
  });
}
