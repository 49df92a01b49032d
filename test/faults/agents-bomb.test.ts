/** Agents that start agents, each with a command in the background: over by itself, and gone with its process when that is killed. */

import { expect, it } from 'vitest';
import { createAgentHome } from '../support/agent-process.ts';
import { agentCall, calls, lastOf, pause, text, tool, wholeOf } from '../support/agents-story.ts';
import { type MessagesServer, startMessagesServer } from '../support/messages-server.ts';
import { say } from './fault-run.ts';
import { canSeeProcesses, endAllWith, newToken, startedWith, untilGone } from './started-with.ts';

const PATIENCE_MS = 25_000;
const ENVIRONMENT = { REVERIE_DISABLE_RECALL: '1', REVERIE_DISABLE_EXTRACTION: '1', REVERIE_DISABLE_NOTES: '1' };
const SETTINGS = JSON.stringify({ permissionMode: 'bypass', 'limits.agents.treeTokens': 400_000 });

function bomb(token: string, isFork: boolean): Promise<MessagesServer> {
  let made = 0;
  return startMessagesServer((request) => {
    const done = (wholeOf(request).match(/"tool_result"/g) ?? []).length;
    if (done === 0 || lastOf(request).includes('fork-directive'))
      return tool('Bash', { command: `sleep 1000.${token}`, run_in_background: true }, `toolu_b${made++}`);
    if (done >= 13) return text('Enough.');
    const all = Array.from({ length: 6 }, (_, at) => {
      return agentCall({ prompt: 'TASK-BOMB', fork: isFork, run_in_background: at > 2 }, `toolu_${made++}`);
    });
    return calls(...all);
  });
}

it.runIf(canSeeProcesses).each([
  ['agents', false],
  ['forks', true],
])('a bomb of %s leaves nobody behind, at its end and after a kill', { timeout: 180_000 }, async (name, isFork) => {
  const token = newToken();
  const server = await bomb(token, isFork);
  const home = createAgentHome(server.url);
  const line = ['-p', 'PARENT: explode.', '--settings', SETTINGS];
  try {
    const fromMs = performance.now();
    const whole = await home.run(line, { environment: ENVIRONMENT });
    expect(whole, whole.stderr).toMatchObject({ code: 0 });
    const tookMs = performance.now() - fromMs;
    await untilGone(token, PATIENCE_MS);
    const asked = server.requests.length;

    const killed = home.start(line, { environment: ENVIRONMENT });
    const deadline = Date.now() + PATIENCE_MS;
    while (startedWith(token).size < 3 && Date.now() < deadline) await pause(5);
    const alive = startedWith(token).size;
    killed.child.kill('SIGKILL');
    const goneMs = await untilGone(token, PATIENCE_MS);
    await killed.ended;
    const { byAgent } = JSON.parse((await home.here(['stats', '--json'])).stdout);
    const spawned = byAgent.length - 1;
    say(`bomb of ${name}: over in ${(tookMs / 1_000).toFixed(1)} s with ${asked} requests and ${spawned} agents;`);
    say(`  killed with ${alive} commands running, the last one was gone after ${goneMs.toFixed(0)} ms`);
    expect(alive).toBeGreaterThan(0);
  } finally {
    endAllWith(token);
    home.remove();
    await server.close();
  }
});
