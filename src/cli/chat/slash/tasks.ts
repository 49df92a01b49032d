/** /tasks: what runs alongside the conversation, commands, agents and a dream, and ending one of them. */

import type { BackgroundCommand } from '../../../agent/tools/shell/shells.ts';
import type { DreamProgress } from '../../../layers/6-dreaming/progress.ts';
import { dreamTaskLines } from '../../paint-view/dream-view.ts';
import { factLines } from '../../paint-view/facts-view.ts';
import { notice } from '../action.ts';
import { agentLines } from './agents.ts';
import type { SlashPorts } from './ports.ts';
import { inSlashWords } from './words.ts';

export async function tasks(argument: string, ports: SlashPorts): Promise<void> {
  const { agent, width, paint } = ports;
  const [verb, id] = argument.split(/\s+/);
  if (verb === 'stop' && id !== undefined) return stop(id, ports);
  const commands = agent.background();
  const progress = agent.dream.progress();
  const running = agent.agents().filter(({ state }) => state === 'running');
  if (running.length > 0)
    ports.dispatch({ kind: 'print', output: { kind: 'lines', lines: agentLines(running, ports) } });
  if (commands.length === 0 && progress === null) {
    if (running.length > 0) return;
    return ports.dispatch({ kind: 'print', output: notice('Nothing runs in the background.') });
  }
  const rows = commands.length === 0 ? [] : factLines({ rows: commands.map(taskRow), width, paint });
  const dreamt = progress === null ? [] : dreamTaskLines({ progress: inSlash(progress), width, paint });
  ports.dispatch({ kind: 'print', output: { kind: 'lines', lines: [...rows, ...dreamt] } });
  const first = commands[0]?.id ?? (progress?.status === 'running' ? progress.id : undefined);
  if (first !== undefined) ports.dispatch({ kind: 'print', output: notice(`To end one: /tasks stop ${first}`) });
}

function inSlash(progress: DreamProgress): DreamProgress {
  return progress.closing === null ? progress : { ...progress, closing: inSlashWords(progress.closing) };
}

/** The dream itself reports how it ended. */
async function stop(id: string, { agent, dispatch }: SlashPorts): Promise<void> {
  const isDream = id === 'dream' || id === agent.dream.progress()?.id;
  if (isDream && (await agent.dream.stop())) return;
  const isKnown = agent.stopAgent(id) || (await agent.stopBackground(id));
  const output = isKnown ? notice(`${id} is stopped.`, 'success') : notice(`There is no task ${id}.`, 'warning');
  dispatch({ kind: 'print', output });
}

function taskRow(command: BackgroundCommand): readonly [string, string] {
  const state = command.state();
  const how = typeof state === 'string' ? state : `ended with ${state.signal ?? `exit code ${state.code}`}`;
  return [command.id, `${how}: ${command.command}`];
}
