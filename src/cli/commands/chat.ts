/** `reverie` and `reverie chat`: the agent on the terminal; without a terminal or a model, the tour. */

import type { AgentOptions } from '../../session/agent.ts';
import type { SteerableAgent } from '../../session/agent-steering.ts';
import { CHAT_OPTIONS } from '../chat-options.ts';
import { type Command, defineCommand } from '../command.ts';
import { command as tour } from '../tour.ts';

export interface ChatCommandPorts {
  openAgent(options: AgentOptions): Promise<SteerableAgent>;
}

export function chatCommand(_: ChatCommandPorts): Command {
  return defineCommand({
    arguments: [],
    about: 'Typing while the agent works queues the message; Escape interrupts it; /help lists keys and commands.',
    options: CHAT_OPTIONS,
    examples: ['reverie', 'reverie --continue', 'reverie --resume', 'reverie chat --permission-mode plan'],
    run: (invocation) => tour.run(invocation as never),
  });
}
