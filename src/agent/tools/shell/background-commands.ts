/** BashOutput and KillShell: what a command in the background wrote since last time, and its end. */

import type { Tool } from '../../tool.ts';
import { failed, textIn } from '../answer.ts';
import type { BuiltInPorts } from '../ports.ts';
import { matchingLines } from '../search/ripgrep.ts';
import type { BackgroundCommand, Shells } from './shells.ts';

type Ports = BuiltInPorts & { readonly shells: Shells };

export function bashOutputTool({ shells }: Ports): Tool {
  return {
    name: 'BashOutput',
    description: `Shows what a command in the background wrote since you last looked, and whether it still runs.
- \`bash_id\` is the id that Bash gave.
- \`filter\` shows only the lines that match a regular expression; the others are gone then.
- Do not look again and again without need: do other work, or wait with \`sleep\` in Bash.`,
    inputSchema: {
      type: 'object',
      properties: {
        bash_id: { type: 'string', description: 'The id of the command.' },
        filter: { type: 'string', description: 'Regular expression for the lines to show.' },
      },
      required: ['bash_id'],
      additionalProperties: false,
    },
    isReadOnly: () => true,
    async run(input, run) {
      const command = find(shells, textIn(input, 'bash_id'));
      if (command === undefined) return failed(unknownId(shells, textIn(input, 'bash_id')));
      const state = describeState(command);
      const output = command.takeOutput();
      const notes = (await command.notes()).map((note) => `\n[${note}]`).join('');
      const filter = textIn(input, 'filter');
      if (filter === '') return { content: `[${state}]\n${output.trimEnd() || '(nothing new)'}${notes}` };
      const matching = await matchingLines(output, filter, run.signal);
      if (matching.kind === 'wrong') return failed(`${matching.reason}\nAll of it:\n[${state}]\n${output.trimEnd()}`);
      return { content: `[${state}]\n${matching.text.trimEnd() || '(nothing new matches)'}${notes}` };
    },
  };
}

export function killShellTool({ shells }: Ports): Tool {
  return {
    name: 'KillShell',
    description:
      'Ends a command that runs in the background, with all it started. `shell_id` is the id that Bash gave.',
    inputSchema: {
      type: 'object',
      properties: { shell_id: { type: 'string', description: 'The id of the command.' } },
      required: ['shell_id'],
      additionalProperties: false,
    },
    isReadOnly: () => false,
    async run(input) {
      const id = textIn(input, 'shell_id');
      const command = find(shells, id);
      if (command === undefined) return failed(unknownId(shells, id));
      const wasRunning = command.state() === 'running';
      await shells.stop(id);
      const notes = (await command.notes()).map((note) => `\n[${note}]`).join('');
      const answer = wasRunning ? `${id} was ended.` : `${id} was over already (${describeState(command)}).`;
      return { content: answer + notes };
    },
  };
}

function find(shells: Shells, id: string): BackgroundCommand | undefined {
  return shells.background().find((command) => command.id === id);
}

function unknownId(shells: Shells, id: string): string {
  const known = shells.background().map((command) => command.id);
  return `There is no command ${JSON.stringify(id)} in the background. ${known.length === 0 ? 'None was started.' : `Known: ${known.join(', ')}.`}`;
}

function describeState(command: BackgroundCommand): string {
  const state = command.state();
  if (typeof state === 'string') return state;
  return state.signal === null ? `ended with exit code ${state.code}` : `ended by ${state.signal}`;
}
