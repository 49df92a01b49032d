/** Recall as a program uses it: over real folders, with the encoder that comes with the package. */

import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Memory } from '../../src/memory/memory.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const opened: Memory[] = [];
let place: string;

beforeEach(() => {
  place = temporaryFolder('recall');
  fs.mkdirSync(join(place, 'project', 'src'), { recursive: true });
});
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close();
});

async function open(options: Parameters<typeof openMemory>[0] = {}): Promise<Memory> {
  const memory = await openMemory({
    home: join(place, 'home'),
    cwd: join(place, 'project'),
    env: { HOME: place },
    ...options,
  });
  opened.push(memory);
  return memory;
}

async function fill(memory: Memory): Promise<void> {
  await memory.save({
    type: 'feedback',
    name: 'No mocks',
    description: 'Integration tests run against the real database',
    body: 'Never mock Postgres in integration tests.',
  });
  await memory.save({
    type: 'user',
    name: 'Coffee',
    description: 'Drinks dark roast coffee in the morning',
    body: 'No sugar.',
  });
  await memory.save({
    type: 'reference',
    name: 'Bug tracker',
    description: 'Pipeline bugs are in the Linear project INGEST',
    body: 'Look there first.',
  });
  await memory.save({
    type: 'project',
    name: 'Freeze',
    description: 'Merge freeze begins on 2026-03-05 for the mobile release',
    body: 'No merges after that day.',
  });
}

const folderOf = (memory: Memory) => memory.folders.project!;
const files = (hits: readonly { readonly file: string }[]) => hits.map(({ file }) => file);

describe('recall', () => {
  it('finds a memory by another name for its subject, which it keeps', async () => {
    const memory = await open();
    await fill(memory);
    const saved = await memory.save({
      type: 'project',
      name: 'Cluster',
      description: 'The cluster is upgraded on the first Monday of a month',
      body: 'Nothing is rolled out on that day.',
      aliases: ['k8s', 'Bluebox'],
    });
    const text = () => fs.readFileSync(join(folderOf(memory), saved.file), 'utf8');
    expect(text()).toContain('\naliases: k8s, Bluebox\n');
    for (const question of ['what is with k8s', 'may I restart Bluebox?']) {
      const [hit] = await memory.recall(question);
      expect(hit).toMatchObject({ file: saved.file, certain: true });
    }
    expect((await memory.recall('what is with k8s'))[0]?.why.explain).toContain('named, and in no other memory: k8s');
    await memory.update(saved.file, { description: 'The cluster is upgraded on Mondays' });
    expect(text()).toContain('\naliases: k8s, Bluebox\n');
  });

  it('finds by meaning what shares no word, in both scopes', async () => {
    const memory = await open();
    await fill(memory);
    const [drink] = await memory.recall('which beverage does the user like at breakfast?');
    expect(drink).toMatchObject({ file: 'user_coffee.md', scope: 'global' });
    const [tests] = await memory.recall('should I use a fake Postgres in the integration tests?');
    expect(tests).toMatchObject({ file: 'feedback_no-mocks.md', scope: 'project', certain: true });
    expect(tests?.text).toContain('Never mock Postgres');
    expect(tests?.text).toMatch(/^<system-reminder>[\s\S]*<\/system-reminder>$/);
    expect(tests?.why.wordsShared).toContain('integration');
    expect(tests?.why.explain).toContain('feedback_no-mocks.md');
  });

  it('is certain of nothing when asked about something else', async () => {
    const memory = await open();
    await fill(memory);
    const hits = await memory.recall('how tall is the tower in the old harbour of Marseille?');
    expect(hits.filter(({ certain }) => certain)).toEqual([]);
  });

  it('follows every change at once: saved, edited by hand, forgotten', async () => {
    const memory = await open();
    await fill(memory);
    expect(files(await memory.recall('where is the deployment dashboard?', { limit: 1 }))).not.toEqual([
      'reference_grafana.md',
    ]);
    await memory.save({
      type: 'reference',
      name: 'Grafana',
      description: 'The deployment dashboard is on Grafana',
      body: 'Board 7.',
    });
    expect(files(await memory.recall('where is the deployment dashboard?', { limit: 1 }))).toEqual([
      'reference_grafana.md',
    ]);
    const path = join(memory.folders.project!, 'reference_grafana.md');
    const edited = fs.readFileSync(path, 'utf8').replaceAll('Grafana', 'Kibana');
    fs.writeFileSync(`${path}.new`, edited);
    fs.renameSync(`${path}.new`, path);
    expect((await memory.recall('is there a Kibana board?', { limit: 1 }))[0]?.text).toContain('Kibana');
    await memory.forget('reference_grafana.md');
    expect(files(await memory.recall('where is the deployment dashboard?'))).not.toContain('reference_grafana.md');
  });

  it('leaves out what was seen, superseded or refuted, and the manual of a tool in use', async () => {
    const memory = await open();
    await fill(memory);
    const query = 'integration tests against the real database';
    expect(files(await memory.recall(query, { exclude: ['feedback_no-mocks.md'] }))).not.toContain(
      'feedback_no-mocks.md',
    );
    await memory.update('feedback_no-mocks.md', { refuted: 'a container is used now' });
    expect(files(await memory.recall(query))).not.toContain('feedback_no-mocks.md');
    await memory.update('feedback_no-mocks.md', { refuted: null });
    expect(files(await memory.recall(query))).toContain('feedback_no-mocks.md');
    await memory.save({
      type: 'reference',
      name: 'Grep usage',
      description: 'How to use Grep with a glob',
      body: 'Pass glob.',
    });
    await memory.save({
      type: 'reference',
      name: 'Grep hangs',
      description: 'Grep hangs on the fixtures folder',
      body: 'Skip it.',
    });
    const hits = files(await memory.recall('how to use Grep on the fixtures folder?', { recentTools: ['Grep'] }));
    expect(hits).toContain('reference_grep-hangs.md');
    expect(hits).not.toContain('reference_grep-usage.md');
  });

  it('says when what a memory names is gone', async () => {
    const memory = await open();
    await memory.save({
      type: 'reference',
      name: 'Rate limits',
      description: 'Rate limits of the API are set in `src/limits.yaml`',
      body: 'Change them in `src/limits.yaml`.',
    });
    fs.writeFileSync(join(place, 'project', 'src', 'limits.yaml'), 'a: 1\n');
    const query = 'where are the rate limits of the API set?';
    const [there] = await memory.recall(query);
    expect(there).toMatchObject({ certain: true });
    expect(there?.text).not.toContain('Gone');
    fs.rmSync(join(place, 'project', 'src', 'limits.yaml'));
    expect((await memory.recall(query))[0]?.text).toContain('Gone: `src/limits.yaml`');
  });

  it('leaves nothing of a purged memory in the derived files', async () => {
    const memory = await open();
    await fill(memory);
    await memory.ready();
    await memory.purge('user_coffee.md');
    await memory.close();
    const cache = join(place, 'home', 'cache');
    const traces = fs.readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((name) => {
      const path = join(cache, name);
      return fs.statSync(path).isFile() && /coffee/i.test(fs.readFileSync(path, 'latin1'));
    });
    expect(traces).toEqual([]);
    expect(files(await (await open()).recall('dark roast coffee in the morning'))).not.toContain('user_coffee.md');
  });

  it('serves the next process from its index, and makes a damaged one again', async () => {
    const first = await open();
    await fill(first);
    await first.ready();
    await first.close();
    const cache = join(place, 'home', 'cache');
    const segments = fs
      .readdirSync(cache, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.segment'));
    expect(segments.length).toBeGreaterThan(0);
    for (const name of segments) fs.truncateSync(join(cache, name), 40);
    const [hit] = await (await open()).recall('dark roast coffee in the morning');
    expect(hit?.file).toBe('user_coffee.md');
  });

  it('lets a model of the user’s own count once it has caught up', async () => {
    const embedded: string[] = [];
    const memory = await open({
      embed: {
        id: 'by-length',
        async embed(texts) {
          embedded.push(...texts);
          return texts.map((text) => new Float32Array([text.length, 1]));
        },
      },
    });
    await fill(memory);
    await memory.ready();
    expect(embedded).toHaveLength(4);
    const [hit] = await memory.recall('dark roast coffee in the morning');
    expect(hit?.why.vector).not.toBeNull();
  });

  it('is silent when memory is off or empty', async () => {
    expect(await (await open()).recall('anything at all')).toEqual([]);
    expect(await (await open({ bare: true })).recall('anything at all')).toEqual([]);
  });
});
