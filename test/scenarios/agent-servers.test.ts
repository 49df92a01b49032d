/** MCP servers of the settings in a whole conversation: their tools are there, rules for them hold, a dead one costs a line. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { type ScriptStep, scriptedModel } from '../../src/model/scripted.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import { toolServer } from '../support/mcp-servers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;

beforeEach(() => {
  root = temporaryFolder('servers');
  mkdirSync(join(root, 'project'));
});

async function converse(settings: Record<string, unknown>, steps: readonly ScriptStep[]) {
  const model = scriptedModel({ steps });
  const agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH },
    model,
    settings,
    permissionMode: 'bypass',
  });
  const events: AgentEvent[] = [];
  for await (const event of agent.send('Go.')) events.push(event);
  await agent.close();
  return { model, events, agent };
}

const call = (name: string, input: Record<string, unknown> = {}): ScriptStep => ({ tools: [{ name, input }] });

describe('MCP servers of the settings', () => {
  it('bring tools that the model can call', async () => {
    const { model, events, agent } = await converse({ mcpServers: { helper: toolServer() } }, [
      call('mcp__helper__echo', { text: 'hello there' }),
      { text: 'Done.' },
    ]);
    expect(agent.tools.some((name) => name.startsWith('mcp__helper__'))).toBe(true);
    expect(JSON.stringify(model.requests[1]!.messages)).toContain('hello there');
    expect(events.at(-1)).toEqual({ kind: 'turn-ended', outcome: { kind: 'answered' } });
  });

  it('obey a deny, also where a tool is called through another one', async () => {
    const settings = { permissions: { deny: ['mcp__helper__echo'] } };
    const servers = { mcpServers: { helper: toolServer() } };
    const direct = await converse({ ...servers, ...settings }, [
      call('mcp__helper__echo', { text: 'x' }),
      { text: 'No.' },
    ]);
    expect(direct.events.some(({ kind }) => kind === 'denied')).toBe(true);
    const deferred = { ...servers, ...settings, 'limits.mcpServers.schemaShare': 0.000001 };
    const through = await converse(deferred, [
      call('McpCall', { tool: 'mcp__helper__echo', input: { text: 'x' } }),
      { text: 'No.' },
    ]);
    expect(through.agent.tools).toContain('McpCall');
    expect(through.events.some(({ kind }) => kind === 'denied')).toBe(true);
  });

  it('that are dead cost a line and not the session', async () => {
    const dead = { command: process.execPath, args: ['-e', 'process.exit(3)'] };
    const { events, agent } = await converse({ mcpServers: { dead } }, [{ text: 'Fine.' }]);
    expect(agent.warnings.filter((line) => line.includes('dead'))).toHaveLength(1);
    expect(events.at(-1)).toEqual({ kind: 'turn-ended', outcome: { kind: 'answered' } });
  });
});
