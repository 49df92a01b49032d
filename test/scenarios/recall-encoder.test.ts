/** An embedding model of a server counts in recall, and recall does without it when it has to. */

import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace } from '../../src/cli/open-place.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { openMemory } from '../../src/session/open-memory.ts';
import { runLine } from '../support/cli-stub.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const opened: Memory[] = [];
let [place, server] = ['', undefined as unknown as EmbeddingServer];

beforeEach(async () => {
  place = temporaryFolder('encoder');
  fs.mkdirSync(join(place, 'project'), { recursive: true });
  server = await startEmbeddingServer([/ferry|zzyx/, /oven|qqvb/]);
});
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close();
  await server.close();
});

const environment = () => ({ HOME: place, OLLAMA_HOST: server.url, OPENAI_BASE_URL: `${server.url}/v1` });

async function open(encoder: string, extra: { env?: Record<string, string> } = {}): Promise<Memory> {
  const env = { ...environment(), ...extra.env };
  const settings = { 'recall.encoder': encoder };
  const memory = await openMemory({ home: join(place, 'home'), cwd: join(place, 'project'), env, settings });
  opened.push(memory);
  return memory;
}

async function fill(memory: Memory): Promise<void> {
  await memory.save({
    type: 'user',
    name: 'Ferry',
    description: 'Takes the ferry home',
    body: 'Takes the ferry home at six.',
  });
  await memory.save({
    type: 'user',
    name: 'Oven',
    description: 'The oven is broken',
    body: 'The oven is broken since May.',
  });
  await memory.ready();
}

describe('the setting recall.encoder', () => {
  it.each(['ollama/nomic-embed-text', 'openai/text-embedding-3-small'])(
    'finds by %s what words do not',
    async (name) => {
      const memory = await open(name, { env: { OPENAI_API_KEY: 'sk-test' } });
      await fill(memory);
      const [hit] = await memory.recall('zzyx qqvc');
      expect(hit?.file).toBe('user_ferry.md');
      expect(hit?.why.vector).toBeGreaterThan(0.5);
      expect(memory.problems()).toEqual([]);
      const isOllama = name.startsWith('ollama');
      expect(server.texts.at(-1)).toBe(isOllama ? 'search_query: zzyx qqvc' : 'zzyx qqvc');
      expect(server.keys.at(-1)).toBe(isOllama ? undefined : 'Bearer sk-test');
    },
  );

  it('is certain by the model alone once that is calibrated for the folder, and silent for what is unrelated', async () => {
    const rooms = [
      'attic',
      'cellar',
      'garage',
      'garden',
      'hall',
      'kitchen',
      'landing',
      'porch',
      'shed',
      'stairs',
      'study',
    ];
    await server.close();
    server = await startEmbeddingServer([/ferry|zzyx/, /oven/, ...rooms.map((room) => new RegExp(`\\b${room}\\b`))]);
    const memory = await open('ollama/any');
    for (const room of rooms) {
      const body = `The ${room} was painted.`;
      await memory.save({ type: 'user', name: room, description: body, body });
    }
    await fill(memory);
    const [hit] = await memory.recall('zzyx of the qqvc');
    expect(hit).toMatchObject({ file: 'user_ferry.md', certain: true });
    expect(hit?.why.explain).toMatch(/your model [01]\.\d\d of 0\.\d\d/);
    const unrelated = await memory.recall('wwkt of the qqvc');
    expect(unrelated.filter(({ certain }) => certain)).toEqual([]);
    const asked = server.texts.length;
    const next = await open('ollama/any');
    await next.ready();
    expect(server.texts).toHaveLength(asked);
  });

  describe('onnx/MODEL', () => {
    it('runs in this process through transformers.js where that is installed in the home', async () => {
      const folder = join(place, 'home', 'node_modules', '@huggingface', 'transformers');
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(
        join(folder, 'package.json'),
        '{"name":"@huggingface/transformers","type":"module","main":"index.js"}',
      );
      fs.writeFileSync(
        join(folder, 'index.js'),
        `export async function pipeline(task, model) {
          if (task !== 'feature-extraction' || model !== 'Some/model') throw new Error('no such model');
          const vector = (text) => [/ferry|zzyx/.test(text) ? 1 : 0, /oven/.test(text) ? 1 : 0, 0.1];
          return async (texts, { pooling, normalize }) => ({ tolist: () => (pooling === 'mean' && normalize ? texts.map(vector) : []) });
        }`,
      );
      const memory = await open('onnx/Some/model');
      await fill(memory);
      const [hit] = await memory.recall('zzyx qqvc');
      expect(hit?.file).toBe('user_ferry.md');
      expect(hit?.why.vector).toBeGreaterThan(0.5);
      expect(memory.problems()).toEqual([]);
    });

    it('says how to install it, and takes none from the project', async () => {
      const inProject = join(place, 'project', 'node_modules', '@huggingface', 'transformers');
      fs.mkdirSync(inProject, { recursive: true });
      fs.writeFileSync(join(inProject, 'index.js'), 'throw new Error("ran code of the project")');
      const memory = await open('onnx/Some/model');
      await fill(memory);
      expect((await memory.recall('the ferry home'))[0]?.file).toBe('user_ferry.md');
      expect(memory.problems().join()).toMatch(/npm install --prefix .*home @huggingface\/transformers/);
    });
  });

  it('sends each memory once, also for the next process', async () => {
    await fill(await open('ollama/any'));
    expect(server.texts).toHaveLength(2);
    const next = await open('ollama/any');
    await next.ready();
    expect(server.texts).toHaveLength(2);
  });

  it.each(['failing', 'nonsense', 'silent'] as const)('is done without while the server is %s', async (mood) => {
    const memory = await open('ollama/any');
    await fill(memory);
    server.mood = mood;
    const before = server.texts.length;
    const [hit] = await memory.recall('when is the ferry home');
    expect(hit).toMatchObject({ file: 'user_ferry.md', why: { vector: null } });
    expect(memory.problems().join()).toContain('ranked without it for now: ollama/any at http');
    await memory.recall('another question about the oven');
    expect(server.texts.length - before).toBeLessThanOrEqual(1);
    // Nothing waits for the model: neither a save, nor the answer to a question, nor the end.
    await memory.save({ type: 'user', name: 'Tea', description: 'Drinks green tea', body: 'Drinks green tea.' });
    expect((await memory.recall('what tea does the user drink'))[0]?.file).toBe('user_tea.md');
  });

  it('is done without when nobody listens, when the name is wrong and when a key is missing', async () => {
    const cases = [
      ['ollama/any', { OLLAMA_HOST: 'http://127.0.0.1:9' }, 'nothing listens there|fetch failed|bad port'],
      ['nomic', {}, '`ollama/MODEL`, `openai/MODEL` or `onnx/MODEL`'],
      ['openai/any', { OPENAI_BASE_URL: '' }, 'needs a key'],
    ] as const;
    for (const [name, env, reason] of cases) {
      const memory = await open(name, { env });
      await memory.save({ type: 'user', name: 'Ferry', description: 'Takes the ferry', body: 'Takes the ferry home.' });
      expect((await memory.recall('the ferry home'))[0]?.file).toBe('user_ferry.md');
      expect(memory.problems().join()).toMatch(new RegExp(reason));
      await memory.forget('user_ferry.md');
    }
  });

  it('is in the status, with what keeps it from its work', async () => {
    fs.mkdirSync(join(place, 'home'), { recursive: true });
    fs.writeFileSync(join(place, 'home', 'settings.json'), '{"recall.encoder":"ollama/any"}');
    await fill(await open('ollama/any'));
    const where = ['--home', join(place, 'home'), '--cwd', join(place, 'project')];
    const options = {
      environment: environment(),
      openMemory: (flags: Parameters<typeof openPlace>[0]) => openPlace(flags, environment()),
    };
    const well = await runLine(['status', ...where], options);
    expect(well.stdout).toContain('recall encoder: ollama/any, 2 memories read; answers');
    server.mood = 'failing';
    const ill = await runLine(['status', ...where], options);
    expect(ill.stdout).toContain('not in use, recall goes on with its own: ollama/any at http');
    expect(ill.stdout).toContain('it answered with 500');
  });
});
