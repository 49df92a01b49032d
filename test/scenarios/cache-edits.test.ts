/** Deleting results from a provider's cache: sent to a model that can do it, at the same place for good; to others nothing is sent or booked. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLEARED_TEXT } from '../../src/layers/2-microcompact/index.ts';
import type { ModelRequest } from '../../src/model/model.ts';
import { type ScriptedModel, scriptedModel } from '../../src/model/scripted.ts';
import { openAgent } from '../../src/session/open-agent.ts';
import type { SteerableAgent } from '../../src/session/steering.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
const agents: SteerableAgent[] = [];

beforeEach(() => {
  root = temporaryFolder('cache-edits');
  mkdirSync(join(root, 'project'));
  for (let file = 0; file < 8; file++) {
    writeFileSync(join(root, 'project', `f${file}.txt`), `Line of file ${file}.\n`.repeat(100));
  }
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
});

/** Reads eight files one by one, then answers. */
function reader(capabilities: { readonly cacheEdits?: boolean }): ScriptedModel {
  return scriptedModel({
    capabilities,
    answer: ({ messages }) => {
      const reads = messages.filter(({ content }) => content.some(({ type }) => type === 'tool_result')).length;
      return reads >= 8 ? { text: 'Done.' } : { tools: [{ name: 'Read', input: { file_path: `f${reads}.txt` } }] };
    },
  });
}

async function work(model: ScriptedModel, resume?: string): Promise<SteerableAgent> {
  const agent = await openAgent({
    cwd: join(root, 'project'),
    home: join(root, 'home'),
    env: { HOME: root, PATH: process.env.PATH },
    model,
    permissionMode: 'bypass',
    settings: {
      'microcompact.cacheEdits': true,
      'limits.microcompact.cacheEditResults': 6,
      'limits.microcompact.keptResults': 2,
      ...{ 'layers.notes': false, 'layers.extraction': false, 'layers.recall': false },
    },
    ...(resume === undefined ? {} : { resume }),
  });
  agents.push(agent);
  for await (const event of agent.send('Read them all.')) {
    if (event.kind === 'turn-ended') expect(event.outcome).toEqual({ kind: 'answered' });
  }
  return agent;
}

function bookedClearings(): readonly string[] {
  const folder = join(root, 'home', 'ledger');
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  return lines.filter((line) => line.includes('"microcompact"'));
}

const isWhole = ({ messages }: ModelRequest) => !JSON.stringify(messages).includes(CLEARED_TEXT);

describe('cache edits', () => {
  it('reach a model that takes them, with the messages as they were, and stay where they are', async () => {
    const model = reader({ cacheEdits: true });
    const agent = await work(model);
    const first = model.requests.findIndex(({ cacheEdits }) => cacheEdits !== undefined);
    expect(first).toBe(7);
    const edits = model.requests[first]!.cacheEdits!;
    expect(edits).toEqual([{ message: model.requests[first]!.messages.length - 1, toolUseIds: expect.any(Array) }]);
    expect(edits[0]!.toolUseIds).toHaveLength(5);
    expect(model.requests.slice(first).every(({ cacheEdits }) => cacheEdits![0] === edits[0])).toBe(true);
    expect(model.requests.every(isWhole)).toBe(true);
    expect(bookedClearings()).toHaveLength(1);
    await agent.close();

    const again = reader({ cacheEdits: true });
    await work(again, agent.sessionId);
    expect(again.requests[0]!.cacheEdits).toEqual(edits);
  });

  it('are neither sent nor booked where the provider cannot', async () => {
    const model = reader({});
    await work(model);
    expect(model.requests.some(({ cacheEdits }) => cacheEdits !== undefined)).toBe(false);
    expect(bookedClearings()).toEqual([]);
  });
});
