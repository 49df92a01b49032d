/** Asks the server, or the answers that came along with an exported page. */

export interface Problem {
  readonly message: string;
  readonly fix: string;
  /** What a file holds by now, when somebody else saved it. */
  readonly newest?: string;
}

export class Failed extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

export type Query = Readonly<Record<string, string>>;

const embedded = document.getElementById('answers')?.textContent;
const kept = embedded ? (JSON.parse(embedded) as Record<string, unknown>) : null;
let token = '';

export async function ask<Answer>(name: string, query: Query = {}, signal?: AbortSignal): Promise<Answer> {
  const words = new URLSearchParams(query).toString();
  const path = words === '' ? name : `${name}?${words}`;
  if (kept !== null) {
    if (path in kept) return kept[path] as Answer;
    throw new Failed({ message: 'This is not in the exported page.', fix: 'Run `reverie serve` to see it.' });
  }
  if (name !== 'start') await listening;
  const answer = await request<Answer>(`/api/${path}`, { signal });
  if (name === 'start') token = (answer as { token: string }).token;
  return answer;
}

export function change<Answer>(name: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-reverie-token': token };
  return request<Answer>(`/api/${name}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function request<Answer>(path: string, options: RequestInit): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new Failed({ message: 'The server does not answer.', fix: 'It may have ended: run `reverie serve` again.' });
  }
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  if (response.ok && isJson) return (await response.json()) as Answer;
  if (isJson) throw new Failed(((await response.json()) as { problem: Problem }).problem);
  throw new Failed({ message: await response.text(), fix: 'Run `reverie serve` for a new link.' });
}

/** `sessions` and `session` come as one: whoever shows a list of sessions shows their sizes too. */
export type Kind = 'memories' | 'ledger' | 'dreams' | 'session';
export interface ServerEvent {
  readonly kind: Kind;
  readonly id?: string;
}

const listeners = new Set<(event: ServerEvent) => void>();
const connections = new Set<(isConnected: boolean) => void>();

export function onServerEvent(hear: (event: ServerEvent) => void): () => void {
  listeners.add(hear);
  return () => listeners.delete(hear);
}

export function onConnection(hear: (isConnected: boolean) => void): () => void {
  connections.add(hear);
  return () => connections.delete(hear);
}

function tell(event: ServerEvent): void {
  for (const hear of listeners) hear(event);
}

const ALIVE_MS = 5 * 60_000;
const KINDS: readonly Kind[] = ['memories', 'ledger', 'dreams', 'session'];

let nowListening = () => {};
/** Until changes are heard of, or it is known that they are not: what was asked before could change unseen. */
const listening = new Promise<void>((resolve) => {
  nowListening = resolve;
});

export function connect(): void {
  if (kept !== null) return;
  const source = new EventSource('/api/events');
  let isAgain = false;
  source.onmessage = ({ data }) => {
    const event = JSON.parse(data as string) as ServerEvent | { readonly kind: 'hello' };
    if (event.kind !== 'hello') return tell(event);
    nowListening();
    // Nobody knows what happened while the connection was gone.
    if (isAgain) for (const kind of KINDS) tell({ kind });
    isAgain = true;
  };
  source.onopen = () => {
    for (const hear of connections) hear(true);
  };
  source.onerror = () => {
    nowListening();
    for (const hear of connections) hear(false);
  };
  // Somebody looks: the server stays.
  setInterval(() => {
    if (document.visibilityState === 'visible') void ask('start').catch(() => {});
  }, ALIVE_MS);
}
