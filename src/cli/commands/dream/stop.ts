/** `reverie dream stop`: ends the running dream, whichever process runs it. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ReverieError } from '../../../errors.ts';
import { settleDeadDreams } from '../../../layers/6-dreaming/records/dead.ts';
import { askStop, clearProgress, readProgress } from '../../../layers/6-dreaming/records/progress.ts';
import { TERMINAL_LIMITS } from '../../../limits.ts';
import { defineCommand } from '../../command.ts';
import { placeLimits } from '../../options/place-options.ts';
import { plainLine } from '../../terminal/plain-text.ts';

export const command = defineCommand({
  arguments: [],
  about:
    'It ends before its next step; nothing of it lands, and its time is given back. The next one by itself waits all the same: an hour after a first stop, then longer.',
  options: {},
  examples: ['reverie dream stop'],
  async run({ terminal, place, environment, openMemory }) {
    const memory = await openMemory();
    const stopped: { id: string; scope: string; ended: boolean }[] = [];
    for (const folder of Object.values(memory.folders)) {
      const seen = readProgress(folder);
      if (seen === null) continue;
      const { id, scope, status } = seen.progress;
      if (seen.liveness === 'gone') {
        await settleDeadDreams(folder, { patience: placeLimits(place, environment).lock });
        clearProgress(folder, id);
      } else if (status === 'running') {
        await askStop(folder, id);
        stopped.push({ id, scope, ended: await hasEnded(folder, { id, signal: terminal.interrupted }) });
      }
    }
    if (stopped.length === 0) {
      throw new ReverieError({
        code: 'not-found',
        message: 'No dream is running',
        fix: 'What became of the last one: reverie status',
      });
    }
    const lines = stopped.map(({ id, scope, ended }) => {
      const what = `dream ${plainLine(id)} of the ${scope} memory`;
      return ended
        ? `${terminal.paint.green('Ended')} ${what}`
        : `Asked ${what} to end; it does so before its next step.`;
    });
    return { data: stopped, text: lines.join('\n') };
  },
});

async function hasEnded(
  folder: string,
  facts: { readonly id: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const deadline = Date.now() + TERMINAL_LIMITS.dreamStopMs;
  for (;;) {
    const seen = readProgress(folder);
    if (seen?.progress.id !== facts.id || seen.progress.status !== 'running' || seen.liveness === 'gone') return true;
    if (Date.now() > deadline || facts.signal.aborted) return false;
    await sleep(TERMINAL_LIMITS.progressEveryMs);
  }
}
