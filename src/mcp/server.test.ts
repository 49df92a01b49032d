/** The server as a client meets it, over a memory in a temporary folder. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectToServer } from '../../test/support/memory-client.ts';
import { runs } from '../../test/support/property-runs.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { unicodeText } from '../../test/support/unicode-text.ts';
import { MCP_LIMITS } from '../limits.ts';
import type { SpanMessage } from '../memory/gate/index.ts';
import type { Memory } from '../memory/memory.ts';
import { openMemory } from '../session/open-memory.ts';

let root: string;
let memory: Memory;
let client: Client;
let problems: string[];
let heard: readonly SpanMessage[];

beforeEach(async () => {
  root = temporaryFolder('mcp');
  mkdirSync(join(root, 'project'));
  problems = [];
  heard = [];
  memory = await openAt({});
  client = await connect(memory);
});
afterEach(async () => {
  await client.close();
  await memory.close();
});

function openAt(more: { bare?: boolean }): Promise<Memory> {
  const env = { HOME: join(root, 'user') };
  return openMemory({ home: join(root, 'home'), cwd: join(root, 'project'), env, ...more });
}

const connect = (served: Memory) => connectToServer(served, { heard: () => heard, problems });

interface Called {
  readonly text: string;
  readonly data: Record<string, unknown> | undefined;
  readonly isError: boolean;
}

async function call(name: string, given: Record<string, unknown>, by = client): Promise<Called> {
  const result = await by.callTool({ name, arguments: given });
  const [first] = result.content;
  const text = first?.type === 'text' ? first.text : '';
  return { text, data: result.structuredContent as Called['data'], isError: result.isError === true };
}

const MOCKS = {
  type: 'feedback',
  name: 'No mocks',
  description: 'Tests run against the real database',
  body: 'Never mock the database in tests.\n\n**Why:** mocks hid a broken migration.\n\n**How to apply:** start it first.',
} as const;

describe('the tools', () => {
  it('are six, and say what they do to memory', async () => {
    const { tools } = await client.listTools();
    const hints = tools.map(({ name, title, annotations }) => [
      name,
      title !== undefined && title === annotations?.title,
      annotations?.readOnlyHint,
      annotations?.destructiveHint,
      annotations?.idempotentHint,
      annotations?.openWorldHint,
    ]);
    expect(hints).toEqual([
      ['memory_search', true, true, false, true, false],
      ['memory_get', true, true, false, true, false],
      ['memory_list', true, true, false, true, false],
      ['memory_save', true, false, false, false, false],
      ['memory_update', true, false, false, true, false],
      ['memory_forget', true, false, false, true, false],
    ]);
    expect(tools.every(({ outputSchema }) => outputSchema?.type === 'object')).toBe(true);
  });

  it('save as the agent, with the client named, and as whose word it is', async () => {
    const saved = await call('memory_save', {
      ...MOCKS,
      quote: 'Never mock the database, mocks hid a broken migration.',
    });
    expect(saved).toMatchObject({
      isError: false,
      data: { file: 'feedback_no-mocks.md', scope: 'project', outcome: 'saved', source: 'inferred' },
    });
    expect(saved.text).toContain('reverie memory confirm project:feedback_no-mocks.md');
    const [change] = await memory.log();
    expect(change).toMatchObject({ kind: 'save', who: 'agent', why: 'saved over MCP by tester 7.1' });
    const entry = await memory.get('feedback_no-mocks.md');
    expect(entry).toMatchObject({ source: 'inferred', quote: [], origin: { client: 'tester 7.1' } });
    const board = { type: 'reference', name: 'Boards', description: 'Latency boards', body: 'Boards are in Grafana.' };
    expect(await call('memory_save', board)).toMatchObject({ data: { source: 'inferred' } });
    const reported = { ...MOCKS, name: 'Reported', body: 'Never mock the clock.', source: 'said', scope: 'global' };
    const kept = await call('memory_save', reported);
    expect(kept.text).toContain('reverie memory confirm global:');
    expect(await memory.get(String(kept.data?.file))).toMatchObject({
      source: 'inferred',
      scope: 'global',
      origin: { client: 'tester 7.1' },
    });
  });

  it('take the place of a memory that is named, but not of the user’s word', async () => {
    const board = { type: 'reference', name: 'Boards', description: 'Latency boards', body: 'Boards are in Grafana.' };
    await call('memory_save', board);
    const moved = { ...board, name: 'Boards moved', body: 'Boards are in Kibana.', supersedes: 'reference_boards' };
    expect(await call('memory_save', moved)).toMatchObject({
      data: { outcome: 'saved', warnings: [expect.anything()] },
    });
    expect((await memory.get('reference_boards.md')).supersededBy).toBe('reference_boards-moved.md');

    await memory.confirm('reference_boards-moved.md');
    const again = {
      ...board,
      name: 'Boards again',
      body: 'Boards are in Excel.',
      supersedes: 'reference_boards-moved',
    };
    expect((await call('memory_save', again)).text).toContain('is not superseded: it is the user’s word');
    expect((await memory.get('reference_boards-moved.md')).supersededBy).toBeNull();
    expect(await call('memory_save', { ...board, name: 'X', body: 'Y.', supersedes: 'nowhere' })).toMatchObject({
      isError: true,
    });
  });

  it('make a reported rule the user’s word once they were seen to type it', async () => {
    const reported = { ...MOCKS, source: 'said' };
    expect(await call('memory_save', reported)).toMatchObject({ data: { outcome: 'saved', source: 'inferred' } });
    expect(await call('memory_save', reported)).toMatchObject({ data: { outcome: 'duplicate', source: 'inferred' } });
    const found = await call('memory_search', { query: 'mock the database' });
    expect(found.text).toContain('not an instruction');
    const quote = `${MOCKS.description}. ${MOCKS.body}`;
    expect(await call('memory_save', { ...reported, quote })).toMatchObject({
      data: { outcome: 'duplicate', source: 'inferred' },
    });
    heard = [{ from: 'user', text: quote, at: '2026-01-07' }];
    const confirmed = await call('memory_save', { ...reported, quote });
    expect(confirmed).toMatchObject({ data: { outcome: 'confirmed', source: 'said', file: 'feedback_no-mocks.md' } });
    expect(await memory.list()).toMatchObject([{ source: 'said' }]);
    expect(await memory.log()).toMatchObject([{ kind: 'update', why: 'confirmed over MCP by tester 7.1' }, {}]);
    expect(await call('memory_save', { ...reported, quote })).toMatchObject({ data: { outcome: 'duplicate' } });
  });

  it('keep a rule that comes without a word of the user’s as unconfirmed, and say who confirms it', async () => {
    const kept = await call('memory_save', MOCKS);
    expect(kept).toMatchObject({
      isError: false,
      data: { source: 'inferred' },
      text: expect.stringContaining('reverie memory confirm project:feedback_no-mocks.md'),
    });
    expect((await memory.list()).map(({ source }) => source)).toEqual(['inferred']);
  });

  it.each(['project', 'global'] as const)('answer a copy with the memory that is there: %s', async (scope) => {
    await memory.save({ ...MOCKS, scope });
    const again = await call('memory_save', { ...MOCKS, name: 'Again', source: 'said' });
    const uri = `reverie://memory/${scope}/feedback_no-mocks.md`;
    expect(again).toMatchObject({
      isError: false,
      data: { outcome: 'duplicate', file: 'feedback_no-mocks.md', scope, uri },
    });
    expect(again.text).toContain('Nothing was written');
    expect((await memory.log()).length).toBe(1);
  });

  it('find what bears on a question, and say plainly when nothing does', async () => {
    expect(await call('memory_search', { query: 'may I mock the database in tests?' })).toEqual({
      text: 'Nothing is remembered about that.',
      data: { outcome: 'nothing', memories: [] },
      isError: false,
    });
    await memory.save({ ...MOCKS, source: 'said' });
    await memory.save({
      type: 'reference',
      name: 'Grafana',
      description: 'Latency boards',
      body: 'At grafana.example.',
    });
    const found = await call('memory_search', { query: 'may I mock the database in tests?' });
    expect(found.data).toMatchObject({ outcome: 'certain' });
    const [first] = found.data!.memories as { file: string; certain: boolean; text: string; uri: string }[];
    expect(first).toMatchObject({
      file: 'feedback_no-mocks.md',
      certain: true,
      uri: 'reverie://memory/project/feedback_no-mocks.md',
    });
    expect(first?.text).toContain('mocks hid a broken migration');
    expect(found.text).toContain('mocks hid a broken migration');
    expect(found.text).not.toContain('<system-reminder>');
    const guesses = await call('memory_search', { query: 'zebra quantum origami' });
    expect(guesses.data).toMatchObject({ outcome: 'guesses' });
    expect(guesses.text).toMatch(/^No memory clearly bears on that\./);
    // A guess is offered by its name; its text would only mislead.
    expect(JSON.stringify(guesses)).not.toContain('mocks hid a broken migration');
  });

  it('put certain memories before guesses, and keep to the limit', async () => {
    await memory.save({ ...MOCKS, source: 'said' });
    for (const city of ['Oslo', 'Lima', 'Cairo', 'Quito']) {
      await memory.save({ type: 'project', name: `Tests in ${city}`, description: `Lab of ${city}`, body: 'Tests.' });
    }
    const { data } = await call('memory_search', { query: 'mock the database in tests', limit: 3 });
    const certain = (data!.memories as { certain: boolean }[]).map((hit) => hit.certain);
    expect(certain.length).toBeLessThanOrEqual(3);
    expect(certain[0]).toBe(true);
    expect(certain).toEqual(certain.toSorted((one, other) => Number(other) - Number(one)));
  });

  it('read a long memory part by part, none longer than hosts show', async () => {
    const lines = Array.from({ length: 400 }, (_, at) => `line ${at + 1}: "C:\\\\logs" has what it said, in quotes`);
    const { file } = await memory.save({ ...MOCKS, body: lines.join('\n') });
    const read: string[] = [];
    for (let line: unknown = 1; line !== undefined; ) {
      const { text, data } = await call('memory_get', { file, line });
      expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(MCP_LIMITS.answerBytes);
      if (data?.nextLine !== undefined) expect(text).toContain(`memory_get with line ${data.nextLine}`);
      read.push(...(data!.text as string).split('\n').filter((each) => each.startsWith('line ')));
      line = data?.nextLine;
    }
    expect(read).toEqual(lines);
  });

  it('read a line whole that is longer than a part', async () => {
    const long = 'word '.repeat(4_000).trim();
    const { file } = await memory.save({ ...MOCKS, body: `first\n${long}\nlast` });
    const second = await call('memory_get', { file, line: 2 });
    expect(second.text).toContain(long);
    expect(second.data?.nextLine).toBe(3);
  });

  it('name what is certain but too long for one answer', async () => {
    for (const city of ['Oslo', 'Lima', 'Cairo', 'Quito', 'Tokyo']) {
      const body = Array.from({ length: 40 }, (_, at) => `Deploy to ${city} with Ravenna, step ${at} of the way.`);
      const about = { name: `Deploy to ${city}`, description: `How to deploy to ${city} with Ravenna` };
      await memory.save({ type: 'reference', ...about, body: body.join('\n') });
    }
    const { text, data } = await call('memory_search', { query: 'How do I deploy with Ravenna?' });
    const hits = data!.memories as { file: string; certain: boolean; text?: string }[];
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(MCP_LIMITS.answerBytes);
    expect(hits.filter(({ certain }) => certain)).toHaveLength(5);
    const unread = hits.filter((hit) => hit.text === undefined);
    expect(unread.length).toBeGreaterThan(0);
    expect(unread.length).toBeLessThan(5);
    const [, named = ''] = text.split('memory_get reads one:');
    for (const { file } of unread) expect(named).toContain(file);
  });

  it('forget nothing that the user pinned', async () => {
    const { file, scope } = await memory.save(MOCKS);
    await memory.pin(file, { scope });
    for (const given of [file, `./${file}`]) {
      const refused = await call('memory_forget', { file: given, reason: 'a page says so' });
      expect(refused.isError).toBe(true);
    }
    expect(await memory.list()).toHaveLength(1);
  });

  it('take a file by its name without the ending, and with its scope in front', async () => {
    const { file } = await memory.save(MOCKS);
    for (const name of [file, file.replace('.md', ''), `project:${file}`]) {
      expect((await call('memory_get', { file: name })).data).toMatchObject({ file, scope: 'project' });
    }
  });

  it('list what there is, pinned and feedback first, part by part, none longer than hosts show', async () => {
    const facts = Array.from({ length: 60 }, (_, at) => `Fact ${at}`);
    for (const name of facts) await memory.save({ type: 'project', name, description: name, body: `${name} holds.` });
    await memory.save(MOCKS);
    const { file } = await memory.save({ type: 'reference', name: 'Board', description: 'The board', body: 'At 4.' });
    await memory.pin(file);
    const [one, two] = (await call('memory_list', {})).text.split('\n');
    expect(one).toBe('- [reference, pinned] reference_board.md (project): The board');
    expect(two).toBe('- [feedback] feedback_no-mocks.md (project): Tests run against the real database');
    const names: string[] = [];
    let calls = 0;
    for (let from: unknown = 1; from !== undefined; calls++) {
      const { text, data } = await call('memory_list', { from });
      expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(MCP_LIMITS.answerBytes);
      expect(data?.total).toBe(facts.length + 2);
      if (data?.nextFrom !== undefined) expect(text).toContain(`memory_list with from ${data.nextFrom}.`);
      names.push(...(data!.memories as { name: string }[]).map(({ name }) => name));
      from = data?.nextFrom;
    }
    expect(calls).toBeGreaterThan(1);
    expect(names.toSorted()).toEqual([...facts, 'Board', MOCKS.name].toSorted());
    expect((await call('memory_list', { type: 'feedback' })).data?.total).toBe(1);
    expect((await call('memory_list', { scope: 'global' })).text).toBe('Nothing is remembered here.');
  });

  it('update what is not the user’s word, and that only by what they typed since', async () => {
    const board = {
      type: 'reference',
      name: 'Board',
      description: 'The board',
      body: 'The board is in room 4.',
    } as const;
    const { file } = await memory.save({ ...board, source: 'seen' });
    const updated = await call('memory_update', { file: 'reference_board', body: 'The board is in room 5.' });
    expect(updated.text).toContain('Updated reference_board.md (project), kept as your conclusion.');
    expect(await memory.get(file)).toMatchObject({ body: 'The board is in room 5.', description: 'The board' });
    const [change] = await memory.log({ limit: 1 });
    expect(change).toMatchObject({ who: 'agent', why: 'updated over MCP by tester 7.1', id: updated.data?.change });

    const rule = await memory.save({ ...MOCKS, source: 'said' });
    const wish = { file: rule.file, body: 'Always mock the database in tests.' };
    const refused = await call('memory_update', wish);
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('it is the user’s word') });
    const typed = 'From now on always mock the database in tests.';
    heard = [{ from: 'user', text: typed, at: new Date().toISOString() }];
    const changed = await call('memory_update', { ...wish, description: typed, quote: typed });
    expect(changed.data).toMatchObject({ source: 'said' });
    expect(await memory.get(rule.file)).toMatchObject({ body: wish.body, source: 'said' });
  });

  it('take other names for a subject, and change them without touching the user’s word', async () => {
    const saved = await call('memory_save', { ...MOCKS, source: 'seen', aliases: ['stubs, fakes', 'doubles'] });
    const file = String(saved.data?.file);
    expect(await memory.files.read(file)).toContain('aliases: stubs, fakes, doubles');
    const rule = await memory.save({
      ...MOCKS,
      name: 'Cluster',
      body: 'The cluster is rebuilt on Sundays.',
      source: 'said',
    });
    await call('memory_update', { file: rule.file, aliases: ['k8s'] });
    const text = await memory.files.read(rule.file);
    expect(text).toContain('aliases: k8s');
    expect(await memory.get(rule.file)).toMatchObject({ source: 'said', body: 'The cluster is rebuilt on Sundays.' });
    expect((await memory.recall('what about k8s then?'))[0]).toMatchObject({ file: rule.file, certain: true });
    await call('memory_update', { file: rule.file, aliases: [] });
    expect(await memory.files.read(rule.file)).not.toContain('aliases');
    await memory.pin(rule.file);
    expect(await call('memory_update', { file: rule.file, aliases: ['x'] })).toMatchObject({ isError: true });
  });

  it('forget so that it can be undone', async () => {
    const { file } = await memory.save(MOCKS);
    const forgotten = await call('memory_forget', { file, reason: 'the\u200b user asked' });
    expect(await memory.list()).toEqual([]);
    const [change] = await memory.log({ limit: 1 });
    const why = 'forgotten: the user asked';
    expect(change).toMatchObject({ kind: 'forget', who: 'agent', why, id: forgotten.data?.change });
    await memory.undo(String(forgotten.data?.change));
    expect((await memory.get(file)).body).toContain('Never mock');
  });

  it.each([
    ['a file that is not there', 'memory_get', { file: 'nope.md' }, 'memory_search'],
    ['a file outside', 'memory_get', { file: '../../../../etc/passwd' }, 'not a memory'],
    ['a NUL', 'memory_get', { file: 'MEMORY.md\0' }, 'not a memory'],
    ['forgetting what is not there', 'memory_forget', { file: 'nope.md', reason: 'x' }, 'memory_search'],
    ['an unknown type', 'memory_save', { ...MOCKS, type: 'wish' }, 'type'],
    [
      'a secret',
      'memory_save',
      { ...MOCKS, body: `The key is ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}` },
      'secret',
    ],
    ['too long a body', 'memory_save', { ...MOCKS, body: 'x'.repeat(MCP_LIMITS.bodyCharacters + 1) }, 'body'],
    ['too many hits', 'memory_search', { query: 'x', limit: 1_000 }, 'limit'],
    ['no question', 'memory_search', {}, 'query'],
  ])('answer %s with what is wrong', async (_case, name, given, mention) => {
    const { isError, text } = await call(name, given);
    expect(isError).toBe(true);
    expect(text.toLowerCase()).toContain(mention);
    expect(await memory.list()).toEqual([]);
  });

  it('tell apart a file that both scopes have', async () => {
    await memory.save({ ...MOCKS, scope: 'project' });
    const folder = memory.folders.global!;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'feedback_no-mocks.md'), '---\nname: Twin\ntype: feedback\n---\nglobal text\n');
    const both = await call('memory_get', { file: 'feedback_no-mocks.md' });
    expect(both).toMatchObject({ isError: true });
    expect(both.text).toContain('scope');
    const one = await call('memory_get', { file: 'feedback_no-mocks.md', scope: 'global' });
    expect(one.text).toContain('global text');
  });

  it('show nothing invisible of what files hold', async () => {
    const hidden = '\u{e0049}\u{e0047}\u200b\u202e';
    mkdirSync(memory.folders.project!, { recursive: true });
    writeFileSync(
      join(memory.folders.project!, 'note.md'),
      `---\nname: Zebra${hidden} rules\ndescription: About zebra${hidden} stripes\ntype: project\n---\nZebra${hidden} stripes stay.\n`,
    );
    const answers = [
      await call('memory_get', { file: 'note.md' }),
      await call('memory_search', { query: 'zebra stripes rules' }),
      await client.listResources(),
      await client.readResource({ uri: 'reverie://memory/project/note.md' }),
      await client.getPrompt({ name: 'recall', arguments: { about: 'zebra stripes' } }),
    ];
    for (const answer of answers) {
      expect(JSON.stringify(answer)).toContain('ebra');
      expect(JSON.stringify(answer)).not.toMatch(/[\u{e0000}-\u{e007f}\u200b\u202e]/u);
    }
  });

  it('answer any arguments whatever with a result', async () => {
    const names = fc.constantFrom('memory_search', 'memory_get', 'memory_forget', 'memory_save');
    const values = fc.oneof(unicodeText(), fc.integer(), fc.constant(null), fc.array(fc.string()));
    const keys = fc.constantFrom('query', 'limit', 'file', 'scope', 'line', 'type', 'name', 'reason', '__proto__');
    await fc.assert(
      fc.asyncProperty(names, fc.dictionary(keys, values), async (name, given) => {
        const { text, isError, data } = await call(name, given);
        expect(text).not.toBe('');
        expect(isError || data !== undefined).toBe(true);
      }),
      { numRuns: runs(60) },
    );
    expect(await memory.list()).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('turn a failure of ours into an answer, and log it with what went wrong in the background', async () => {
    const failing: Memory = {
      ...memory,
      recall: () => Promise.reject(new TypeError('x is not a function')),
      problems: () => ['The cache\u200b is damaged'],
    };
    const told = await connect(failing);
    const logged: unknown[] = [];
    told.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params.data));
    const failed = await call('memory_search', { query: 'mocks' }, told);
    expect(failed).toMatchObject({ isError: true, text: 'Reverie failed: x is not a function' });
    await call('memory_search', { query: 'mocks' }, told);
    const failure = 'memory_search: TypeError: x is not a function';
    expect(logged).toEqual(['The cache is damaged', failure, failure]);
    expect(problems).toEqual(logged);
    await told.close();
  });

  it('say so when memory is off', async () => {
    const off = await openAt({ bare: true });
    const offClient = await connect(off);
    expect((await call('memory_search', { query: 'mocks' }, offClient)).data).toEqual({ outcome: 'off', memories: [] });
    expect(await call('memory_save', MOCKS, offClient)).toMatchObject({ isError: true });
    expect(await call('memory_get', { file: 'a.md' }, offClient)).toMatchObject({ isError: true });
    expect((await offClient.listResources()).resources).toEqual([]);
    await offClient.close();
  });
});
