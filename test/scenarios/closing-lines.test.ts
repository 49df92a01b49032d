/** What the end of a session saves is told to the user, after the answer and wherever it can be read. */

import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createAgentHome } from '../support/agent-process.ts';
import { type MessagesServer, type RecordedRequest, startMessagesServer } from '../support/messages-server.ts';
import { hasTmux, openTerminal } from '../support/tmux.ts';

const CUE = 'From now on, please write every commit message in the imperative mood.';
const TOLD = 'Saved to memory: “Imperative commits”.';
const MEMORY =
  '---\nname: Imperative commits\ndescription: Every commit message is written in the imperative mood\ntype: feedback\n---\n\nWrite every commit message in the imperative mood.\n\n**Why:** The user asked for it.\n\n**How to apply:** Every commit message.\n';
/** A short turn costs so little that a second request of the fork would be beyond its share. */
const SETTINGS = [
  '--settings',
  '{"limits.caps.floorTokens": 100000000, "layers.notes": false, "recall.selector": "local"}',
];

/** Processes beside one another take longer, each by itself. */
const SIDE_BY_SIDE = { concurrent: true, timeout: 60_000 };

const servers: MessagesServer[] = [];

/** A fork writes where the manifest's folder is: its prompt names it. */
function answer({ bytes }: RecordedRequest) {
  if (!bytes.includes('<fork-directive>')) return { content: [{ type: 'text' as const, text: 'I will.' }] };
  const folder = /(\/[^"\\\s`]*\/projects\/[^"\\\s`]*\/memory)/.exec(bytes)![1]!;
  const input = { file_path: join(folder, 'feedback_imperative-commits.md'), content: MEMORY };
  return { content: [{ type: 'tool_use' as const, id: 'toolu_write', name: 'Write', input }] };
}

afterAll(() => Promise.all(servers.map((server) => server.close())));

/** A server and a home of its own for each test. */
async function serve() {
  const server = await startMessagesServer(answer);
  servers.push(server);
  return { server, home: createAgentHome(server.url) };
}

describe('in print mode', SIDE_BY_SIDE, () => {
  it.each(['text', 'json'])('it is a note on standard error with %s', async (format) => {
    const { home } = await serve();
    const { code, stdout, stderr } = await home.run(['-p', CUE, '--output-format', format, ...SETTINGS]);
    expect(code).toBe(0);
    expect(stderr).toContain(`note: ${TOLD}`);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).not.toContain(TOLD);
  });

  it('it is an event after the result of a stream', async () => {
    const { home } = await serve();
    const { stdout, stderr } = await home.here(['-p', CUE, '--output-format', 'stream-json', ...SETTINGS]);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [result, note] = lines.slice(-2);
    expect(result).toMatchObject({ type: 'result', is_error: false });
    expect(note).toMatchObject({ type: 'system', subtype: 'note', session_id: result.session_id });
    expect(note.text).toContain(TOLD);
    expect(stderr).not.toContain(TOLD);
  });

  it('there is none where nothing was saved', async () => {
    const { server, home } = await serve();
    const { stderr } = await home.here(['-p', 'What is a monad?', ...SETTINGS]);
    expect(stderr).toBe('');
    expect(server.requests.filter(({ bytes }) => bytes.includes('<fork-directive>'))).toEqual([]);
  });
});

describe.runIf(hasTmux)('in the chat', SIDE_BY_SIDE, () => {
  it('it stands between the last frame and how to come back', async () => {
    const { server } = await serve();
    const environment = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test-key' };
    const terminal = openTerminal({ environment, columns: 100 });
    try {
      await terminal.reverie('--settings', `'${SETTINGS[1]}'`);
      await terminal.until('>');
      terminal.type(CUE);
      terminal.press('Enter');
      await terminal.until('I will.');
      terminal.type('/quit');
      terminal.press('Enter');
      const screen = await terminal.until('To go on:');
      const [told, hint] = [screen.indexOf('Saved to memory'), screen.indexOf('To go on:')];
      expect(told).toBeGreaterThan(screen.indexOf('I will.'));
      expect(hint).toBeGreaterThan(told);
    } finally {
      terminal.close();
    }
  });
});
