/** The SendMessage tool of one conversation. */

import type { Tool } from '../../agent/tool.ts';
import { fillPrompt } from '../../base/prompt-file.ts';
import { ReverieError } from '../../errors.ts';
import { isMessageKind } from '../../mailbox/kinds.ts';
import { MESSAGE_LIMITS } from '../../mailbox/layout.ts';
import type { Post } from './post.ts';

export const SEND_TOOL = 'SendMessage';

export function sendTool(from: string, send: Post['send']): Tool {
  return {
    name: SEND_TOOL,
    description: fillPrompt('send-message', { name: from }),
    inputSchema: {
      type: 'object',
      properties: {
        to: { type: 'string', description: 'A name, `*`, or `uds:<path>`.' },
        message: { type: 'string', description: 'What to say, with all that the other must know.' },
        summary: {
          type: 'string',
          maxLength: MESSAGE_LIMITS.summaryCharacters,
          description: 'It in five to ten words, for the user.',
        },
        kind: {
          type: 'string',
          enum: ['shutdown_request', 'shutdown_response', 'plan_approval_response'],
          description: 'Only to ask a teammate to end, or to answer such a request or a plan.',
        },
        approve: { type: 'boolean', description: 'Of an answer: yes or no.' },
        answers: { type: 'string', description: 'The id of the message that this answers.' },
      },
      required: ['to', 'message', 'summary'],
      additionalProperties: false,
    },
    // It changes nothing but what another agent reads.
    isReadOnly: () => true,
    async run(input) {
      const [to, message, summary] = [String(input.to), String(input.message), String(input.summary)];
      const more = {
        ...(isMessageKind(input.kind) ? { kind: input.kind } : {}),
        ...(typeof input.approve === 'boolean' ? { approve: input.approve } : {}),
        ...(typeof input.answers === 'string' ? { answers: input.answers } : {}),
      };
      try {
        return { content: await send(from, { to, message, summary, ...more }) };
      } catch (error) {
        if (!(error instanceof ReverieError)) throw error;
        return { content: [error.message, error.fix].filter((part) => part !== '').join(' '), isError: true };
      }
    },
  };
}
