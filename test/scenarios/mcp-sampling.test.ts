/** A client that offers its model over MCP: with the user's consent a due dream runs with it, and nothing else does. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, it } from 'vitest';
import { recordHostSession } from '../../src/disk/sessions/host-sessions.ts';
import { findPlace } from '../../src/settings/place.ts';
import { memoryText } from '../support/dream-story.ts';
import { BINARY, createMcpPlace } from '../support/mcp-process.ts';

const BUSY_MS = 90_000;
const BODY = 'Keep answers short.\n\n**Why:** I read them on a phone.';
const rule = (name: string, day: string) =>
  memoryText({
    ...{ name, description: 'Keep answers short.', body: BODY, type: 'feedback' },
    more: `created: ${day}T09:00:00.000Z\nmodified: ${day}T09:00:00.000Z\n`,
  });
const PLAN = {
  changes: [
    {
      ...{ action: 'remove', file: 'feedback_short-answers.md', into: ['feedback_answers.md'] },
      reason: 'Both say the same.',
      drops: [
        {
          ...{ quote: 'Short answers', because: 'duplicate' },
          of: { file: 'feedback_answers.md', quote: 'Keep answers short.' },
        },
      ],
    },
  ],
};

/** The client's model, and the server over a memory in which a dream is due. */
async function connect(settings: object, answer: () => string) {
  const place = createMcpPlace();
  const { cwd, env } = place;
  const found = findPlace({ cwd, home: env.REVERIE_HOME, env });
  const folder = found.folders.find(({ scope }) => scope === 'project')!.path;
  mkdirSync(folder, { recursive: true });
  const old = join(folder, 'feedback_short-answers.md');
  writeFileSync(old, rule('Short answers', '2026-03-02'));
  writeFileSync(join(folder, 'feedback_answers.md'), rule('Answers', '2026-03-09'));
  writeFileSync(join(found.home, 'settings.json'), JSON.stringify(settings));
  for (const sessionId of ['s1', 's2', 's3', 's4', 's5']) {
    const at = new Date().toISOString();
    recordHostSession(found, { host: 'cursor', sessionId, transcriptFile: null, said: 'hello', at });
  }
  const questions: string[] = [];
  const client = new Client(
    { name: 'sampler', version: '1' },
    { capabilities: { sampling: {} }, versionNegotiation: { mode: 'legacy' } },
  );
  client.setRequestHandler('sampling/createMessage', ({ params }) => {
    const [message] = params.messages;
    const content = Array.isArray(message?.content) ? message.content[0] : message?.content;
    questions.push(content?.type === 'text' ? content.text : '');
    return { model: 'm', role: 'assistant' as const, content: { type: 'text' as const, text: answer() } };
  });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BINARY, 'mcp'], cwd, env }));
  const list = () => client.callTool({ name: 'memory_list', arguments: {} });
  const close = async () => {
    await client.close();
    await place.clear();
  };
  const ledger = () =>
    readFileSync(join(found.home, 'ledger', `${new Date().toISOString().slice(0, 10)}.jsonl`), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"purpose":"dream"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { old, questions, list, ledger, close };
}

describe.concurrent('a client that offers its model', { timeout: BUSY_MS }, () => {
  it('is asked for a due dream after a tool call, whose answer does not wait for it', async ({ expect }) => {
    const { old, questions, list, ledger, close } = await connect({ learn: 'on' }, () => JSON.stringify(PLAN));
    try {
      await list();
      await expect.poll(() => existsSync(old), { timeout: BUSY_MS, interval: 200 }).toBe(false);
      expect(questions).toHaveLength(1);
      expect(questions[0]).toContain('You tidy the memory of a coding agent');
      expect(ledger()).toMatchObject([{ model: 'sampler', background: false, estimated: true }]);
      await list();
      expect(questions).toHaveLength(1);
    } finally {
      await close();
    }
  });

  it('is asked for nothing without the user’s consent', async ({ expect }) => {
    const { old, questions, list, close } = await connect({}, () => JSON.stringify(PLAN));
    try {
      await list();
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await list();
      expect(questions).toEqual([]);
      expect(existsSync(old)).toBe(true);
    } finally {
      await close();
    }
  });

  it('that refuses to answer changes nothing', async ({ expect }) => {
    const { old, questions, list, close } = await connect({ learn: 'on' }, () => {
      throw new Error('The user declined');
    });
    try {
      await list();
      await expect.poll(() => questions.length, { timeout: BUSY_MS, interval: 100 }).toBe(1);
      await list();
      expect(existsSync(old)).toBe(true);
    } finally {
      await close();
    }
  });
});
