// Whether dist/ is of these sources: what it is made of is older than the moment at which the build began that made it.
// Folders count too, so that a file that was removed or renamed is noticed.
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = ['src', 'page', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
const STAMP = join('dist', '.built');

export function isBuilt(root) {
  const built = statSync(join(root, STAMP), { throwIfNoEntry: false });
  return built !== undefined && SOURCES.every((name) => isOlder(join(root, name), built.mtimeMs));
}

// Written last: a build that was cut off left none.
export function markBuilt(root, begun) {
  writeFileSync(join(root, STAMP), '');
  utimesSync(join(root, STAMP), begun, begun);
}

function isOlder(path, timeMs) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  if (stats.mtimeMs >= timeMs) return false;
  return !stats.isDirectory() || readdirSync(path).every((name) => isOlder(join(path, name), timeMs));
}
