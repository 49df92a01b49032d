/** Speaks to the inspector's server as a browser would, or as an attacker: every header is free. */

import { type IncomingHttpHeaders, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export function ask(port: number, path: string, { method = 'GET', headers = {}, body }: Asking = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode = 0, headers: answered } = response;
        resolve({ status: statusCode, headers: answered, text: Buffer.concat(chunks).toString('utf8') });
      });
      response.on('error', reject);
    });
    asked.on('error', reject);
    // A server that has refused a long body does not wait for the rest of it.
    asked.on('socket', (socket) => socket.on('error', () => {}));
    asked.end(body);
  });
}

export interface Browser {
  readonly port: number;
  readonly cookie: string;
  readonly token: string;
  get<Data>(path: string): Promise<Data>;
  post(name: string, body: object, more?: Readonly<Record<string, string>>): Promise<Answer>;
}

/** Follows the link once, and has its cookie and the page's token from then on. */
export async function openBrowser(url: string): Promise<Browser> {
  const { port: portText, pathname, search } = new URL(url);
  const port = Number(portText);
  const welcome = await ask(port, `${pathname}${search}`);
  const cookie = welcome.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const get = async <Data>(path: string): Promise<Data> => {
    const answer = await ask(port, path, { headers: { cookie } });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return JSON.parse(answer.text) as Data;
  };
  const { token } = await get<{ token: string }>('/api/start');
  return {
    ...{ port, cookie, token, get },
    post: (name, body, more = {}) =>
      ask(port, `/api/${name}`, {
        method: 'POST',
        headers: {
          ...{ cookie, origin: `http://127.0.0.1:${port}`, 'x-reverie-token': token },
          'content-type': 'application/json',
          ...more,
        },
        body: JSON.stringify(body),
      }),
  };
}
