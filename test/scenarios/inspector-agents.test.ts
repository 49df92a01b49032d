/** What the page shows of agents that really ran. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { scanTranscript } from '../../src/inspector/agents/scan.ts';
import { LIMITS } from '../../src/limits.ts';
import { agentCall, agentsStory, calls, isOf, say, text, wholeOf } from '../support/agents-story.ts';

const story = agentsStory();
beforeEach(story.begin);
afterEach(story.end);

it('knows the task that an agent was given', async () => {
  await story.serve((request) => {
    if (isOf(request, 'LIST-THE-CHAPTERS')) return text('One and two.');
    if (wholeOf(request).includes('toolu_agent')) return text('Two chapters.');
    return calls(agentCall({ prompt: 'LIST-THE-CHAPTERS' }, 'toolu_agent'));
  });
  const agent = await story.open();
  await say(agent, 'PARENT: use an agent.');
  await agent.close();
  const files = readdirSync(join(story.root(), 'home'), { recursive: true }).map(String);
  const own = files.find((file) => /agents\/[^/]+\.jsonl$/.test(file))!;
  const path = join(story.root(), 'home', own);
  expect((await scanTranscript(path, { limits: LIMITS.transcripts, isLong: false }))?.task).toBe('LIST-THE-CHAPTERS');
});
