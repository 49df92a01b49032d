/** The layers in a loop of a host's own, over HTTP with the real SDK: two calls around each request. */

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLedger } from '../../src/disk/ledger/ledger.ts';
import { createSession } from '../../src/embed/create-session.ts';
import type { Session, SessionOptions } from '../../src/embed/session.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { anthropicModel } from '../../src/model/anthropic/anthropic.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { brokenAt, calls, isSummaryRequest, says, sentBlocks, startHostLoop } from '../support/host-loop.ts';
import { type MessagesServer, type ServerAnswer, startMessagesServer } from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let server: MessagesServer;
const opened: { close(): Promise<void> }[] = [];

beforeEach(() => {
  root = temporaryFolder('loops');
  mkdirSync(join(root, 'project'));
});

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

const place = () => ({
  cwd: join(root, 'project'),
  home: join(root, 'home'),
  env: { HOME: root, PATH: process.env.PATH },
});

async function open(options: SessionOptions = {}): Promise<Session> {
  // A busy machine must not decide whether a memory comes in time.
  const settings = { 'limits.host.recallHoldMs': 20_000, 'limits.host.readyMs': 20_000 };
  const session = await createSession({ ...place(), settings, ...options });
  opened.push(session);
  return session;
}

async function serve(...[answer, options]: Parameters<typeof startMessagesServer>): Promise<string> {
  server = await startMessagesServer(answer, options);
  opened.push(server);
  return server.url;
}

async function remember(): Promise<Memory> {
  const memory = await openMemory(place());
  opened.push(memory);
  await memory.save({
    type: 'reference',
    name: 'Bug tracker',
    description: 'Pipeline bugs are in the Linear project INGEST',
    body: 'Look there first when ingestion breaks.',
  });
  return memory;
}

const SUMMARY: ServerAnswer = says('<analysis>nothing</analysis><summary>The user wants work done.</summary>');
const main = () => server.requests.filter((request) => !isSummaryRequest(request));

describe('a host with a small window', () => {
  it.each([
    ['summarises with a model', { hasModel: true, clearableTools: [] }],
    ['cuts without one', { hasModel: false, clearableTools: [] }],
    ['clears old results', { hasModel: false, clearableTools: ['look'] }],
  ])(
    '%s, and survives eighty rounds of large results',
    async (_, { hasModel, clearableTools }) => {
      const url = await serve(
        (request, index) =>
          isSummaryRequest(request)
            ? SUMMARY
            : index % 9 === 8
              ? says(`Part ${index} is done.`)
              : calls(`toolu_${index}`),
        { windowTokens: 60_000 },
      );
      const session = await open({
        capabilities: { windowTokens: 60_000 },
        clearableTools,
        ...(hasModel
          ? { model: anthropicModel({ name: 'claude-sonnet-5-5', apiKey: 'not-a-key', baseUrl: url }) }
          : {}),
      });
      const result = (round: number) => `line ${round} with some words in it\n`.repeat(350);
      const host = startHostLoop({ session, url, result });
      let turns = 0;
      while (server.requests.length < 80) await host.turn(`Task ${++turns}: never touch the file prod-${turns}.env.`);

      const { announced, compactions, clearedResults, requests } = session.stats();
      // Not one was refused: each was prepared once.
      expect(requests).toBe(main().length);
      expect(clearableTools.length > 0 ? clearedResults : compactions).toBeGreaterThan(0);
      expect(server.requests.some(isSummaryRequest)).toBe(hasModel);
      const numbers = new Set(announced.map(({ request }) => request));
      const broken = brokenAt(main());
      expect(broken.filter((at) => !numbers.has(at))).toEqual([]);
      expect(broken.length).toBeLessThan(15);
      const last = server.requests.at(-1)!.bytes;
      // Said long ago, in messages that went since.
      for (let turn = 1; turn <= turns; turn++) expect(last).toContain(`prod-${turn}.env`);
      // The host's own messages are whole, and as it wrote them.
      const own = JSON.stringify(host.messages);
      expect(own).not.toContain('persisted-output');
      expect(own).not.toContain('cache_control');
      for (let round = 1; round <= 60; round++) expect(own).toContain(`line ${round} with`);
    },
    60_000,
  );

  it('makes room when the provider refuses a request as too long', async () => {
    let hasRefused = false;
    const url = await serve((_, index) => {
      if (index < 6 || hasRefused) return says('Fine. '.repeat(500));
      hasRefused = true;
      const message = 'prompt is too long: 210000 tokens > 200000 maximum';
      return { status: 400, error: { type: 'invalid_request_error', message } };
    });
    const session = await open();
    const host = startHostLoop({ session, url });
    for (const words of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven']) await host.turn(`${words}, please.`);
    const [refused, sentAgain] = main().slice(-2);
    expect(sentAgain!.bytes.length).toBeLessThan(refused!.bytes.length);
    expect(sentAgain!.bytes).toContain('Seven, please.');
    expect(await session.refused(new Error('the wire is cut'))).toBe(false);
  });
});

describe('a long result', () => {
  it('is stored once, and stands in every request as the same preview', async () => {
    const url = await serve((_, index) => (index === 0 ? calls('toolu_long') : says('ok')));
    const session = await open();
    const whole = 'a line of the result\n'.repeat(10_000);
    const host = startHostLoop({ session, url, result: () => whole });
    for (const words of ['Count.', 'And?', 'More?']) await host.turn(words);
    const shown = main()
      .slice(1)
      .map((request) => sentBlocks(request)[2]!);
    expect(shown).toHaveLength(3);
    expect(new Set(shown).size).toBe(1);
    expect(shown[0]).toContain('persisted-output');
    expect(shown[0]!.length).toBeLessThan(4_000);
    const folder = join(root, 'home', 'projects');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('toolu_'));
    expect(files).toHaveLength(1);
    expect(readFileSync(join(folder, files[0]!), 'utf8')).toBe(whole);
    expect(session.stats().storedResults).toBe(1);
  });
});

describe('a memory', () => {
  it('joins the message that it matters to, once, and stays there', async () => {
    const url = await serve(() => says('In INGEST.'));
    const session = await open({ memory: await remember() });
    const host = startHostLoop({ session, url });
    await host.turn('Where are bugs of the pipeline tracked?');
    await host.turn('How high is Mont Blanc?');
    await host.turn('And where are the bugs of the pipeline tracked again?');
    const last = sentBlocks(main().at(-1)!);
    const places = last.flatMap((block, at) => (block.includes('Recalled from memory') ? [at] : []));
    expect(places).toEqual([1]);
    expect(brokenAt(main())).toEqual([]);
    expect(session.stats().recalled).toEqual(['project:reference_bug-tracker.md']);
    expect(JSON.stringify(host.messages)).not.toContain('Recalled from memory');
  });

  it('is told of in instructions that never change, and nowhere else', async () => {
    const memory = await remember();
    const url = await serve(() => says('ok'));
    const session = await open({ memory });
    const before = session.instructions();
    expect(before).toContain('Pipeline bugs are in the Linear project INGEST');
    expect(before).toContain(memory.folders.project);
    await memory.save({ type: 'user', name: 'Role', description: 'Data scientist', body: 'Knows SQL.' });
    expect(session.instructions()).toBe(before);
    await startHostLoop({ session, url }).turn('How high is Mont Blanc?');
    expect(main()[0]!.bytes).not.toContain('INGEST');
    expect((await open()).instructions()).toBe('');
  });
});

describe('the prompt cache', () => {
  it('is marked where asked for, read from, and watched', async () => {
    const url = await serve((_, index) => (index % 2 === 0 ? calls(`toolu_${index}`) : says('Fine. '.repeat(300))));
    const session = await open({ cacheControl: true });
    const params = { system: `You help. ${'Be kind. '.repeat(2_000)}` };
    const host = startHostLoop({ session, url, params, result: () => 'words '.repeat(1_500) });
    for (let turn = 0; turn < 6; turn++) await host.turn(`Step ${turn}.`);
    for (const { body } of main()) {
      const marks = JSON.stringify(body).split('"cache_control"').length - 1;
      expect(marks).toBeGreaterThanOrEqual(2);
      expect(body.system[0].cache_control).toBeDefined();
    }
    expect(session.stats().cacheReadShare).toBeGreaterThan(0.8);
    expect(session.stats().cacheBreaks).toEqual([]);
    Object.assign(params, { system: `${params.system} It is 12:04.` });
    await host.turn('And now?');
    expect(session.stats().cacheBreaks).toMatchObject([{ cause: 'client', reason: expect.stringContaining('system') }]);
  });

  it('keeps the marks of a host that places its own, on the newest message', async () => {
    const url = await serve(() => says('ok'));
    const session = await open();
    const host = startHostLoop({ session, url });
    await host.turn('One.');
    expect(main()[0]!.bytes).not.toContain('cache_control');
    host.messages.push({
      role: 'user',
      content: [{ type: 'text', text: 'Two.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    });
    const { messages } = await session.prepare({ model: 'claude-sonnet-5-5', messages: host.messages });
    const marked = messages.flatMap(({ content }, at) =>
      JSON.stringify(content).includes('cache_control') ? [at] : [],
    );
    expect(marked).toEqual([messages.length - 1]);
    expect(JSON.stringify(messages.at(-1))).toContain('"ttl":"1h"');
  });
});

describe('the ledger', () => {
  it('has a line for each response', async () => {
    const url = await serve(() => says('ok'));
    const session = await open();
    const host = startHostLoop({ session, url });
    await host.turn('One.');
    await host.turn('Two.');
    const lines = [];
    for await (const line of readLedger({ home: join(root, 'home'), now: new Date() })) lines.push(line);
    expect(lines).toMatchObject([
      { type: 'call', purpose: 'main', session: session.sessionId, outcome: 'done' },
      { type: 'call', purpose: 'main', session: session.sessionId, outcome: 'done' },
    ]);
    const inputs = lines.map((line) => (line.type === 'call' ? line.usage.inputTokens : 0));
    expect(inputs[0]! + inputs[1]!).toBe(session.stats().usage.inputTokens);
  });
});

describe('a session that goes on', () => {
  it('sends the same bytes as the one that was left, whatever it had done', async () => {
    const url = await serve(
      (request, index) =>
        isSummaryRequest(request) ? SUMMARY : index % 3 === 2 ? says('Done.') : calls(`toolu_${index}`),
      { windowTokens: 30_000 },
    );
    const memory = await remember();
    const options = { memory, capabilities: { windowTokens: 30_000 } };
    const first = await open(options);
    const host = startHostLoop({ session: first, url, result: (round) => `line ${round} of it\n`.repeat(300) });
    for (let turn = 0; turn < 14; turn++) await host.turn(`Task ${turn}: where are bugs of the pipeline tracked?`);
    expect(first.stats().compactions).toBeGreaterThan(0);
    const state = JSON.parse(JSON.stringify(first.state()));
    // As after a restart: nothing is the same object.
    const messages = structuredClone(host.messages);
    const resumed = await open({ ...options, resumed: state });
    expect(resumed.sessionId).toBe(first.sessionId);
    const next = { role: 'user' as const, content: 'Go on with the next one.' };
    const request = { model: 'claude-sonnet-5-5' };
    const one = await first.prepare({ ...request, messages: [...host.messages, next] });
    const other = await resumed.prepare({ ...request, messages: [...messages, next] });
    expect(JSON.stringify(other)).toBe(JSON.stringify(one));
    expect(resumed.stats().rewrites).toBe(0);
    await expect(createSession({ ...place(), resumed: { ...state, version: 99 } })).rejects.toThrow(/no state/);
  }, 60_000);
});
