/** How far the running dream is, and requests to stop it: small files for other processes, next to the records. */

import {
  isProcess,
  type Liveness,
  livenessOf,
  type ProcessIdentity,
  thisProcess,
} from '../../../disk/process-identity.ts';
import { DREAM_FILE_LIMITS } from '../../../limits.ts';
import { inDreams, writeInDreams } from './records.ts';
import { asKeptProgress, isDreamId, type KeptProgress } from './shape.ts';

export interface SeenProgress {
  readonly progress: KeptProgress;
  readonly process: ProcessIdentity;
  /** `gone`: its process was killed; nothing is running. */
  readonly liveness: Liveness;
}

const PROGRESS_FILE = 'progress.json';

/** Not synced to disk: after a power cut no dream is running. */
export async function writeProgress(memoryFolder: string, progress: KeptProgress): Promise<void> {
  const bytes = Buffer.from(JSON.stringify({ process: thisProcess(), progress }));
  await writeInDreams(memoryFolder, { name: PROGRESS_FILE, bytes, durable: false });
}

/** Null when none is running, or when the file is not ours. */
export function readProgress(memoryFolder: string): SeenProgress | null {
  const bytes = inDreams(memoryFolder, null, (folder) => {
    try {
      return folder.read(PROGRESS_FILE, DREAM_FILE_LIMITS.progressBytes + 1);
    } catch {
      return null;
    }
  });
  if (bytes === null || bytes.length > DREAM_FILE_LIMITS.progressBytes) return null;
  try {
    const kept = JSON.parse(bytes.toString('utf8')) as { process?: unknown; progress?: unknown } | null;
    const progress = asKeptProgress(kept?.progress);
    const owner = kept?.process;
    if (progress === null || !isProcess(owner)) return null;
    return { progress, process: owner, liveness: livenessOf(owner) };
  } catch {
    return null;
  }
}

/** The dream with that id has ended; another dream's progress stays. */
export function clearProgress(memoryFolder: string, id: string): void {
  const isOwn = readProgress(memoryFolder)?.progress.id === id;
  inDreams(memoryFolder, undefined, (folder) => {
    if (isOwn) folder.discard(PROGRESS_FILE);
    if (isDreamId(id)) folder.discard(stopFile(id));
  });
}

/** Asks a dream, maybe in another process, to end. */
export async function askStop(memoryFolder: string, id: string): Promise<void> {
  if (!isDreamId(id)) throw new Error(`${id} is no dream's id`);
  await writeInDreams(memoryFolder, { name: stopFile(id), bytes: new Uint8Array(), durable: false });
}

/** One stat: checked between rounds. */
export function isStopAsked(memoryFolder: string, id: string): boolean {
  return isDreamId(id) && inDreams(memoryFolder, false, (folder) => folder.stat(stopFile(id)) !== null);
}

function stopFile(id: string): string {
  return `${id}.stop`;
}
