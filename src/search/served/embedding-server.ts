/** An embedding model behind an address: Ollama's `/api/embed`, or `/embeddings` as OpenAI and many others speak it. */

import { ollamaAddress, reasonOf } from '../../model/local-servers.ts';
import type { Embedder, EmbedOptions } from '../vectors.ts';

export interface ServedFacts {
  /** `ollama/MODEL` or `openai/MODEL`. */
  readonly named: string;
  /** Instead of the provider's usual address. */
  readonly url?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly fetch?: typeof globalThis.fetch;
}

/** How long a text may take that nobody waits for; a model that is not loaded yet takes a while. */
const ANSWER_MS = 60_000;
/** Servers refuse or cut what is longer than their model's window. */
const TEXT_CHARACTERS = 8_000;
const OPENAI_URL = 'https://api.openai.com/v1';

interface Server {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  vectorsIn(answer: unknown): unknown[];
}

/** Whatever is wrong with the setting or the server is said when it is asked, and recall goes on without it. */
export function servedEmbedder(facts: ServedFacts): Embedder {
  const [, provider = '', model = ''] = /^(ollama|openai)\/(.+)$/.exec(facts.named) ?? [];
  const server = serverOf(provider, facts);
  if (typeof server === 'string') return refusing(facts.named, server);
  return {
    id: `${facts.named} at ${server.address}`,
    async embed(texts, options) {
      const input = texts.map((text) => `${taskPrefix(model, options)}${text.slice(0, TEXT_CHARACTERS)}`);
      try {
        return checkedVectors(server.vectorsIn(await ask(server, { facts, body: { model, input }, options })), texts);
      } catch (error) {
        throw new Error(`${facts.named} at ${server.address}: ${reasonOf(error)}`, { cause: error });
      }
    },
  };
}

/** The server, or why there is none. */
function serverOf(provider: string, { url, environment }: ServedFacts): Server | string {
  switch (provider) {
    case 'ollama':
      return {
        address: `${withoutSlash(url ?? ollamaAddress(environment.OLLAMA_HOST))}/api/embed`,
        headers: {},
        vectorsIn: (answer) => listIn(answer, 'embeddings'),
      };
    case 'openai': {
      const base = url ?? environment.OPENAI_BASE_URL;
      const key = environment.OPENAI_API_KEY;
      if (!base && !key) return 'it needs a key; set OPENAI_API_KEY, or `recall.encoderUrl` to a server of your own';
      return {
        address: `${withoutSlash(base || OPENAI_URL)}/embeddings`,
        headers: key ? { authorization: `Bearer ${key}` } : {},
        vectorsIn: (answer) => inOrder(listIn(answer, 'data')),
      };
    }
    default:
      return '`recall.encoder` is `ollama/MODEL`, `openai/MODEL` or `onnx/MODEL`';
  }
}

function refusing(named: string, reason: string): Embedder {
  return { id: named, embed: () => Promise.reject(new Error(`${named}: ${reason}`)) };
}

async function ask(
  server: Server,
  { facts, body, options }: { facts: ServedFacts; body: object; options: EmbedOptions | undefined },
): Promise<unknown> {
  const timeout = AbortSignal.timeout(ANSWER_MS);
  const response = await (facts.fetch ?? globalThis.fetch)(server.address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...server.headers },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: options?.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]),
  });
  if (!response.ok) throw new Error(`it answered with ${response.status}`);
  return await response.json();
}

/** These models were trained with the purpose in front of the text, and are much worse without it. */
function taskPrefix(model: string, options: EmbedOptions | undefined): string {
  if (!model.startsWith('nomic-embed-text')) return '';
  return options?.purpose === 'query' ? 'search_query: ' : 'search_document: ';
}

function checkedVectors(vectors: readonly unknown[], texts: readonly string[]): readonly Float32Array[] {
  if (vectors.length !== texts.length) {
    throw new Error(`it answered with ${vectors.length} vectors for ${texts.length} texts`);
  }
  return vectors.map((vector) => {
    const isUsable = Array.isArray(vector) && vector.length > 0 && vector.every(Number.isFinite);
    if (!isUsable) throw new Error('its vectors are no lists of numbers');
    return Float32Array.from(vector);
  });
}

function listIn(answer: unknown, name: string): unknown[] {
  const list = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>)[name] : null;
  return Array.isArray(list) ? list : [];
}

/** Each says which text it belongs to. */
function inOrder(rows: readonly unknown[]): unknown[] {
  const known = rows as readonly { readonly index?: number; readonly embedding?: unknown }[];
  return [...known].sort((one, other) => (one?.index ?? 0) - (other?.index ?? 0)).map((row) => row?.embedding);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
