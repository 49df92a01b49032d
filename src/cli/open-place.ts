/** Opens the memory that the flags of a command point to. */

import type { Memory } from '../memory/memory.ts';
import { openMemory } from '../session/open-memory.ts';
import type { Place } from './command.ts';
import { type Environment, placeOptions } from './options/place-options.ts';

export function openPlace(place: Place, environment: Environment): Promise<Memory> {
  return openMemory(placeOptions(place, environment));
}
