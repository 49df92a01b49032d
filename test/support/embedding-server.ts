/** A server on the loopback that speaks Ollama's `/api/embed` and OpenAI's `/v1/embeddings`, with a model of a few subjects. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EmbeddingServer {
  readonly url: string;
  /** Texts it was sent, in order. */
  readonly texts: string[];
  readonly keys: (string | undefined)[];
  /** `silent` takes the request and never answers. */
  mood: 'well' | 'failing' | 'silent' | 'nonsense';
  close(): Promise<void>;
}

/** By the words of a text, one dimension each; any other text is unlike all of them. */
export async function startEmbeddingServer(subjects: readonly RegExp[]): Promise<EmbeddingServer> {
  const vectorOf = (text: string) => [...subjects.map((subject) => (subject.test(text) ? 1 : 0)), 0.1];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (started.mood === 'silent') return;
      const { input } = JSON.parse(body) as { input: string[] };
      started.texts.push(...input);
      started.keys.push(request.headers.authorization);
      const isOllama = request.url === '/api/embed';
      const isKnown = isOllama || request.url === '/v1/embeddings';
      response.writeHead(started.mood === 'failing' ? 500 : isKnown ? 200 : 404, {
        'content-type': 'application/json',
      });
      const rows = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
      const answer = isOllama ? { embeddings: rows.map(({ embedding }) => embedding) } : { data: rows.toReversed() };
      response.end(JSON.stringify(started.mood === 'nonsense' ? { embeddings: ['x'], data: [{}] } : answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const started: EmbeddingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    texts: [],
    keys: [],
    mood: 'well',
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return started;
}
