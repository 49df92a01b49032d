/** Allow and deny rules for shell lines, over HTTP with the real SDK: what runs is what bash would run, not what the line looks like. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are meant for a shell.

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { type MessagesServer, startMessagesServer } from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let agent: SteerableAgent;
let server: MessagesServer;

afterEach(async () => {
  await agent.close();
  await server.close();
});

/** Whether the line ran, and whether it left the file `trap`. */
async function run(command: string, permissions: Readonly<Record<string, readonly string[]>>) {
  const root = temporaryFolder('shell-rules');
  const project = join(root, 'project');
  mkdirSync(project);
  server = await startMessagesServer((_request, index) => ({
    content:
      index === 0
        ? [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command } }]
        : [{ type: 'text', text: 'Done.' }],
  }));
  agent = await openAgent({
    cwd: project,
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server.url },
    // What no rule covers would run in the sandbox.
    settings: {
      'recall.selector': 'local',
      'layers.notes': false,
      'layers.extraction': false,
      sandbox: 'off',
      permissions,
    },
  });
  for await (const _ of agent.send('Go on.'));
  const result = server.requests[1]!.body.messages.at(-1).content[0];
  return { ran: result.is_error !== true, isTrapped: existsSync(join(project, 'trap')) };
}

const allow = ['Bash(basename:*)'];
/** The quotes inside end sooner than they seem to, and what follows is a command. */
const QUOTES_IN_EXPANSION = `basename "a\${x#'"'}"; touch trap #}"`;

it.each([
  ['basename a/b', true],
  ["basename 'a b' && basename c 2>&1", true],
  ["basename a ''{a,b}", false],
  [QUOTES_IN_EXPANSION, false],
  ['LINES="$(touch trap)" basename a', false],
  ['CI[$(touch trap)]=1 basename a', false],
  ['for PATH in /usr/bin:/bin; do basename a; done', false],
  ['basename "a$x"', false],
])('an allow rule: %s runs: %s', async (command, ran) => {
  expect(await run(command, { allow })).toEqual({ ran, isTrapped: false });
});

it.each([
  "''{touch,trap}",
  QUOTES_IN_EXPANSION,
  'echo "${x:-\'$(touch trap)\'}"',
  'a[$(touch trap)]=1',
  "eval 'A=b touch trap'",
])('a deny rule holds for %s', async (command) => {
  expect(await run(command, { allow: ['Bash'], deny: ['Bash(touch:*)'] })).toEqual({ ran: false, isTrapped: false });
});
