/** Where a hook's conversation is, and which of its files are memories. */

import { statSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import type { Place, PlaceOptions } from '../../settings/place.ts';
import type { HookEvent } from './event.ts';
import type { HookPorts } from './run.ts';

export function placeOptionsOf(event: HookEvent, ports: HookPorts): PlaceOptions {
  const folder = [ports.projectFolder, event.cwd].find((path) => path !== null && isFolder(path));
  return {
    env: ports.environment,
    home: ports.home,
    ...(folder == null ? {} : { cwd: folder }),
    ...(ports.directory === undefined ? {} : { directory: ports.directory }),
  };
}

function isFolder(path: string): boolean {
  try {
    return isAbsolute(path) && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
  } catch {
    return false;
  }
}

/** `scope:file` when the path is a memory of ours. */
export function memoryKey(path: string, place: Place): string | null {
  for (const folder of place.folders) {
    const inside = relative(folder.path, path);
    if (inside !== '' && !inside.startsWith('..') && !isAbsolute(inside)) {
      return `${folder.scope}:${inside.split(sep).join('/')}`;
    }
  }
  return null;
}

export function isRecallOn({ settings, switches }: Place): boolean {
  return switches.isOn('layers.recall') && settings.values['recall.selector'] !== 'off';
}
