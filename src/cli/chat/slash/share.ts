/** /copy: the last answer for the clipboard; /mcp: the servers that give the agent tools. */

import { textOf } from '../../../conversation/message.ts';
import { counted } from '../../paint-view/amounts.ts';
import { factLines } from '../../paint-view/facts-view.ts';
import type { NoticeKind } from '../../paint-view/frame-view.ts';
import { notice } from '../action.ts';
import type { SlashPorts } from './ports.ts';

/** Terminals take no more than about this much. */
const CLIPBOARD_BYTES = 74_994;

export function copy({ agent, dispatch, sendToTerminal }: SlashPorts): void {
  const say = (line: string, tone?: NoticeKind) => dispatch({ kind: 'print', output: notice(line, tone) });
  const answers = agent.entries().filter(({ message }) => message.role === 'assistant');
  const text = answers.map(({ message }) => textOf(message.content).trim()).findLast((each) => each !== '');
  if (text === undefined) {
    say('There is no answer yet to copy.', 'warning');
    return;
  }
  const bytes = Buffer.from(text);
  if (bytes.length > CLIPBOARD_BYTES) {
    const why = `The answer is too long for a terminal's clipboard (${counted(text.length, 'character')}): /export writes the conversation to a file.`;
    say(why, 'warning');
    return;
  }
  sendToTerminal(`\u001b]52;c;${bytes.toString('base64')}\u0007`);
  const done = `${counted(text.length, 'character')} sent to the terminal's clipboard (OSC 52; where it stays empty, the terminal does not allow that).`;
  say(done, 'success');
}

export function mcp({ agent, dispatch, width, paint }: SlashPorts): void {
  const servers = agent.servers();
  if (servers.length === 0) {
    const text = 'There are no tool servers. They are named in the setting mcpServers: /config mcpServers';
    dispatch({ kind: 'print', output: notice(text) });
    return;
  }
  const rows = servers.map(({ name, state, reason, tools, toolNames }) => {
    const names = toolNames.length === 0 ? '' : `: ${toolNames.join(', ')}`;
    return [
      name,
      state === 'connected' ? `connected, ${counted(tools, 'tool')}${names}` : `${state}: ${reason}`,
    ] as const;
  });
  dispatch({ kind: 'print', output: { kind: 'lines', lines: factLines({ rows, width, paint }) } });
}
