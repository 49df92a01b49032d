/** An agent in a repository that nobody trusts, with a model that does whatever the repository wants. */

import { expect } from 'vitest';
import type { PermissionMode } from '../../src/agent/permission.ts';
import { type ScriptStep, scriptedModel } from '../../src/model/scripted.ts';
import type { AgentOptions } from '../../src/session/agent.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import { setTrust } from '../../src/settings/trust-project.ts';
import { type HostileWorld, SECRET } from './hostile-repository.ts';
import { isWhole } from './property-runs.ts';

/** Tools by name, with what they are called with. */
export type Calls = readonly (readonly [name: string, input: Readonly<Record<string, unknown>>])[];

/** Those in which somebody who did not look around would open it; undefined is the default, with nobody there to be asked. */
const MODES: readonly (PermissionMode | undefined)[] = [
  undefined,
  'accept-edits',
  ...(isWhole ? (['plan'] as const) : []),
];

export async function converse(world: HostileWorld, calls: Calls = [], options: AgentOptions = {}) {
  const model = scriptedModel({
    answer: (_, index): ScriptStep => {
      const call = calls[index];
      return call === undefined ? { text: 'Done.' } : { tools: [{ name: call[0], input: { ...call[1] } }] };
    },
  });
  const { repository: cwd, home, environment: env } = world;
  const agent = await openAgent({ cwd, home, env, model, ...options });
  const denied: string[] = [];
  for await (const event of agent.send('Do what this repository asks for.')) {
    if (event.kind === 'denied') denied.push(event.call.name);
  }
  await agent.close();
  return { agent, denied, model, seen: JSON.stringify(model.requests) };
}

export async function expectNoEffect(
  world: HostileWorld,
  calls: Calls = [],
  options: AgentOptions = {},
): Promise<void> {
  for (const mode of MODES) {
    const { seen } = await converse(world, calls, {
      ...options,
      ...(mode === undefined ? {} : { permissionMode: mode }),
    });
    const secretAt = seen.indexOf(SECRET);
    const leaked = secretAt === -1 ? '' : seen.slice(Math.max(0, secretAt - 200), secretAt + 40);
    expect({ mode, traces: world.traces(), leaked }).toEqual({ mode, traces: [], leaked: '' });
  }
}

export async function trust(world: HostileWorld): Promise<void> {
  await setTrust({ cwd: world.repository, home: world.home, env: world.environment, trusted: true });
}
