/** What the page asks of the map: all memories in groups by meaning. */

import type { Routes } from '../app.ts';
import type { InspectorContext } from '../context.ts';
import { createMapMaker } from '../map/map.ts';

export function mapRoutes({ memory }: InspectorContext): Routes {
  // Loaded with the first question: nobody else needs the encoder here.
  const mapOf = createMapMaker(async () => (await import('../../model/encoder/encoder.ts')).packagedEncoder());
  return { writes: {}, reads: { map: async () => mapOf(await memory.list()) } };
}
