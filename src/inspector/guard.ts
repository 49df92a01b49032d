/** Decides who may speak to the inspector's server: the browser that was given the one-time link, and no other page or program. Pure. */

import { createHash, timingSafeEqual } from 'node:crypto';

export interface RequestFacts {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** The link's token, from the query. */
  readonly ticket: string | null;
  header(name: string): string | undefined;
}

export interface ServerFacts {
  readonly port: number;
  /** Turned into the cookie once; null when it was. */
  readonly ticket: string | null;
  readonly cookie: string;
  /** What every change must carry in a header, which no other site's form can. */
  readonly token: string;
}

export type Admission =
  | { readonly kind: 'admit' }
  /** The link was followed for the first time: the browser gets its cookie. */
  | { readonly kind: 'welcome' }
  | { readonly kind: 'refuse'; readonly status: 401 | 403 | 405; readonly reason: string };

export const TOKEN_HEADER = 'x-reverie-token';

const STALE_LINK = 'This link was used already, or is from an earlier start. Run `reverie serve` for a new one.';

/** Browsers send a cookie to every port of a host: each server has a name of its own. */
export function cookieName(port: number): string {
  return `reverie_${port}`;
}

export function decideAdmission(request: RequestFacts, server: ServerFacts): Admission {
  const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${server.port}`);
  // A name that an attacker points at this machine arrives with that name as its host.
  if (!hosts.includes(request.header('host')?.toLowerCase() ?? '')) return refuse(403, 'The host is not this server.');
  const origin = request.header('origin');
  const isOwn = origin !== undefined && hosts.some((host) => origin.toLowerCase() === `http://${host}`);
  if (origin !== undefined && !isOwn) return refuse(403, 'Requests from other pages are refused.');
  const site = request.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return refuse(403, 'Requests from other pages are refused.');
  if (!['GET', 'POST'].includes(request.method)) return refuse(405, `${request.method} is not understood.`);
  const isKnown = isSame(cookieIn(request.header('cookie'), cookieName(server.port)), server.cookie);
  if (request.ticket !== null && !isKnown) {
    const isNew = request.method === 'GET' && request.path === '/' && server.ticket !== null;
    return isNew && isSame(request.ticket, server.ticket) ? { kind: 'welcome' } : refuse(403, STALE_LINK);
  }
  if (!isKnown) return refuse(401, 'Open the link that `reverie serve` printed: this browser has not followed it yet.');
  if (request.method === 'POST') {
    if (!isOwn) return refuse(403, 'A change must come from the page itself.');
    if (!isSame(request.header(TOKEN_HEADER) ?? '', server.token))
      return refuse(403, 'The token is missing or wrong. Reload the page.');
  }
  return { kind: 'admit' };
}

/** Two of one name are no cookie to trust. */
function cookieIn(header: string | undefined, name: string): string {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));
  return values.length === 1 ? values[0]! : '';
}

/** Takes as long for a wrong one as for the right one, whatever their lengths. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function refuse(status: 401 | 403 | 405, reason: string): Admission {
  return { kind: 'refuse', status, reason };
}
