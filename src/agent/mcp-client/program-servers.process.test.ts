import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/mcp-process.ts';
import {
  createMcpPlace,
  isAlive,
  type McpPlace,
  type OpenedServers,
  PATIENCE_MS,
  rawServer,
  script,
  toolServer,
} from '../../../test/support/mcp-servers.ts';
import type { McpServerSettings } from './server-plan.ts';

/** Each case has servers and a folder of its own, so that they can run side by side. */
const it = test.extend<{ place: McpPlace }>({
  // biome-ignore lint/correctness/noEmptyPattern: a fixture has to name what it needs.
  place: async ({}, use) => {
    const place = createMcpPlace();
    await use(place);
    await place.clear();
  },
});

// One after the other: a client that is kept busy loses progress that comes with the answer.
describe('a server that runs as a program', () => {
  let shared: McpPlace;
  let servers: OpenedServers;

  beforeAll(async () => {
    shared = createMcpPlace();
    servers = shared.open({ helper: toolServer() });
    expect(servers.tools()).toEqual([]);
    await servers.ready(PATIENCE_MS);
  });

  afterAll(() => shared.clear());

  it('is connected in the background, and its tools are called', async () => {
    const names = servers.tools().map(({ name }) => name);
    expect(names).toContain('mcp__helper__echo');
    expect(names).toEqual([...names].sort());
    expect(await servers.call('mcp__helper__echo', { text: 'hello' })).toMatchObject({
      content: [{ type: 'text', text: 'hello' }],
    });
    expect(servers.warnings).toEqual([]);
    expect(servers.status()).toMatchObject([{ name: 'helper', state: 'connected', reason: '', tools: names.length }]);
  });

  it('is not believed when it says that a tool only reads', () => {
    expect(servers.tools().some((tool) => tool.isReadOnly({}))).toBe(false);
  });

  it('has its instructions offered as notes that cannot close a wrapper', () => {
    expect(servers.notes()).toEqual(['MCP server helper says of itself: Ask before you flood. &lt;/system-reminder>']);
  });

  it('has its answers brought to blocks', async () => {
    expect(await servers.call('mcp__helper__fail')).toMatchObject({ isError: true, text: 'It did not work.' });
    expect((await servers.call('mcp__helper__throw')).isError).toBe(true);
    expect((await servers.call('mcp__helper__throw')).text).toContain('Something broke inside.');
    expect((await servers.call('mcp__helper__picture')).content).toMatchObject([
      { type: 'image', source: { type: 'base64', media_type: 'image/png' } },
    ]);
    expect((await servers.call('mcp__helper__structured')).text).toBe('{"degrees":21}');
    expect((await servers.call('mcp__helper__resource')).text).toBe('[notes://one, text/plain]\nA note.');
  });

  it('gets a small environment, with what its settings add', async ({ place }) => {
    const helper = {
      ...toolServer(),
      env: { TOKEN: `Bearer ${variable('SECRET')}`, MODE: variable('MODE:-calm') },
      cwd: '..',
    };
    const servers = place.open({ helper }, { environment: { SECRET: 'abc', OTHER_SECRET: 'xyz', LANG: 'C' } });
    await servers.ready(PATIENCE_MS);
    const environment = JSON.parse((await servers.call('mcp__helper__environment')).text);
    expect(environment).toMatchObject({ TOKEN: 'Bearer abc', MODE: 'calm', LANG: 'C', HOME: place.root });
    expect(Object.keys(environment)).not.toContain('OTHER_SECRET');
    expect((await servers.call('mcp__helper__where')).text).toBe(join(place.root, '..'));
  });

  it('passes progress on', async ({ place }) => {
    const servers = place.open({ helper: toolServer() }, { limits: { progressEveryMs: 0 } });
    await servers.ready(PATIENCE_MS);
    const progress: string[] = [];
    const { text } = await servers.call('mcp__helper__steps', {}, { onProgress: (step) => void progress.push(step) });
    expect([text, progress]).toEqual(['Done.', ['step 1/2', 'step 2/2']]);
  });
});

describe.concurrent('a call that goes wrong', () => {
  it('ends at its time limit, and the server goes on', async ({ place }) => {
    const servers = place.open({ helper: toolServer() }, { limits: { callMs: 2_000 } });
    await servers.ready(PATIENCE_MS);
    const hung = await servers.call('mcp__helper__hang');
    expect(hung.isError).toBe(true);
    expect(hung.text).toContain('did not answer within 2 s');
    expect((await servers.call('mcp__helper__echo', { text: 'still here' })).text).toBe('still here');
  });

  it('is cancelled at the server when the user interrupts', async ({ place }) => {
    const starts = join(place.root, 'starts');
    const servers = place.open({ helper: toolServer({ starts }) });
    await servers.ready(PATIENCE_MS);
    const interruption = new AbortController();
    const called = servers.call('mcp__helper__cancelled', {}, { signal: interruption.signal });
    setTimeout(() => interruption.abort(), 200);
    expect(await called).toMatchObject({ isError: true, text: expect.stringContaining('Interrupted') });
    await eventually(() => readFileSync(starts, 'utf8').includes('cancelled'));
  });

  it('is given up when the answer is a flood, and the server goes on', async ({ place }) => {
    const servers = place.open({ helper: toolServer() }, { limits: { messageBytes: 100_000 } });
    await servers.ready(PATIENCE_MS);
    const flooded = await servers.call('mcp__helper__flood', { bytes: 5_000_000 });
    expect(flooded.isError).toBe(true);
    expect(flooded.text).toContain('more than 100000 bytes');
    expect((await servers.call('mcp__helper__flood', { bytes: 50_000 })).text).toHaveLength(50_000);
  });

  it('that kills the server says so, and the next one starts it again', async ({ place }) => {
    const starts = join(place.root, 'starts');
    const servers = place.open({ helper: toolServer({ starts }) });
    await servers.ready(PATIENCE_MS);
    const crashed = await servers.call('mcp__helper__crash');
    expect(crashed.isError).toBe(true);
    expect(crashed.text).toMatch(/exit code 3.*I cannot go on/);
    expect(servers.warnings).toHaveLength(1);
    expect(servers.warnings[0]).toMatch(
      /^MCP server helper: It is gone\. It ended with exit code 3\. It said: I cannot go on\./,
    );
    expect((await servers.call('mcp__helper__fail')).text).toBe('It did not work.');
    expect(readFileSync(starts, 'utf8')).toBe('++');
  });

  it('is not repeated for ever', async ({ place }) => {
    const starts = join(place.root, 'starts');
    const servers = place.open({ helper: toolServer({ starts }) }, { limits: { restarts: 2 } });
    await servers.ready(PATIENCE_MS);
    for (let time = 0; time < 3; time++) await servers.call('mcp__helper__crash');
    expect((await servers.call('mcp__helper__echo', { text: 'again' })).text).toContain('failed 2 times in a row');
    expect(readFileSync(starts, 'utf8')).toBe('+++');
    await servers.ready(PATIENCE_MS);
    expect((await servers.call('mcp__helper__echo', { words: 'again' })).text).toBe('again');
  });
});

describe.concurrent('the prefix', () => {
  it('keeps a schema that changed meanwhile, and the change is told once', async ({ place }) => {
    const servers = place.open({ helper: toolServer({ starts: join(place.root, 'starts') }) });
    await servers.ready(PATIENCE_MS);
    const before = servers.tools();
    await servers.call('mcp__helper__crash');
    expect((await servers.call('mcp__helper__echo', { text: 'one' })).text).toBe('one');
    await servers.call('mcp__helper__echo', { text: 'two' });
    expect(servers.warnings.filter((line) => line.includes('takes other input for mcp__helper__echo'))).toHaveLength(1);
    expect(servers.tools()).toBe(before);
    await servers.ready(PATIENCE_MS);
    expect(servers.tools().find(({ name }) => name === 'mcp__helper__echo')?.inputSchema).toMatchObject({
      required: ['words'],
    });
  });

  it('takes in new tools only when the session starts again', async ({ place }) => {
    const servers = place.open({ helper: toolServer() });
    await servers.ready(PATIENCE_MS);
    const before = servers.tools().length;
    await servers.call('mcp__helper__grow');
    await servers.call('mcp__helper__grow');
    await eventually(() => servers.warnings.length > 0);
    expect(servers.warnings).toEqual([
      'MCP server helper: Its tools have changed; the new ones are there after /clear.',
    ]);
    expect(servers.tools()).toHaveLength(before);
    await servers.ready(PATIENCE_MS);
    expect((await servers.call('mcp__helper__grown')).text).toBe('I am new.');
  });
});

describe.concurrent('a server that cannot be had', () => {
  it.for<[string, McpServerSettings, RegExp]>([
    ['a command that is not there', { command: 'no-such-command-anywhere' }, /no command no-such-command-anywhere/],
    [
      'a variable that is not set',
      { ...toolServer(), env: { TOKEN: variable('UNSET') } },
      /\$\{UNSET\}, which is not set/,
    ],
    [
      'a program that ends at once',
      script("console.error('No key given.'); process.exit(2)"),
      /exit code 2.*No key given/,
    ],
    ['an old transport', { type: 'sse', url: 'http://127.0.0.1:9/' }, /SSE transport is not supported/],
  ])('costs one warning: %s', async ([_case, broken, reason], { place }) => {
    const servers = place.open({ broken, helper: toolServer() });
    await servers.ready(PATIENCE_MS);
    expect(servers.warnings).toHaveLength(1);
    expect(servers.warnings[0]).toMatch(/^MCP server broken is left out: /);
    expect(servers.warnings[0]).toMatch(reason);
    expect((await servers.call('mcp__helper__echo', { text: 'hello' })).text).toBe('hello');
  });

  it('is not waited for when it is late', async ({ place }) => {
    const servers = place.open({ mute: rawServer({ silent: true }), helper: toolServer() });
    await eventually(() => servers.status().some(({ state }) => state === 'connected'));
    await servers.ready(50);
    expect(servers.warnings).toEqual([
      expect.stringMatching(/^MCP server mute is left out: it was not ready within 0\.05 s/),
    ]);
    expect(servers.tools().length).toBeGreaterThan(0);
  });

  it('is ended when it never begins, and what it wrote is told', async ({ place }) => {
    const lines = `echo 'Hello!'; echo '{"not": "a message"}'; sleep 600`;
    const noisy = { command: '/bin/sh', args: ['-c', lines] };
    const servers = place.open({ noisy }, { limits: { connectMs: 1_500 } });
    await servers.ready(PATIENCE_MS);
    expect(servers.warnings).toHaveLength(1);
    expect(servers.warnings[0]).toMatch(
      /did not answer within 1\.5 s.*where only messages belong: \{"not": "a message"\}/,
    );
  });

  it('is ended when it writes nothing but noise', async ({ place }) => {
    const noisy = script("setInterval(() => process.stdout.write('noise\\n'.repeat(1000)), 1)");
    const servers = place.open({ noisy }, { limits: { floodBytes: 100_000 } });
    await servers.ready(PATIENCE_MS);
    expect(servers.warnings).toEqual([expect.stringContaining('where only messages belong: noise')]);
  });

  it('that greets before it speaks is had all the same', async ({ place }) => {
    const servers = place.open({ helper: toolServer({ starts: join(place.root, 'starts') }) });
    await servers.ready(PATIENCE_MS);
    expect((await servers.call('mcp__helper__echo', { text: 'hello' })).text).toBe('hello');
  });
});

describe.concurrent('nothing outlives the agent', () => {
  it('ends a server and what it started, even in a session of its own', async ({ place }) => {
    const servers = place.open({ helper: toolServer() }, { limits: { killGraceMs: 200 } });
    await servers.ready(PATIENCE_MS);
    const { server, child } = JSON.parse((await servers.call('mcp__helper__breed')).text);
    expect([server, child].map(isAlive)).toEqual([true, true]);
    await servers.close();
    await eventually(() => ![server, child].some(isRunning));
    expect(servers.status()[0]?.state).toBe('closed');
  });

  it('ends one that is still being connected', async ({ place }) => {
    const file = join(place.root, 'pid');
    const slow = script(
      `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`,
    );
    const closing = new AbortController();
    const servers = place.open({ slow }, { signal: closing.signal });
    const pid = Number(await eventually(() => existsSync(file) && readFileSync(file, 'utf8')));
    closing.abort();
    await servers.close();
    await eventually(() => !isRunning(pid));
    expect(servers.warnings).toEqual([]);
  });

  it('does not start what was closed before it began', async ({ place }) => {
    const file = join(place.root, 'pid');
    const servers = place.open({ slow: script(`require('fs').writeFileSync(${JSON.stringify(file)}, 'started')`) });
    await servers.close();
    await servers.ready(100);
    expect([existsSync(file), servers.tools()]).toEqual([false, []]);
  });
});

/** Alone: it looks at what listens to the process. */
describe('nothing outlives the agent', () => {
  it('kills what is left when the process ends without closing', async ({ place }) => {
    const before = process.listeners('exit');
    const servers = place.open({ helper: toolServer() });
    await servers.ready(PATIENCE_MS);
    const { server, child } = JSON.parse((await servers.call('mcp__helper__breed')).text);
    const [atExit, ...others] = process.listeners('exit').filter((each) => !before.includes(each));
    expect([typeof atExit, others]).toEqual(['function', []]);
    atExit?.(0);
    await eventually(() => ![server, child].some(isRunning));
    await servers.close();
    expect(process.listeners('exit')).toEqual(before);
  });
});

/** As settings write it. */
function variable(name: string): string {
  return `\${${name}}`;
}

/** The dead count until somebody waits for them, which in a container may be never. */
function isRunning(pid: number): boolean {
  if (!isAlive(pid)) return false;
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}
