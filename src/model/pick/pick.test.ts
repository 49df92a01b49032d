import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ReverieError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { DEFAULT_OPENAI_MODEL, DEFAULT_OPENAI_SMALL_MODEL } from './openai.ts';
import { DEFAULT_MODEL, DEFAULT_SMALL_MODEL, type PickFacts, pickModel, pickSmallModel } from './pick.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Routes = Record<string, object | ((body: { model?: string }) => object) | 'never'>;

/** A loopback server that answers each path with JSON; returns its address. */
async function serve(routes: Routes): Promise<string> {
  const server = createServer(async (asked, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk as Buffer);
    const answer = routes[asked.url ?? ''];
    if (answer === 'never') return;
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(typeof answer === 'function' ? answer(body) : (answer ?? {})));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Where nothing listens: the port was just released. */
async function nowhere(): Promise<string> {
  const host = await serve({});
  await closers.pop()!();
  return host;
}

/** Generous, so that a busy machine changes nothing. */
const limits = { ...LIMITS.models, answerMs: 10_000, namedAnswerMs: 10_000 };

async function pick(environment: PickFacts['environment'], more: Partial<PickFacts> & { setting?: string } = {}) {
  const quiet = { OLLAMA_HOST: await nowhere(), LMSTUDIO_HOST: await nowhere() };
  return pickModel({ environment: { ...quiet, ...environment }, limits, ...more });
}

async function nameOf(...asked: Parameters<typeof pick>): Promise<string> {
  const picked = await pick(...asked);
  return picked.kind === 'model' ? picked.model.name : 'none';
}

async function errorOf(...asked: Parameters<typeof pick>): Promise<ReverieError> {
  const error = await pick(...asked).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ReverieError)) throw new Error(`no ReverieError but ${error}`);
  return error;
}

describe('without a name', () => {
  it.each<[string, Record<string, string>, string, string]>([
    ['a key of Anthropic', { ANTHROPIC_API_KEY: 'k' }, DEFAULT_MODEL, 'ANTHROPIC_API_KEY'],
    ['a token of Anthropic', { ANTHROPIC_AUTH_TOKEN: 't' }, DEFAULT_MODEL, 'ANTHROPIC_AUTH_TOKEN'],
    ['a server like it', { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }, DEFAULT_MODEL, 'ANTHROPIC_BASE_URL'],
    [
      'a model for that server',
      { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9', ANTHROPIC_MODEL: 'glm' },
      'glm',
      'ANTHROPIC_BASE_URL',
    ],
    ['Anthropic before OpenAI', { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'o' }, DEFAULT_MODEL, 'ANTHROPIC_API_KEY'],
    ['a key of OpenAI', { OPENAI_API_KEY: 'o' }, `openai/${DEFAULT_OPENAI_MODEL}`, 'OPENAI_API_KEY'],
    ['its model', { OPENAI_API_KEY: 'o', OPENAI_MODEL: 'gpt-6' }, 'openai/gpt-6', 'OPENAI_API_KEY'],
    [
      'an empty variable is none',
      { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: 'o' },
      `openai/${DEFAULT_OPENAI_MODEL}`,
      'OPENAI',
    ],
  ])('takes %s', async (_, environment, name, why) => {
    const picked = await pick(environment);
    expect(picked).toMatchObject({ kind: 'model', model: { name } });
    expect(picked.kind === 'model' && picked.why).toContain(why);
  });

  it('asks a server at OPENAI_BASE_URL what it has', async () => {
    const host = await serve({ '/v1/models': { data: [{ id: 'served', max_model_len: 40_000 }, { id: 'other' }] } });
    const environment = { OPENAI_BASE_URL: `http://${host}/v1/` };
    expect(await pick(environment)).toMatchObject({
      model: { name: 'openai/served', provider: 'openai', capabilities: { windowTokens: 40_000 } },
    });
    expect(await pick({ ...environment, OPENAI_MODEL: 'other' })).toMatchObject({
      model: { name: 'openai/other', capabilities: { windowTokens: 32_000 } },
    });
  });

  it('says what it tried, in words that help', async () => {
    const picked = await pick({ ANTHROPIC_BASE_URL: 'https://api.anthropic.com' });
    expect(picked.kind).toBe('none');
    const tried = picked.kind === 'none' ? picked.tried.join('\n') : '';
    for (const word of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'ollama serve', 'lms server start', 'nothing listens']) {
      expect(tried).toContain(word);
    }
  });
});

const ollama: Routes = {
  '/api/tags': { models: [{ name: 'nomic:latest' }, { name: 'llama2:latest' }, { name: 'qwen3:8b' }] },
  '/api/show': ({ model }) =>
    ({
      'nomic:latest': { capabilities: ['embedding'] },
      'llama2:latest': { capabilities: ['completion'], model_info: { 'llama.context_length': 4_096 } },
      'qwen3:8b': { capabilities: ['completion', 'tools', 'vision'], model_info: { 'qwen3.context_length': 40_960 } },
    })[model ?? ''] ?? {},
};

describe('Ollama', () => {
  it('gives the first model that takes tools', async () => {
    expect(await pick({ OLLAMA_HOST: await serve(ollama) })).toMatchObject({
      model: { name: 'ollama/qwen3:8b', provider: 'ollama', capabilities: { windowTokens: 40_960, images: true } },
    });
  });

  it('gives another if none does, and says so', async () => {
    const tags = { '/api/tags': { models: [{ name: 'nomic:latest' }, { name: 'llama2:latest' }] } };
    const picked = await pick({ OLLAMA_HOST: await serve({ ...ollama, ...tags }) });
    expect(picked).toMatchObject({ model: { name: 'ollama/llama2:latest' } });
    expect(picked.kind === 'model' && picked.why).toContain('no tools');
  });

  it.each<[string, Routes, Record<string, string>, number]>([
    ['what it was loaded with', { '/api/ps': { models: [{ name: 'qwen3:8b', context_length: 8_192 }] } }, {}, 8_192],
    ['what its server was set to', {}, { OLLAMA_CONTEXT_LENGTH: '16384' }, 16_384],
    ['never more than it can', {}, { OLLAMA_CONTEXT_LENGTH: '900000' }, 40_960],
    [
      'its own parameter',
      {
        '/api/show': {
          capabilities: ['completion', 'tools'],
          parameters: 'temperature 0.7\nnum_ctx                        12000',
          model_info: { 'qwen3.context_length': 40_960 },
        },
      },
      { OLLAMA_CONTEXT_LENGTH: '16384' },
      12_000,
    ],
    ['what is assumed where nobody says', { '/api/show': { capabilities: ['completion', 'tools'] } }, {}, 32_000],
  ])('has a window: %s', async (_, routes, environment, windowTokens) => {
    const OLLAMA_HOST = await serve({ ...ollama, ...routes });
    const picked = await pick({ ...environment, OLLAMA_HOST }, { setting: 'ollama/qwen3:8b' });
    expect(picked).toMatchObject({ model: { capabilities: { windowTokens } } });
  });

  it('warns that it may cut prompts off, until the limit is set', async () => {
    const OLLAMA_HOST = await serve(ollama);
    const whyOf = async (environment: Record<string, string>, setting?: string) => {
      const picked = await pick({ OLLAMA_HOST, ...environment }, setting === undefined ? {} : { setting });
      return picked.kind === 'model' ? picked.why : '';
    };
    expect(await whyOf({})).toContain('OLLAMA_CONTEXT_LENGTH');
    expect(await whyOf({}, 'ollama/llama2')).toContain('OLLAMA_CONTEXT_LENGTH');
    expect(await whyOf({ OLLAMA_CONTEXT_LENGTH: '16384' })).not.toContain('OLLAMA_CONTEXT_LENGTH');
  });

  it('is found however its address is written', async () => {
    const host = await serve(ollama);
    const port = host.split(':')[1]!;
    for (const OLLAMA_HOST of [host, `http://${host}`, `http://${host}/`, `:${port}`, `0.0.0.0:${port}`]) {
      expect(await nameOf({ OLLAMA_HOST })).toBe('ollama/qwen3:8b');
    }
  });

  it('that is silent is given up on', async () => {
    const OLLAMA_HOST = await serve({ '/api/tags': 'never', '/api/ps': 'never' });
    const picked = await pick({ OLLAMA_HOST }, { limits: { ...limits, answerMs: 50 } });
    expect(picked.kind === 'none' && picked.tried.join()).toContain('in time');
  });

  it('cannot be spoken to without the package', async () => {
    const picked = await pick({ OLLAMA_HOST: await serve(ollama) }, { hasPackage: () => false });
    expect(picked.kind === 'none' && picked.tried.join()).toContain('npm install @ai-sdk/openai-compatible');
  });
});

describe('LM Studio', () => {
  const models = [
    { id: 'embed', type: 'embeddings', state: 'loaded' },
    { id: 'cold', type: 'llm', state: 'not-loaded', max_context_length: 131_072, capabilities: ['tool_use'] },
    {
      id: 'org/warm',
      type: 'vlm',
      state: 'loaded',
      max_context_length: 131_072,
      loaded_context_length: 16_000,
      capabilities: ['tool_use'],
    },
  ];
  const routes: Routes = {
    '/v1/models': { data: models.map(({ id }) => ({ id })) },
    '/api/v0/models': { data: models },
  };

  it('gives what is loaded and takes tools', async () => {
    expect(await pick({ LMSTUDIO_HOST: await serve(routes) })).toMatchObject({
      model: { name: 'lmstudio/org/warm', capabilities: { windowTokens: 16_000, images: true } },
    });
  });

  it('of an older version gives its first model', async () => {
    const LMSTUDIO_HOST = await serve({ '/v1/models': { data: [{ id: 'first' }, { id: 'second' }] } });
    expect(await nameOf({ LMSTUDIO_HOST })).toBe('lmstudio/first');
  });

  it('gives way to Ollama', async () => {
    const both = { OLLAMA_HOST: await serve(ollama), LMSTUDIO_HOST: await serve(routes) };
    expect(await nameOf(both)).toBe('ollama/qwen3:8b');
    expect(await nameOf(both, { setting: 'lmstudio/cold' })).toBe('lmstudio/cold');
  });
});

describe('a name', () => {
  it.each<[string, Record<string, string>]>([
    ['claude-sonnet-5-5', { ANTHROPIC_API_KEY: 'k' }],
    ['claude-opus-5-5[1m]', { ANTHROPIC_API_KEY: 'k' }],
    ['claude-opus-9', { ANTHROPIC_API_KEY: 'k' }],
    ['anything at all', { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }],
    ['openai/gpt-6', { OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'k' }],
  ])('is taken: %s', async (setting, environment) => {
    expect(await nameOf(environment, { setting })).toBe(setting);
  });

  it('may leave out the tag', async () => {
    expect(await nameOf({ OLLAMA_HOST: await serve(ollama) }, { setting: 'ollama/llama2' })).toBe(
      'ollama/llama2:latest',
    );
  });

  it.each<[string, string, Record<string, string>, string]>([
    ['is mistyped', 'cluade-opus-5-5', { ANTHROPIC_API_KEY: 'k' }, 'claude-opus-5-5'],
    ['is nobody’s', 'zzz', { ANTHROPIC_API_KEY: 'k' }, DEFAULT_MODEL],
    ['lacks a key', 'claude-opus-5-5', { OPENAI_API_KEY: 'o' }, 'ANTHROPIC_API_KEY'],
    ['lacks a key of OpenAI', 'openai/gpt-6', { ANTHROPIC_API_KEY: 'k' }, 'OPENAI_API_KEY'],
    ['lacks its server', 'ollama/qwen3', { ANTHROPIC_API_KEY: 'k' }, 'ollama serve'],
    ['lacks its other server', 'lmstudio/qwen3', { ANTHROPIC_API_KEY: 'k' }, 'lms server start'],
  ])('that %s is an error with its fix', async (_, setting, environment, fix) => {
    const error = await errorOf(environment, { setting });
    expect(error.code).toBe('model');
    expect(error.fix).toContain(fix);
  });

  it('that the server does not have is an error', async () => {
    const error = await errorOf({ OLLAMA_HOST: await serve(ollama) }, { setting: 'ollama/gemma' });
    expect(error.fix).toBe('ollama pull gemma');
  });
});

describe('the small model', () => {
  it.each<[string, Record<string, string>, string | undefined, string]>([
    ['Anthropic’s own', { ANTHROPIC_API_KEY: 'k' }, undefined, DEFAULT_SMALL_MODEL],
    ['the one that was named', { ANTHROPIC_API_KEY: 'k' }, 'claude-sonnet-5-5', 'claude-sonnet-5-5'],
    ['OpenAI’s own', { OPENAI_API_KEY: 'o' }, undefined, `openai/${DEFAULT_OPENAI_SMALL_MODEL}`],
  ])('is %s', async (_, environment, setting, name) => {
    const picked = await pick(environment);
    if (picked.kind === 'none') throw new Error('no model');
    const { model: small } = await pickSmallModel({ environment, limits, setting, main: picked.model });
    expect(small.name).toBe(name);
  });

  it('is the conversation’s on a server of the user’s, which is said', async () => {
    const environment = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
    const picked = await pick(environment);
    if (picked.kind === 'none') throw new Error('no model');
    const { model, note } = await pickSmallModel({ environment, limits, main: picked.model });
    expect(model.name).toBe(DEFAULT_MODEL);
    expect(note).toContain('Set smallModel');
  });
});
