/** Looks for what killed dreams left in the home: copies of memories that nobody works on any more. */

import { join } from 'node:path';
import { abandonedCopies } from '../../layers/6-dreaming/session/copy.ts';
import type { Place } from '../../settings/place.ts';
import type { Finding } from '../finding.ts';

export async function examineDreamCopies({ home, limits }: Pick<Place, 'home' | 'limits'>): Promise<Finding[]> {
  const left = await abandonedCopies({ home, limits, now: () => new Date() });
  if (left.length === 0) return [];
  const isOne = left.length === 1;
  const what = isOne ? 'A killed dream left a copy' : `Killed dreams left ${left.length} copies`;
  return [
    {
      severity: 'warning',
      what: `${what} of memories behind; the next dream would clear ${isOne ? 'it' : 'them'} away`,
      where: isOne ? left[0]! : join(home, 'cache', 'dreams'),
      mend: 'reverie doctor --clear-copies',
    },
  ];
}
