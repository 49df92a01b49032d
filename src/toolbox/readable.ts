/** What of Reverie's own records a session may read without asking: its transcript and results, and earlier sessions of the project. */

import { projectLayout } from '../disk/home.ts';
import type { SessionContext } from './session-context.ts';

export function readableRecords({ place, log }: Pick<SessionContext, 'place' | 'log'>): readonly string[] {
  const own = [log.folder, log.file].filter((path) => path !== null);
  const isSearched = log.file !== null && place.switches.isOn('pastSearch');
  return isSearched ? [...own, projectLayout(place.home, place.slug).folder] : own;
}
