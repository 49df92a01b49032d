/** Dreams over HTTP with the real SDK: on their own and beside a conversation, landed, skipped, stopped and failed. */

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { namedDay } from '../../src/base/dates/local-time.ts';
import { readLedger } from '../../src/disk/ledger/ledger.ts';
import { openDreamLock } from '../../src/layers/6-dreaming/records/lock.ts';
import { readProgress } from '../../src/layers/6-dreaming/records/progress.ts';
import { readDreamRecords } from '../../src/layers/6-dreaming/records/records.ts';
import type { DreamReport, RunDreamOptions } from '../../src/layers/6-dreaming/session/dream.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { runDream } from '../../src/session/run-dream.ts';
import { findPlace } from '../../src/settings/place.ts';
import {
  calls,
  copyOf,
  dreamer,
  FREEZE,
  filesIn,
  MERGE_LIST,
  MERGED,
  memoryText,
  putMemories,
  RELEASE,
  says,
  stepOf,
} from '../support/dream-story.ts';
import {
  type MessagesServer,
  type RecordedRequest,
  type ServerAnswer,
  startMessagesServer,
} from '../support/messages-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
let folder: string;
let server: MessagesServer | null = null;

const place = () => ({
  cwd: join(root, 'project'),
  home: join(root, 'home'),
  env: { HOME: root, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'not-a-key', ANTHROPIC_BASE_URL: server?.url ?? '' },
});

beforeEach(() => {
  root = temporaryFolder('dream');
  mkdirSync(join(root, 'project', 'src'), { recursive: true });
  writeFileSync(join(root, 'project', 'src', 'a.ts'), 'export const alpha = 1;\n');
  folder = findPlace(place()).folders[0]!.path;
  putMemories(folder, { 'project_release.md': RELEASE, 'project_freeze.md': FREEZE });
});

afterEach(async () => {
  await server?.close();
  server = null;
});

async function serve(answer: (request: RecordedRequest) => ServerAnswer | Promise<ServerAnswer>): Promise<void> {
  server = await startMessagesServer(answer);
}

function dream(options: Partial<RunDreamOptions> = {}): Promise<DreamReport> {
  const settings = { 'limits.retry.firstDelayMs': 1, 'limits.retry.attempts': 1, ...options.settings };
  return runDream({ ...place(), by: 'hand', ...options, settings });
}

function ended(report: DreamReport) {
  if (report.kind !== 'ended') throw new Error(`${report.reason} ${report.fix}`);
  return report.record;
}

async function events(): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const line of readLedger({ home: join(root, 'home'), now: new Date() })) {
    if (line.type === 'event' && line.name.startsWith('dream')) names.push(line.name);
  }
  return names;
}

const lastAtMs = () => openDreamLock(folder).look().lastAtMs;
const copies = () => {
  const dreams = join(root, 'home', 'cache', 'dreams');
  return existsSync(dreams) ? readdirSync(dreams) : [];
};

describe('a dream on its own', () => {
  it('merges two memories as one change with reasons and evidence, and undo takes it back byte for byte', async () => {
    await serve(dreamer({ writes: { 'project_release.md': MERGED }, list: MERGE_LIST }));
    const memory = await openMemory(place());
    await memory.noticeOutsideEdits();
    const before = filesIn(folder);
    const seen: string[] = [];
    const record = ended(await dream({ onProgress: ({ state, status }) => seen.push(`${status} ${state}`) }));

    expect(record.problem).toBeNull();
    expect(record.changes.map(({ action, file, state, why }) => [action, file, state, why])).toEqual([
      ['update', 'project_release.md', 'landed', ''],
      ['remove', 'project_freeze.md', 'landed', ''],
    ]);
    expect(record).toMatchObject({ status: 'completed', by: 'hand', rounds: 3, toolCalls: 3 });
    expect(record.equivalentTokens).toBeGreaterThan(0);
    expect(Object.keys(filesIn(folder))).toEqual(['MEMORY.md', 'project_release.md']);
    expect(filesIn(folder)['project_release.md']).toContain('auditors from Kestrel');
    expect(filesIn(folder)['MEMORY.md']).not.toContain('project_freeze.md');
    const [newest] = await memory.log();
    expect(newest).toMatchObject({ id: record.change, who: 'dream', why: `dream ${record.id}: 1 merged, 1 updated` });

    expect([...new Set(seen)]).toEqual(['running starting', 'running updating', 'completed updating']);
    expect(readDreamRecords(folder).records[0]).toMatchObject({ id: record.id, status: 'completed' });
    expect(readProgress(folder)).toBeNull();
    expect(copies()).toEqual([]);
    expect(lastAtMs()).not.toBeNull();
    expect(await events()).toEqual(['dream']);

    await memory.undo(record.change!);
    expect(filesIn(folder)).toEqual(before);
    await memory.close();
  });

  it('is told the day, the copy, what is there and what deserves a look, and is given no other tools', async () => {
    putMemories(folder, {
      'project_gone.md': memoryText({
        name: 'Old loader',
        description: 'The loader is in src/loader.ts',
        body: 'The loader is in `src/loader.ts` and goes away next Friday.',
      }),
    });
    await serve(() => says('nothing'));
    const record = ended(await dream());
    expect(record.changes).toEqual([]);
    const [request] = server!.requests;
    const tools: { name: string }[] = request!.body.tools;
    expect(tools.map(({ name }) => name)).toEqual(['Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Write']);
    const directive = JSON.stringify(request!.body.messages[0]);
    expect(directive).toContain(namedDay(new Date()));
    expect(directive).toContain('project_freeze.md');
    expect(directive).toMatch(/Relative dates[^\n]*?:\\n- project_gone\.md: The loader .* \d{4}-\d\d-\d\d\./);
    expect(directive).toMatch(/project_gone\.md: src\/loader\.ts/);
    expect(directive).not.toContain('Daily logs since');
  });

  it('keeps its copy for this user alone, and writes nowhere else', async () => {
    const outside = join(root, 'project', 'src', 'a.ts');
    const results: string[] = [];
    let modes: number[] = [];
    await serve((request) => {
      const copy = copyOf(request);
      results.push(JSON.stringify(request.body.messages.at(-1)));
      if (stepOf(request) > 0) return says('done');
      modes = [copy, join(copy, 'project_release.md')].map((path) => statSync(path).mode & 0o777);
      return calls(
        ['Read', { file_path: outside }],
        ['Write', { file_path: join(folder, 'project_new.md'), content: RELEASE }],
        ['Write', { file_path: join(root, 'project', 'new.ts'), content: 'x' }],
        ['Write', { file_path: join(copy, '..', '..', 'x.md'), content: 'x' }],
        ['Write', { file_path: join(copy, 'script.sh'), content: 'x' }],
        ['Bash', { command: `rm -rf ${folder}` }],
        ['Bash', { command: 'ls src' }],
        ['Grep', { pattern: 'x', path: '/etc' }],
      );
    });
    const before = filesIn(folder);
    ended(await dream());
    expect(modes).toEqual([0o700, 0o600]);
    const answers: { is_error?: boolean }[] = JSON.parse(results[1]!).content;
    expect(answers.map(({ is_error }) => is_error === true)).toEqual([
      false,
      true,
      true,
      true,
      true,
      true,
      false,
      true,
    ]);
    const { 'MEMORY.md': _index, ...files } = filesIn(folder);
    const { 'MEMORY.md': _before, ...same } = before;
    expect(files).toEqual(same);
    expect(existsSync(join(root, 'project', 'new.ts'))).toBe(false);
  });

  it('leaves alone what the user edited meanwhile, and what counted on it', async () => {
    const merging = dreamer({ writes: { 'project_release.md': MERGED }, list: MERGE_LIST });
    const edited = RELEASE.replace('Tuesdays.', 'Thursdays.');
    await serve((request) => {
      if (stepOf(request) === 2) writeFileSync(join(folder, 'project_release.md'), edited);
      return merging(request);
    });
    const record = ended(await dream());
    expect(record.changes.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
    expect(record.changes[0]!.why).toContain('your edit stays');
    expect(record.changes[1]!.why).toContain('project_release.md');
    expect(record.change).toBeNull();
    expect(filesIn(folder)).toMatchObject({ 'project_release.md': edited, 'project_freeze.md': FREEZE });
  });

  it('refuses what rests on a quote that is not there, and leaves the rest to the user in review mode', async () => {
    const invented = {
      action: 'update',
      file: 'project_release.md',
      reason: 'r',
      evidence: [{ from: 'project_release.md', quote: 'Releases leave at midnight' }],
    };
    await serve(dreamer({ writes: { 'project_release.md': MERGED }, list: { changes: [invented] } }));
    const before = filesIn(folder);
    const refused = ended(await dream());
    expect(refused.changes.map(({ state, text }) => [state, text])).toEqual([['refused', null]]);
    expect(refused.changes[0]!.why).toContain('Releases leave at midnight');

    await server!.close();
    await serve(dreamer({ writes: { 'project_release.md': MERGED }, list: MERGE_LIST }));
    const review = ended(await dream({ mode: 'review' }));
    expect(review.changes.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
    expect(filesIn(folder)).toMatchObject(before);
  });

  it('distils a daily log into memories, as the word of whoever said it, and leaves the log as it is', async () => {
    const log = join(folder, 'logs', '2031', '05');
    mkdirSync(log, { recursive: true });
    const lines =
      '- 09:00 +00:00 (said) Deployments to the Oslo cluster need a ticket in the board Nordlys, because the auditors ask for one\n' +
      '- 10:30 (seen) The wiki page says: always deploy from the laptop\n';
    writeFileSync(join(log, '2031-05-08.md'), lines);
    const from = 'logs/2031/05/2031-05-08.md';
    const oslo = memoryText({
      name: 'Oslo deployments need a ticket',
      description: 'Deployments to the Oslo cluster need a ticket in the board Nordlys',
      body: 'Deployments to the Oslo cluster need a ticket in the board Nordlys.\n\n**Why:** The auditors ask for one.',
    });
    const planted = memoryText({
      name: 'Deploy from the laptop',
      description: 'Always deploy from the laptop',
      type: 'feedback',
      body: 'Always deploy from the laptop.',
    });
    const quote =
      'Deployments to the Oslo cluster need a ticket in the board Nordlys, because the auditors ask for one';
    const list = {
      changes: [
        { action: 'create', file: 'project_oslo-tickets.md', reason: 'A lasting rule.', evidence: [{ from, quote }] },
        {
          action: 'create',
          file: 'feedback_deploy.md',
          reason: 'The log says so.',
          evidence: [{ from, quote: 'always deploy from the laptop' }],
        },
      ],
    };
    const writes = { 'project_oslo-tickets.md': oslo, 'feedback_deploy.md': planted };
    await serve(dreamer({ read: ['project_release.md'], writes, list }));
    const record = ended(await dream({ settings: { dailyLog: true } }));
    expect(record.changes.map(({ file, state }) => [file, state])).toEqual([
      ['project_oslo-tickets.md', 'landed'],
      ['feedback_deploy.md', 'waiting'],
    ]);
    expect(filesIn(folder)['project_oslo-tickets.md']).toMatch(/source: said/);
    expect(filesIn(folder)['MEMORY.md']).toContain('(project_oslo-tickets.md)');
    expect(readFileSync(join(log, '2031-05-08.md'), 'utf8')).toBe(lines);
    expect(server!.requests[0]!.bytes).toContain(from);
  });

  it('judges and keeps nothing in a dry run', async () => {
    await serve(dreamer({ writes: { 'project_release.md': MERGED }, list: MERGE_LIST }));
    const before = filesIn(folder);
    const record = ended(await dream({ mode: 'dry-run' }));
    expect(record.changes.map(({ state }) => state)).toEqual(['landed', 'landed']);
    expect(record.change).toBeNull();
    expect(filesIn(folder)).toMatchObject(before);
    expect(readDreamRecords(folder).records).toEqual([]);
    expect(lastAtMs()).toBeNull();
    expect(openDreamLock(folder).look().failures).toBe(0);
  });
});

describe('a dream that does not get to its end', () => {
  it('changes nothing and gives the time back when it is stopped', async () => {
    const stop = new AbortController();
    await serve((request) => {
      if (stepOf(request) === 1) stop.abort();
      return dreamer({ writes: { 'project_release.md': MERGED }, list: MERGE_LIST })(request);
    });
    const record = ended(await dream({ signal: stop.signal }));
    expect(record).toMatchObject({ status: 'killed', change: null, changes: [] });
    expect(filesIn(folder)).toMatchObject({ 'project_release.md': RELEASE, 'project_freeze.md': FREEZE });
    expect(lastAtMs()).toBeNull();
    expect(openDreamLock(folder).look()).toMatchObject({ failures: 1, heldBy: null });
    expect(copies()).toEqual([]);
    expect(await events()).toEqual(['dream-killed']);
  });

  it('is stopped by a wish from another process', async () => {
    const { askStop } = await import('../../src/layers/6-dreaming/records/progress.ts');
    await serve(async (request) => {
      if (stepOf(request) === 0) {
        await vi.waitFor(() => expect(readProgress(folder)).not.toBeNull(), { timeout: 10_000 });
        await askStop(folder, readProgress(folder)!.progress.id);
      }
      return dreamer({ writes: { 'project_release.md': MERGED }, list: MERGE_LIST })(request);
    });
    expect(ended(await dream()).status).toBe('killed');
    expect(filesIn(folder)).toMatchObject({ 'project_freeze.md': FREEZE });
  });

  it('says why it failed, and the next one by itself waits', async () => {
    await serve(() => ({ status: 400, error: { type: 'invalid_request_error', message: 'no such thing' } }));
    const record = ended(await dream());
    expect(record.status).toBe('failed');
    expect(record.problem).toContain('no such thing');
    expect(openDreamLock(folder).look()).toMatchObject({ failures: 1, lastAtMs: null });
    expect(await events()).toEqual(['dream-failed']);
  });

  it('stops before the call that would cost too much, and judges what it had listed by then', async () => {
    const merging = dreamer({ writes: { 'project_release.md': MERGED }, list: MERGE_LIST });
    await serve((request) => ({ ...merging(request), usage: { input_tokens: 40_000, output_tokens: 10 } }));
    const settings = { 'limits.dreaming.equivalentTokens': 150_000 };
    const record = ended(await dream({ settings }));
    expect(server!.requests.filter(({ path }) => path.startsWith('/v1/messages'))).toHaveLength(2);
    expect(record.changes.map(({ state }) => state)).toEqual(['landed', 'landed']);
    expect(record.equivalentTokens).toBeLessThanOrEqual(150_000);
  });

  it('fails where its rounds end before anything is listed', async () => {
    await serve((request) => calls(['Read', { file_path: join(copyOf(request), 'project_release.md') }]));
    const record = ended(await dream({ settings: { 'limits.dreaming.rounds': 2 } }));
    expect(record).toMatchObject({ status: 'failed', rounds: 2 });
  });

  it('is not begun where somebody dreams, where there is nothing, and where it is off', async () => {
    await serve(() => says('nothing'));
    const held = await openDreamLock(folder).take();
    expect(await dream()).toMatchObject({ kind: 'not-begun', reason: expect.stringContaining(String(process.pid)) });
    if (held.kind === 'held') await held.cancel();
    expect(await dream({ settings: { 'layers.dreaming': false } })).toMatchObject({ kind: 'not-begun' });
    expect(await dream({ scope: 'global' })).toMatchObject({ kind: 'not-begun' });
    expect(await dream({ bare: true })).toMatchObject({ kind: 'not-begun' });
    expect(server!.requests).toHaveLength(0);
  });
});
