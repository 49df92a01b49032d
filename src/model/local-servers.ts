/** Model servers on this machine, Ollama and LM Studio: which models they have and what those can do. */

/** How many models of one server are asked what they can do. */
const ASKED_MODELS = 8;

export interface LocalModel {
  /** As the server names it. */
  readonly name: string;
  /** Tokens of its window; null when the server does not say. */
  readonly windowTokens: number | null;
  /** Null when the server does not say. */
  readonly takesTools: boolean | null;
  readonly takesImages: boolean;
  /** One line for the user; null when there is nothing to say. */
  readonly note: string | null;
}

export type LocalAnswer =
  | { readonly kind: 'models'; readonly baseUrl: string; readonly models: readonly LocalModel[] }
  /** Nobody answers there, or not with this server's protocol. */
  | { readonly kind: 'silent'; readonly address: string; readonly reason: string };

export interface AskOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly fetch?: typeof globalThis.fetch;
  /** Only this one is asked about, as the user wrote it. */
  readonly named?: string;
}

const OLLAMA_PORT = '11434';
const LM_STUDIO = 'http://127.0.0.1:1234';

export async function askOllama(options: AskOptions): Promise<LocalAnswer> {
  const address = ollamaAddress(options.environment.OLLAMA_HOST);
  const ask = asker(options);
  try {
    const [tags, loaded] = await Promise.all([ask(`${address}/api/tags`), ask(`${address}/api/ps`).catch(() => null)]);
    const names = listOf(tags, 'models').flatMap((model) => textIn(model, 'name') ?? []);
    const wanted = options.named === undefined ? names.slice(0, ASKED_MODELS) : named(names, options.named);
    const models = await Promise.all(
      wanted.map(async (name) => {
        const shown = await ask(`${address}/api/show`, { model: name }).catch(() => null);
        const running = listOf(loaded, 'models').find((model) => textIn(model, 'name') === name);
        return ollamaModel({ name, shown, running, setLength: options.environment.OLLAMA_CONTEXT_LENGTH });
      }),
    );
    return { kind: 'models', baseUrl: `${address}/v1`, models: models.filter((model) => model !== null) };
  } catch (error) {
    return { kind: 'silent', address, reason: reasonOf(error) };
  }
}

export async function askLmStudio(options: AskOptions): Promise<LocalAnswer> {
  const address = options.environment.LMSTUDIO_HOST
    ? httpAddress(options.environment.LMSTUDIO_HOST, '1234')
    : LM_STUDIO;
  const ask = asker(options);
  try {
    const [plain, detailed] = await Promise.all([
      ask(`${address}/v1/models`),
      ask(`${address}/api/v0/models`).catch(() => null),
    ]);
    const details = listOf(detailed, 'data');
    const ids = listOf(details.length > 0 ? detailed : plain, 'data').flatMap((model) => textIn(model, 'id') ?? []);
    const models = ids.flatMap((id) =>
      lmStudioModel(
        id,
        details.find((model) => textIn(model, 'id') === id),
      ),
    );
    // A loaded model answers at once; loading another may take minutes.
    const isLoaded = (name: string) =>
      details.some((model) => textIn(model, 'id') === name && textIn(model, 'state') === 'loaded');
    const ordered = [...models].sort((one, other) => Number(isLoaded(other.name)) - Number(isLoaded(one.name)));
    const wanted = options.named === undefined ? null : named(ids, options.named);
    return {
      kind: 'models',
      baseUrl: `${address}/v1`,
      models: ordered.filter(({ name }) => wanted?.includes(name) ?? true),
    };
  } catch (error) {
    return { kind: 'silent', address, reason: reasonOf(error) };
  }
}

/**
 * The server decides how long a prompt may be, not the model, and Ollama silently cuts a longer one. What it has loaded
 * the model with counts first, then what the model or the server was set to, then what the model could take.
 */
function ollamaModel(facts: {
  name: string;
  shown: unknown;
  running: unknown;
  setLength: string | undefined;
}): LocalModel | null {
  const { name, shown, running } = facts;
  const abilities = strings(fieldOf(shown, 'capabilities'));
  if (abilities !== null && !abilities.includes('completion')) return null;
  const [, parameter] = /^num_ctx\s+(\d+)/m.exec(textIn(shown, 'parameters') ?? '') ?? [];
  const info = fieldOf(shown, 'model_info');
  const lengths = Object.entries(typeof info === 'object' ? (info ?? {}) : {});
  const most = positive(lengths.find(([key]) => key.endsWith('.context_length'))?.[1]);
  const set = positive(fieldOf(running, 'context_length')) ?? positive(parameter) ?? positive(facts.setLength);
  return {
    name,
    windowTokens: set !== null && most !== null ? Math.min(set, most) : (set ?? most),
    takesTools: abilities?.includes('tools') ?? null,
    takesImages: abilities?.includes('vision') ?? false,
    note: set === null ? 'Ollama may cut prompts off earlier unless OLLAMA_CONTEXT_LENGTH is set' : null,
  };
}

function lmStudioModel(name: string, details: unknown): LocalModel[] {
  const type = textIn(details, 'type');
  if (type === 'embeddings') return [];
  return [
    {
      name,
      windowTokens:
        positive(fieldOf(details, 'loaded_context_length')) ?? positive(fieldOf(details, 'max_context_length')),
      takesTools: strings(fieldOf(details, 'capabilities'))?.includes('tool_use') ?? null,
      takesImages: type === 'vlm',
      note: null,
    },
  ];
}

/** The name itself, or with the tag that the server adds. */
function named(names: readonly string[], wanted: string): string[] {
  const found = names.find((name) => name === wanted) ?? names.find((name) => name === `${wanted}:latest`);
  return found === undefined ? [] : [found];
}

/** What Ollama's own variable may hold: `host`, `host:port`, `:port`, an address to listen at, or a whole URL. */
export function ollamaAddress(host: string | undefined): string {
  return httpAddress(host?.trim() || `127.0.0.1:${OLLAMA_PORT}`, OLLAMA_PORT);
}

function httpAddress(host: string, port: string): string {
  const bare = host.trim();
  const text = /^https?:\/\//.test(bare) ? bare : `http://${bare.startsWith(':') ? `127.0.0.1${bare}` : bare}`;
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1';
  if (url.port === '' && url.protocol === 'http:' && !/:\d+\/?$/.test(text)) url.port = port;
  return url.href.replace(/\/+$/, '');
}

function asker({ timeoutMs, fetch = globalThis.fetch }: AskOptions) {
  const signal = AbortSignal.timeout(timeoutMs);
  return async (url: string, body?: object): Promise<unknown> => {
    const post = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await fetch(url, { signal, redirect: 'error', ...(body && post) });
    if (!response.ok) throw new Error(`it answered with ${response.status}`);
    return await response.json();
  };
}

/** Why a server could not be asked, in words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'it did not answer in time';
  if (error instanceof SyntaxError) return 'its answer is no JSON';
  const code = (error.cause as { code?: unknown } | undefined)?.code;
  return code === 'ECONNREFUSED' ? 'nothing listens there' : error.message;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function listOf(value: unknown, name: string): unknown[] {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}

function textIn(value: unknown, name: string): string | null {
  const text = fieldOf(value, name);
  return typeof text === 'string' ? text : null;
}

function strings(value: unknown): string[] | null {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : null;
}

function positive(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : null;
}
