/** The agent's tool `Snip`: takes an earlier exchange out of the conversation; carried out before the next request, when nothing else is running. */

import type { Tool } from '../../agent/tool.ts';
import { failed, textIn } from '../../agent/tools/answer.ts';
import type { Entry } from '../../conversation/entry.ts';
import { ownText } from '../../conversation/own-words.ts';
import { isPrompt, type SnipRange, turnRange } from './decide.ts';

const DESCRIPTION = `Takes an earlier exchange out of this conversation: one message of the user's and all work up to the next one.
- Use it for a wrong turn, or for something long and settled that nothing depends on any more.
- \`words\`: words of that message, enough to tell it from the others. The message you are answering cannot be taken out.
- What you still need of it, say first: you will not see it again. The transcript keeps it.`;

export function snipTool(ports: {
  readonly entries: () => readonly Entry[];
  readonly take: (range: SnipRange) => void;
}): Tool {
  return {
    name: 'Snip',
    description: DESCRIPTION,
    inputSchema: {
      type: 'object',
      properties: { words: { type: 'string', description: 'Words of the message that began the exchange.' } },
      required: ['words'],
      additionalProperties: false,
    },
    // It changes no file; that it is there at all is the user's choice.
    isReadOnly: () => true,
    async run(input) {
      const words = textIn(input, 'words').trim();
      const entries = ports.entries();
      const prompts = entries.filter(isPrompt);
      const meant = prompts.filter((entry) => words !== '' && ownText(entry).includes(words));
      if (meant.length === 0) return failed('No message of the user’s has these words. Quote it exactly.');
      if (meant.length > 1) return failed(`${meant.length} messages have these words. Quote more of the one you mean.`);
      if (meant[0] === prompts.at(-1)) return failed('That is the message you are answering: it stays.');
      ports.take(turnRange(entries, meant[0]!.uuid)!);
      return { content: 'It is out of the conversation from your next step on.' };
    },
  };
}
