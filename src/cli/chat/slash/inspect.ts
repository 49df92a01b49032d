/** `/inspect`: the inspector beside the chat, as a process of its own, so that no turn waits for it; it ends with the chat. */

import { packagePath } from '../../../base/package-files.ts';
import { startProgram } from '../../../disk/programs.ts';
import { ReverieError } from '../../../errors.ts';
import { placeFlags } from '../../next-command.ts';
import { notice } from '../action.ts';
import type { SlashPorts } from './ports.ts';

export async function inspect({ agent, place, environment, terminal, dispatch }: SlashPorts): Promise<void> {
  const session = agent.transcriptFile === null || agent.entries().length === 0 ? [] : [agent.sessionId];
  const words = [packagePath('dist/main.js'), 'serve', ...session, '--with-parent', ...placeFlags(place)];
  const child = startProgram(process.execPath, words, {
    cwd: agent.cwd,
    environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  terminal.atEnd(() => child.kill());
  const told = await new Promise<string>((resolve, reject) => {
    let failed = '';
    child.stderr?.on('data', (chunk) => {
      failed += String(chunk);
    });
    child.stdout?.once('data', (chunk) => resolve(String(chunk).trim()));
    child.once('error', reject);
    child.once('exit', () => {
      reject(
        new ReverieError({
          code: 'storage',
          message: `The inspector did not start. ${failed.trim()}`,
          fix: 'Try it by itself: reverie serve',
        }),
      );
    });
  });
  // It goes on by itself: leaving the chat must not wait for it.
  child.unref();
  dispatch({ kind: 'print', output: notice(told.replace('Ctrl-C ends it.', 'It ends with the chat.')) });
}
