/** `reverie stats`: what the agent's calls cost and what the prompt cache saved, from the ledger. */

import { didYouMean } from '../../base/text/nearest.ts';
import { TERMINAL_LIMITS } from '../../limits.ts';
import { gatherLedgerProblems } from '../../reports/doctor/ledger.ts';
import { type HealthOptions, type MemoryHealth, readMemoryHealth } from '../../reports/memory-health.ts';
import { readAgentStats } from '../../reports/stats/read.ts';
import { findPlace } from '../../settings/place.ts';
import { defineCommand, type Invocation } from '../command.ts';
import { placeOptions, settingFacts } from '../options/place-options.ts';
import { usageError } from '../options/usage.ts';
import { problemLines } from '../problem-lines.ts';
import { cacheText, statsText } from '../stats-text.ts';
import { fitLines } from '../terminal/fit-lines.ts';

export const command = defineCommand({
  arguments: [{ name: 'cache', required: false, help: 'Show each prompt-cache break and its cause' }],
  about: 'Of all projects; pollution and staleness of the memory here. What nothing measured is left out.',
  options: {
    days: { kind: 'number', value: 'N', help: `Only the last N days (${TERMINAL_LIMITS.statsDays}, today included)` },
    session: { kind: 'text', value: 'ID', help: 'Only this session, whenever it was' },
  },
  examples: ['reverie stats', 'reverie stats --days 7 --json', 'reverie stats cache'],
  async run(invocation) {
    const { options, place, environment, terminal, now } = invocation;
    const [topic] = invocation.arguments;
    if (topic !== undefined && topic !== 'cache') throw unknownTopic(topic);
    const { session } = options;
    if (session !== undefined && options.days !== undefined) {
      throw usageError('--session is one session, whenever it was; --days does not go with it.', 'stats');
    }
    const { home } = settingFacts(place, environment);
    const days = options.days ?? TERMINAL_LIMITS.statsDays;
    const ledger = gatherLedgerProblems(home);
    const { onProblem } = ledger;
    const stats = await readAgentStats({ home, now, onProblem, ...(session === undefined ? { days } : { session }) });
    const isOfMemory = topic === undefined && session === undefined;
    const memory = isOfMemory ? await memoryHere(invocation, { days, onProblem }) : null;
    const problems = ledger.lines();
    const data = { ...(topic === 'cache' ? stats.cache : { ...stats, memory }), problems };
    const when =
      session === undefined ? `in the last ${days === 1 ? 'day' : `${days} days`}` : `for session ${session}`;
    const text =
      stats.sessions === 0
        ? `No call of a model is recorded ${when}.`
        : topic === 'cache'
          ? cacheText(stats.cache, { ...terminal, now })
          : statsText({ ...stats, memory }, terminal);
    const lines = [text, ...problemLines(problems, terminal.paint)];
    return { data, text: fitLines(lines.join('\n'), terminal.width) };
  },
});

async function memoryHere(
  { place, environment, now, openMemory }: Pick<Invocation, 'place' | 'environment' | 'now' | 'openMemory'>,
  facts: Pick<HealthOptions, 'days' | 'onProblem'>,
): Promise<MemoryHealth | null> {
  // A ledger can be read without a memory, whatever is wrong with that.
  const memory = await openMemory().catch(() => null);
  if (memory === null || !memory.enabled) return null;
  return readMemoryHealth({ place: findPlace(placeOptions(place, environment)), memory, now, ...facts });
}

function unknownTopic(topic: string): Error {
  const hint = didYouMean(topic, ['cache']);
  return usageError(
    `There are no stats of ${topic}${hint === '' ? '.' : `; ${hint}`}`,
    'stats',
    'Write: reverie stats cache',
  );
}
