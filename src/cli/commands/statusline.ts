/** `reverie statusline`: only its help. The binary prints the line itself, before any command is loaded. */

import { defineCommand } from '../command.ts';

export const command = defineCommand({
  arguments: [{ name: 'HOST', help: 'Whose session it is: claude-code unless given', required: false }],
  about:
    'Prints one line: how many memories there are, how many this session was given, what was saved today, and what learning and background work cost today. ' +
    'It reads the JSON that Claude Code sends to a status line, and does without. Set it up there with "statusLine": { "type": "command", "command": "reverie statusline" }.',
  options: {},
  examples: ['reverie statusline', 'reverie statusline claude-code < payload.json'],
  // Reached only with flags before the word `statusline`.
  run: async () => ({ data: {}, text: '' }),
});
