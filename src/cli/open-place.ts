/** Opens the memory that the flags of a command point to. */

import type { Memory } from '../session/memory.ts';
import { openMemory } from '../session/open-memory.ts';
import type { Place } from './command.ts';
import { type Environment, placeOptions } from './place-options.ts';

export function openPlace(place: Place, environment: Environment): Promise<Memory> {
  return openMemory(placeOptions(place, environment));
}
