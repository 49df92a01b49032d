/** Settings as the files say now, for what may be switched off while a session runs: read again only when one of the files changed. */

import { statSync } from 'node:fs';
import { TURN_LIMITS } from '../limits.ts';
import { type ResolvedSettings, resolveSettings, type SettingFacts } from './settings.ts';
import { settingsFilesOf } from './sources.ts';

/** A stat of each file where a setting may stand, now and then: what asks comes in bursts. Nothing is known of one that cannot be looked at. */
export function rereadSettings(facts: SettingFacts, resolved: ResolvedSettings): () => ResolvedSettings {
  const files = settingsFilesOf(facts);
  const mark = () => files.map(markOf).join(' ');
  let present = resolved;
  let presentMark = mark();
  let lookedAtMs = performance.now();
  return () => {
    if (performance.now() - lookedAtMs < TURN_LIMITS.settingsLookMs) return present;
    lookedAtMs = performance.now();
    const now = mark();
    if (now === presentMark) return present;
    presentMark = now;
    present = resolveSettings(facts);
    return present;
  };
}

function markOf(file: string): string {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats === undefined ? 'none' : `${stats.ino}/${stats.size}/${stats.mtimeMs}/${stats.ctimeMs}`;
  } catch {
    return 'none';
  }
}
