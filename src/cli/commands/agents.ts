/** `reverie agents`: which kinds of agents there are here, and which agents run just now in any session of this project. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sessionLayout } from '../../disk/home.ts';
import { isSessionHeld } from '../../disk/sessions/hold.ts';
import { transcriptsOf } from '../../disk/sessions/sessions.ts';
import { readAgentRecords } from '../../disk/transcript/agent-records.ts';
import { findDefinitions } from '../../layers/7-agents/index.ts';
import { findPlace, type Place } from '../../settings/place.ts';
import { isTrusted } from '../../settings/settings.ts';
import { defineCommand } from '../command.ts';
import { placeOptions } from '../options/place-options.ts';
import { type Column, fitColumns } from '../terminal/columns.ts';
import { plainLine } from '../terminal/plain-text.ts';

interface RunningAgent {
  readonly session: string;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly started: string;
}

export const command = defineCommand({
  arguments: [],
  about:
    'Kinds are markdown files with a header (name, description, tools, model …) in .reverie/agents, .claude/agents and ~/.reverie/agents; the text is the system prompt.',
  options: {},
  examples: ['reverie agents', 'reverie agents --json'],
  async run({ place: given, environment, terminal }) {
    const place = findPlace(placeOptions(given, environment));
    const { home, userHome, projectRoot, isBare } = place;
    const facts = { home, userHome, projectRoot, isBare, isTrusted: isTrusted(home, projectRoot) };
    const { definitions, untrusted, warnings } = findDefinitions(facts);
    const running = await runningAgents(place);
    const { paint, width } = terminal;
    const row = (name: string, from: string, description: string) => [
      { text: plainLine(name), paint: paint.yellow },
      { text: from, paint: paint.dim },
      { text: plainLine(description) },
    ];
    const kinds = [
      ...definitions.map(({ name, from, description }) => row(name, from, description)),
      ...untrusted.map(({ name, description }) => row(name, 'not trusted', description)),
    ];
    const alive = running.map(({ name, type, session, started }) => row(name, type, `since ${started} in ${session}`));
    const text = [
      ...fitColumns(kinds, { columns: COLUMNS, width }),
      '',
      ...(alive.length === 0 ? ['No agent is running.'] : fitColumns(alive, { columns: COLUMNS, width })),
      ...warnings.map((line) => `${paint.yellow('warning:')} ${plainLine(line)}`),
    ];
    return { data: { types: definitions, untrusted, running }, text: text.join('\n') };
  },
});

const COLUMNS: readonly Column[] = [{ fit: 'whole' }, { fit: 'whole', drop: 1 }, { fit: 'rest', below: true }];

/** Of sessions that a process holds: those that began and have not ended. */
async function runningAgents({ home, slug, limits }: Place): Promise<readonly RunningAgent[]> {
  const found: RunningAgent[] = [];
  for (const { id: session } of transcriptsOf({ home, slug, limits: limits.transcripts })) {
    const folder = join(sessionLayout({ home, slug, sessionId: session }).folder, 'agents');
    if (!existsSync(folder) || !isSessionHeld({ home, slug, sessionId: session })) continue;
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.jsonl'))) {
      const { records } = await readAgentRecords(join(folder, name), limits.transcripts);
      const own = records.filter(({ id }) => `${id}.jsonl` === name);
      const begun = own.find(({ event }) => event === 'started');
      if (begun === undefined || own.some(({ event }) => event === 'ended')) continue;
      const { id, at: started } = begun;
      found.push({ session, id, name: begun.name ?? id, type: begun.agentType ?? 'general', started });
    }
  }
  return found;
}
