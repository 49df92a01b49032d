import { describe, expect, it } from 'vitest';
import type { SteerableAgent } from '../../session/steering.ts';
import { NO_PAINT } from '../terminal/paint.ts';
import { welcomeOutput } from './welcome.ts';

const ENTRY = {
  ...{ uuid: 'u', parentUuid: null, at: '2026-01-01' },
  message: { role: 'user', content: [{ type: 'text', text: 'Earlier words' }] },
};

async function welcomed(facts: Partial<SteerableAgent>) {
  const memory = { enabled: false };
  const agent = { memory, model: 'm', cwd: '/p', warnings: [], forkedFrom: null, entries: () => [ENTRY], ...facts };
  return welcomeOutput(agent as unknown as SteerableAgent, { width: 80, paint: NO_PAINT });
}

describe('the beginning of a session', () => {
  it('says at the end, after the earlier conversation, that this is a copy of a session open elsewhere', async () => {
    const output = await welcomed({ forkedFrom: '0123456789abcdef', transcriptFile: '/t.jsonl' });
    expect(output.at(-1)).toMatchObject({ kind: 'notice', tone: 'warning' });
    expect(output.at(-1)).toMatchObject({ text: expect.stringMatching(/01234567 is open elsewhere.*copy/) });
  });

  it('does not call a session open elsewhere when it is only not stored', async () => {
    const output = await welcomed({ forkedFrom: '0123456789abcdef', transcriptFile: null });
    expect(output.at(-1)).toMatchObject({ tone: 'info', text: expect.stringContaining('not kept') });
  });

  it('says neither for a session of its own', async () => {
    const said = JSON.stringify(await welcomed({ transcriptFile: '/t.jsonl' }));
    expect(said).toContain('it goes on here');
    expect(said).not.toMatch(/elsewhere|not kept/);
  });
});
