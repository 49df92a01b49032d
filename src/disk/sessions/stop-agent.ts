/** Asks an agent of a session in any process to stop: an empty file beside its transcript, which the session looks for while the agent runs. */

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SessionPlace, sessionLayout } from '../home.ts';

const LOOK_MS = 400;

/** The transcript of an agent, in the folder of the session that it belongs to. */
export function agentTranscript(sessionFolder: string, id: string): string {
  return join(sessionFolder, 'agents', `${id}.jsonl`);
}

/** False where no such agent has a transcript. */
export function askAgentStop(place: SessionPlace, id: string): boolean {
  const { folder } = sessionLayout(place);
  if (!existsSync(agentTranscript(folder, id))) return false;
  writeFileSync(stopFile(folder, id), '', { mode: 0o600 });
  return true;
}

/** Calls `stop` once when somebody has asked; the answer ends the looking. Without a folder nobody can ask. */
export function heedAgentStop(sessionFolder: string | null, id: string, stop: () => unknown): () => void {
  if (sessionFolder === null) return () => {};
  const file = stopFile(sessionFolder, id);
  const looking = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(looking);
    stop();
  }, LOOK_MS);
  looking.unref();
  return () => {
    clearInterval(looking);
    rmSync(file, { force: true });
  };
}

function stopFile(sessionFolder: string, id: string): string {
  return join(sessionFolder, 'agents', `${id}.stop`);
}
