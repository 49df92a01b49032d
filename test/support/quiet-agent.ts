/** Options of an agent that asks its model for nothing but the conversation. */

import { join } from 'node:path';
import type { AgentOptions } from '../../src/session/agent.ts';

export function quietAgent(root: string, server: { readonly url: string }) {
  return {
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: {
      HOME: root,
      PATH: process.env.PATH,
      ANTHROPIC_API_KEY: 'not-a-key',
      ANTHROPIC_BASE_URL: server.url,
      REVERIE_DISABLE_NOTES: '1',
      REVERIE_DISABLE_EXTRACTION: '1',
      REVERIE_DISABLE_RECALL: '1',
    },
    permissionMode: 'bypass',
  } satisfies AgentOptions;
}
