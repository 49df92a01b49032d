/** What can be done with a message chosen in /rewind. */

import type { PickerDialog, PickerItem } from './state.ts';

const WAYS = {
  back: { title: 'go back here', detail: 'what follows stays in the transcript as a branch' },
  from: { title: 'summarise from here on', detail: 'what stands before it stays as it is, in the cache too' },
  'up-to': { title: 'summarise up to here', detail: 'it and what follows stay; the cache is written again' },
  'back-files': { title: 'go back here, files too', detail: 'what Edit and Write changed since is put back' },
} as const;

export type RewindWay = keyof typeof WAYS;

export function rewindWays({ id, title }: PickerItem): PickerDialog {
  const items = Object.entries(WAYS).map(([way, words]) => ({ id: `${way} ${id}`, ...words }));
  return { kind: 'picker', purpose: 'rewind-way', title, items, selected: 0, query: '' };
}

export function readWay(id: string): { readonly way: RewindWay; readonly uuid: string } {
  const [way, uuid = ''] = id.split(' ');
  return { way: way as RewindWay, uuid };
}
