/** Decides who may speak to the local server: programs of this user that hold the token, and no web page. Pure. */

import { createHash, timingSafeEqual } from 'node:crypto';

export interface RequestFacts {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface ServerFacts {
  readonly port: number;
  readonly token: string;
}

export type Admission =
  | { readonly kind: 'admit' }
  | { readonly kind: 'refuse'; readonly status: 401 | 403 | 404 | 405; readonly reason: string };

export const MCP_PATH = '/mcp';
const METHODS = ['GET', 'POST', 'DELETE'];

export function decideAdmission(request: RequestFacts, server: ServerFacts): Admission {
  const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${server.port}`);
  const host = single(request.headers.host)?.toLowerCase();
  // A name that an attacker points at this machine arrives with that name as its host.
  if (host === undefined || !hosts.includes(host)) return refuse(403, 'Host is not this server.');
  const origin = single(request.headers.origin);
  if (origin !== undefined && !hosts.map((each) => `http://${each}`).includes(origin.toLowerCase()))
    return refuse(403, 'Requests from web pages are refused.');
  const site = single(request.headers['sec-fetch-site']);
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return refuse(403, 'Requests from web pages are refused.');
  if (request.path !== MCP_PATH) return refuse(404, `There is nothing here; the server is at ${MCP_PATH}.`);
  if (!METHODS.includes(request.method)) return refuse(405, `${request.method} is not understood.`);
  const [, token] = /^bearer +(\S+)$/i.exec(single(request.headers.authorization) ?? '') ?? [];
  if (token === undefined || !isSame(token, server.token))
    return refuse(401, 'The token is missing or wrong: send it as Authorization: Bearer <token>.');
  return { kind: 'admit' };
}

/** A header that was sent twice is no header to trust. */
function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value === undefined ? undefined : '';
}

/** Takes as long for a wrong token as for the right one, whatever their lengths. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function refuse(status: 401 | 403 | 404 | 405, reason: string): Admission {
  return { kind: 'refuse', status, reason };
}
