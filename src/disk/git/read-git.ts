/** Asks git something, record by record. */

import { spawn } from 'node:child_process';
import { HARMLESS_GIT_OPTIONS, harmlessGitEnvironment } from './harmless-git.ts';

export interface GitReading {
  readonly cwd: string;
  readonly separator: string;
  readonly signal: AbortSignal;
  readonly onRecord: (record: string) => void;
}

/** False when git is missing, refuses or is too slow. */
export function readGit(words: readonly string[], { cwd, separator, signal, onRecord }: GitReading): Promise<boolean> {
  return new Promise((resolve) => {
    let rest = '';
    const child = spawn('git', [...HARMLESS_GIT_OPTIONS, ...words], {
      ...{ cwd, env: harmlessGitEnvironment(process.env), stdio: ['ignore', 'pipe', 'ignore'] },
      ...{ signal, killSignal: 'SIGKILL', windowsHide: true },
    });
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      const records = (rest + chunk).split(separator);
      rest = records.pop() ?? '';
      for (const record of records) onRecord(record);
    });
    child.on('error', () => resolve(false));
    child.on('close', (status) => resolve(status === 0));
  });
}
