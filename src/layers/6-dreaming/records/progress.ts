/** How far the running dream has come, and the wish that it ends: small files for other processes beside the records. */

import { type Liveness, livenessOf, type ProcessIdentity, thisProcess } from '../../../disk/process-identity.ts';
import { DREAM_FILE_LIMITS } from '../../../limits.ts';
import { inDreams, writeInDreams } from './records.ts';
import { asKeptProgress, isDreamId, isProcess, type KeptProgress } from './shape.ts';

export interface SeenProgress {
  readonly progress: KeptProgress;
  readonly process: ProcessIdentity;
  /** `gone`: its process was killed; nothing goes on. */
  readonly liveness: Liveness;
}

const PROGRESS_FILE = 'progress.json';

/** Not forced to the disk: after a power cut no dream goes on. */
export async function writeProgress(memoryFolder: string, progress: KeptProgress): Promise<void> {
  const bytes = Buffer.from(JSON.stringify({ process: thisProcess(), progress }));
  await writeInDreams(memoryFolder, { name: PROGRESS_FILE, bytes, durable: false });
}

/** Null where none goes on, and where the file is none of ours. */
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

/** The dream of that id has ended; the progress of another one stays. */
export function clearProgress(memoryFolder: string, id: string): void {
  const isOwn = readProgress(memoryFolder)?.progress.id === id;
  inDreams(memoryFolder, undefined, (folder) => {
    if (isOwn) folder.discard(PROGRESS_FILE);
    if (isDreamId(id)) folder.discard(stopFile(id));
  });
}

/** Asks a dream, maybe of another process, to end. */
export async function askStop(memoryFolder: string, id: string): Promise<void> {
  if (!isDreamId(id)) throw new Error(`${id} is no dream's id`);
  await writeInDreams(memoryFolder, { name: stopFile(id), bytes: new Uint8Array(), durable: false });
}

/** One stat: asked between rounds. */
export function isStopAsked(memoryFolder: string, id: string): boolean {
  return isDreamId(id) && inDreams(memoryFolder, false, (folder) => folder.stat(stopFile(id)) !== null);
}

function stopFile(id: string): string {
  return `${id}.stop`;
}
