/** The project's files for completion: what git knows, else what ripgrep finds; limited in number and time. */

import { startGit } from '../../disk/git/start-git.ts';
import { type ChildProcess, startProgram } from '../../disk/programs.ts';
import { CHAT_LIMITS } from '../../limits.ts';

export interface ProjectFiles {
  /** Paths below the folder, with forward slashes; found on first use, and again after a while. */
  list(): Promise<readonly string[]>;
}

export function createProjectFiles(facts: {
  readonly cwd: string;
  readonly nowMs: () => number;
  readonly find?: (cwd: string) => Promise<readonly string[]>;
}): ProjectFiles {
  const find = facts.find ?? findFiles;
  let found: Promise<readonly string[]> | null = null;
  let foundAtMs = 0;
  return {
    list() {
      if (found === null || facts.nowMs() - foundAtMs > CHAT_LIMITS.fileListMs) {
        foundAtMs = facts.nowMs();
        found = find(facts.cwd).catch(() => []);
      }
      return found;
    },
  };
}

async function findFiles(cwd: string): Promise<readonly string[]> {
  const timeoutMs = CHAT_LIMITS.findFilesMs;
  const words = ['-z', '--cached', '--others', '--exclude-standard'];
  const known = await namesFrom(startGit('ls-files', words, { cwd, timeoutMs }));
  if (known !== null) return known;
  const { rgPath } = await import('@vscode/ripgrep');
  const start = {
    cwd,
    environment: {},
    timeoutMs,
    stdio: ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'],
  };
  return (await namesFrom(startProgram(rgPath, ['--no-config', '--files', '-0'], start))) ?? [];
}

/** Null when the program failed without a name. */
function namesFrom(child: ChildProcess | null): Promise<readonly string[] | null> {
  return new Promise((resolve) => {
    if (child === null) return resolve(null);
    const pieces: Buffer[] = [];
    let bytes = 0;
    child.stdout?.on('data', (piece: Buffer) => {
      if (bytes >= CHAT_LIMITS.fileNameBytes) return child.kill('SIGKILL');
      bytes += piece.length;
      pieces.push(piece);
      return true;
    });
    child.once('error', () => resolve(null));
    child.once('close', (code) => {
      // Cut output ends in half a name.
      const names = Buffer.concat(pieces).toString('utf8').split('\0').slice(0, -1);
      resolve(names.length === 0 && code !== 0 ? null : names.slice(0, CHAT_LIMITS.knownFiles));
    });
  });
}

/** The paths that match what was typed, best first: its letters in order, preferably adjacent, preferably in the file's name. */
export function matchFiles(files: readonly string[], typed: string): readonly string[] {
  const wanted = typed.toLowerCase();
  if (wanted === '') return files.slice(0, CHAT_LIMITS.suggestions);
  const best: { readonly file: string; readonly score: number }[] = [];
  for (const file of files) {
    const score = scoreOf(file, wanted);
    if (score === null) continue;
    const at = best.findIndex((other) => score < other.score);
    if (at === -1 && best.length >= CHAT_LIMITS.suggestions) continue;
    best.splice(at === -1 ? best.length : at, 0, { file, score });
    if (best.length > CHAT_LIMITS.suggestions) best.pop();
  }
  return best.map(({ file }) => file);
}

const NAME_BEGINS = 0;
const PATH_BEGINS = 1;
const IN_NAME = 2;
const IN_PATH = 3;
const SCATTERED = 4;
/** Longer paths come later within one kind of match; no path is as long as this. */
const KIND = 100_000;

function scoreOf(file: string, wanted: string): number | null {
  const path = file.toLowerCase();
  const name = path.slice(path.lastIndexOf('/') + 1);
  const kind = kindOf(path, name, wanted);
  return kind === null ? null : kind * KIND + path.length;
}

function kindOf(path: string, name: string, wanted: string): number | null {
  if (name.startsWith(wanted)) return NAME_BEGINS;
  if (path.startsWith(wanted)) return PATH_BEGINS;
  if (name.includes(wanted)) return IN_NAME;
  if (path.includes(wanted)) return IN_PATH;
  let at = -1;
  for (const character of wanted) {
    at = path.indexOf(character, at + 1);
    if (at === -1) return null;
  }
  return SCATTERED;
}
