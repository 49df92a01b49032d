import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { claudeCode } from '../hosts/claude-code.ts';
import { taskOfSubagent } from './subagent-task.ts';

const agent = { agentId: 'a1', agentType: 'general-purpose' };
const find = claudeCode.subagentTask!;
const input = { prompt: 'Write the migration', subagent_type: agent.agentType };
const call = { type: 'tool_use', id: 'toolu_1', name: 'Agent', input };
const line = `${JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [call] } })}\n`;

describe('the task of a sub-agent', () => {
  test('is found although the host writes it down only after it has said that the sub-agent starts', async () => {
    const transcriptFile = join(temporaryFolder('subagent-task'), 's.jsonl');
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
      if (pauses === 3) appendFileSync(transcriptFile, line);
    };
    expect(await taskOfSubagent(agent, { transcriptFile, find, pause })).toBe('Write the migration');
    expect(pauses).toBe(3);
  });

  test('that never comes is not waited for long', async () => {
    const transcriptFile = join(temporaryFolder('subagent-task'), 's.jsonl');
    let waited = 0;
    const pause = async (milliseconds: number) => {
      waited += milliseconds;
    };
    expect(await taskOfSubagent(agent, { transcriptFile, find, pause })).toBeNull();
    expect(waited).toBeGreaterThan(0);
    expect(waited).toBeLessThanOrEqual(500);
  });
});
