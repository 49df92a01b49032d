/** `reverie hook`: only its help. The binary answers hooks itself, before any command is loaded. */

import { defineCommand } from '../command.ts';

export const command = defineCommand({
  arguments: [
    { name: 'HOST', help: 'One of claude-code, codex, gemini, opencode, cursor', required: true },
    { name: 'EVENT', help: "The host's own name of the event, such as SessionStart", required: true },
  ],
  about:
    'Called by coding agents, as `reverie install` sets it up: reads the payload of the host on standard input and answers in its form. ' +
    'It never fails towards the host: whatever breaks, it answers {} with exit code 0 within two seconds, and `reverie status` says what broke.',
  options: {},
  examples: ['reverie hook claude-code UserPromptSubmit < payload.json'],
  // Reached only with flags before the word `hook`, which no host uses.
  run: async () => ({ data: {}, text: '{}' }),
});
