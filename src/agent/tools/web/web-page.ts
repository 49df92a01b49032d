/** Gets one page from the web: bounded in time and size, followed within its host only, connected to checked addresses. */

import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { messageOf } from '../../../base/values.ts';
import type { Limits } from '../../../limits.ts';
import { type AddressRules, checkedLookup, checkUrl, hostOf } from './web-address.ts';

/** Bytes of a page, unpacked. */
const PAGE_BYTES = 10_485_760;
/** Redirects within one host that are followed. */
const MOST_REDIRECTS = 5;

export type PageOutcome =
  | {
      readonly kind: 'page';
      readonly url: string;
      readonly type: string;
      readonly bytes: Buffer;
      readonly charset: string;
    }
  | { readonly kind: 'elsewhere'; readonly location: string; readonly status: number }
  | { readonly kind: 'wrong'; readonly reason: string };

export interface PageRequest {
  readonly url: URL;
  readonly rules: AddressRules;
  readonly signal: AbortSignal;
  readonly limits: Limits['webFetch'];
}

export async function fetchPage(request: PageRequest): Promise<PageOutcome> {
  const { rules, limits } = request;
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const signal = AbortSignal.any([request.signal, timeout]);
  let url = request.url;
  try {
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const response = await get(url, { signal, rules });
      const status = response.statusCode ?? 0;
      const location = status >= 300 && status < 400 ? response.headers.location : undefined;
      if (location === undefined) return await readPage(response, { url });
      response.destroy();
      const next = URL.canParse(location, url.href) ? new URL(location, url) : null;
      if (next === null) return { kind: 'wrong', reason: `${url.href} redirects to something that is no URL.` };
      if (hostOf(next) !== hostOf(url)) return { kind: 'elsewhere', location: next.href, status };
      const checked = checkUrl(next.href, rules);
      if (checked.kind === 'wrong') return checked;
      url = checked.url;
    }
    return { kind: 'wrong', reason: `${request.url.href} redirects more than ${MOST_REDIRECTS} times.` };
  } catch (error) {
    if (request.signal.aborted) return { kind: 'wrong', reason: 'Interrupted by the user.' };
    if (timeout.aborted)
      return { kind: 'wrong', reason: `${url.href} did not answer within ${limits.timeoutMs / 1_000} seconds.` };
    return {
      kind: 'wrong',
      reason: `${url.href} cannot be fetched: ${messageOf(error)}`,
    };
  }
}

async function get(url: URL, facts: { signal: AbortSignal; rules: AddressRules }): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        signal: facts.signal,
        lookup: checkedLookup(facts.rules),
        // A connection of its own: one that was opened before was checked under other rules.
        agent: false,
        headers: {
          accept: 'text/markdown, text/html;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.1',
          'accept-encoding': 'gzip, deflate, br',
          'user-agent': 'reverie (terminal agent)',
        },
      },
      resolve,
    );
    asked.once('error', reject);
    asked.end();
  });
}

async function readPage(response: IncomingMessage, { url }: { url: URL }): Promise<PageOutcome> {
  const status = response.statusCode ?? 0;
  const header = response.headers['content-type'] ?? 'text/plain';
  const type = header.split(';')[0]!.trim().toLowerCase();
  if (status < 200 || status >= 300) {
    response.destroy();
    return {
      kind: 'wrong',
      reason: `${url.href} answered with status ${status} ${response.statusMessage ?? ''}`.trim(),
    };
  }
  if (!isText(type)) {
    response.destroy();
    return { kind: 'wrong', reason: `${url.href} is ${type}, not text. Download it with Bash if it is needed.` };
  }
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of unpacked(response)) {
    size += piece.length;
    if (size > PAGE_BYTES) {
      response.destroy();
      return { kind: 'wrong', reason: `${url.href} is larger than ${PAGE_BYTES.toLocaleString('en-US')} bytes.` };
    }
    pieces.push(piece as Buffer);
  }
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(header)?.[1] ?? 'utf-8';
  return { kind: 'page', url: url.href, type, bytes: Buffer.concat(pieces), charset };
}

function unpacked(response: IncomingMessage): AsyncIterable<Buffer> {
  const packing = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const unpack =
    packing === 'gzip' || packing === 'x-gzip'
      ? createGunzip()
      : packing === 'deflate'
        ? createInflate()
        : packing === 'br'
          ? createBrotliDecompress()
          : null;
  // Errors reach whoever reads the last of the two.
  return unpack === null ? response : pipeline(response, unpack, () => undefined);
}

function isText(type: string): boolean {
  return (
    type.startsWith('text/') ||
    /^application\/(?:.*\+)?(?:json|xml|javascript|yaml|x-yaml|toml|x-sh|x-ndjson)$/.test(type)
  );
}
