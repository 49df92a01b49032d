/** What is said when a chat is left: which agents end with it, and how to go on. */

import type { SteerableAgent } from '../../session/steering.ts';
import type { Place } from '../command.ts';
import { nextCommand } from '../next-command.ts';
import { plainLine } from '../terminal/plain-text.ts';

type LeftAgent = Pick<SteerableAgent, 'agents' | 'entries' | 'sessionId' | 'transcriptFile'>;

export function farewellLines(agent: LeftAgent | null, place: Place): readonly string[] {
  if (agent === null) return [];
  const working = agent.agents().filter(({ state }) => state === 'running');
  const names = working.map(({ name }) => plainLine(name)).join(', ');
  const ended =
    working.length === 1
      ? '1 agent was still working and ends here'
      : `${working.length} agents were still working and end here`;
  const isKept = agent.transcriptFile !== null && agent.entries().length > 0;
  return [
    ...(working.length === 0 ? [] : [`${ended}: ${names}`]),
    ...(isKept ? [`To go on: ${nextCommand(place, ['--resume', agent.sessionId])}`] : []),
  ];
}
