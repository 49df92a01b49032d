/** Says what is wrong with this memory and the command that fixes it. Repairs nothing that opening does not repair. */

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { expandHome } from '../../disk/check-root.ts';
import { reverieHome } from '../../disk/home.ts';
import { abandonedCopies, removeAbandonedCopies } from '../../layers/6-dreaming/session/copy.ts';
import { findPlace, type Place, type PlaceOptions } from '../../settings/place.ts';
import { type Finding, failure, guarded } from '../finding.ts';
import { examineFolders, type Thoroughness } from './folder.ts';
import {
  examineCache,
  examineCredentials,
  examineFormerPlaces,
  examineHome,
  examineRecord,
  examineTrust,
} from './home.ts';
import { examineLedger } from './ledger.ts';
import { examineMail } from './mail.ts';
import { examineWorkLog } from './work-log.ts';
import { examineWorktrees } from './worktrees.ts';

export type { Finding };

/** What `--clear-copies` does about copies that killed dreams left. Returns what was removed. */
export async function clearDreamCopies(options: PlaceOptions = {}): Promise<readonly string[]> {
  const { home, limits } = findPlace(options);
  return removeAbandonedCopies({ home, limits, now: () => new Date() });
}

export async function examine(options: PlaceOptions = {}, how: Thoroughness = {}): Promise<readonly Finding[]> {
  const home = homeOf(options);
  const ofHome = await guarded(home, () => examineHome(home));
  let place: Place;
  try {
    place = findPlace(options);
  } catch (error) {
    // An unusable home is why there is no place for memories in it.
    return ofHome.length > 0 ? ofHome : [failure('settings', error)];
  }
  const findings = [
    ...examineSettings(place),
    ...ofHome,
    ...(await guarded(place.home, () => examineLedger(place.home))),
    ...(ofHome.length > 0 ? [] : await guarded(place.home, () => examineCache(place))),
    ...(await guarded(place.home, () => examineTrust(place))),
    ...(await guarded(place.home, () => examineCredentials(place))),
    ...(await guarded(place.home, () => examineRecord(place))),
    ...(await guarded(place.home, () => examineFormerPlaces(place))),
    ...(await guarded(place.home, () => examineDreamCopies(place))),
    ...(await guarded(place.home, () => examineWorktrees(place.home))),
    ...(await guarded(place.home, () => examineMail(place.home, new Date()))),
    ...(await guarded(place.home, () => examineWorkLog(place))),
    ...(place.offReason === null ? await examineFolders(place, how) : []),
  ];
  return findings.filter((finding, at) => findings.findIndex((other) => isSame(finding, other)) === at);
}

function homeOf({ env = process.env, home }: PlaceOptions): string {
  const userHome = env.HOME?.trim() ? env.HOME : homedir();
  return home === undefined ? reverieHome({ env, userHome }) : resolve(expandHome(home, userHome));
}

function examineSettings(place: Place): Finding[] {
  const findings = place.settings.problems.map(({ severity, file, line, problem, fix }): Finding => {
    const where = file === null ? 'settings' : line === null ? file : `${file}:${line}`;
    return { severity, what: problem, where, fix: fix };
  });
  if (place.offReason === null) return findings;
  return [
    ...findings,
    { severity: 'note', what: place.offReason, where: 'settings', fix: 'See `reverie settings autoMemoryEnabled`.' },
  ];
}

/** Two checks may hit the same obstacle. */
function isSame(one: Finding, other: Finding): boolean {
  return one.what === other.what && one.where === other.where;
}

// Looks for what killed dreams left in the home: copies of memories that nobody works on any more.

async function examineDreamCopies({ home, limits }: Pick<Place, 'home' | 'limits'>): Promise<Finding[]> {
  const left = await abandonedCopies({ home, limits, now: () => new Date() });
  if (left.length === 0) return [];
  const isOne = left.length === 1;
  const what = isOne ? 'A killed dream left a copy' : `Killed dreams left ${left.length} copies`;
  return [
    {
      severity: 'warning',
      what: `${what} of memories behind; the next dream would clear ${isOne ? 'it' : 'them'} away`,
      where: isOne ? left[0]! : join(home, 'cache', 'dreams'),
      fix: 'reverie doctor --clear-copies',
    },
  ];
}
