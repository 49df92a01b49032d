/** The search services that can be set up: how each is asked, and how its answer is read. */

import { ReverieError } from '../../../errors.ts';

export const SEARCH_PROVIDERS = ['off', 'brave', 'tavily', 'searxng'] as const;

export interface SearchService {
  readonly name: string;
  request(query: string, most: number): { readonly url: string } & Pick<RequestInit, 'method' | 'headers' | 'body'>;
  /** Of an answer of any shape; what is no result is left out. */
  read(answer: unknown): readonly FoundPage[];
}

export interface FoundPage {
  readonly title: string;
  readonly url: string;
  readonly excerpt: string;
}

export interface SearchSettings {
  readonly provider: (typeof SEARCH_PROVIDERS)[number];
  /** In place of the provider's own address; SearXNG has none. */
  readonly url: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Null where none is set up; throws what the user has to add where one is set up by half. */
export function searchService({ provider, url, environment }: SearchSettings): SearchService | null {
  const keyIn = (variable: string): string => {
    const key = environment[variable]?.trim() ?? '';
    if (key !== '') return key;
    throw incomplete(
      `\`webSearch.provider\` is \`${provider}\`, and ${variable} is not set`,
      `Set ${variable}, or run \`reverie login ${provider}\`.`,
    );
  };
  switch (provider) {
    case 'off':
      return null;
    case 'brave':
      return brave(url ?? 'https://api.search.brave.com', keyIn('BRAVE_API_KEY'));
    case 'tavily':
      return tavily(url ?? 'https://api.tavily.com', keyIn('TAVILY_API_KEY'));
    case 'searxng':
      if (url === undefined) {
        throw incomplete(
          '`webSearch.provider` is `searxng`, and `webSearch.url` is not set',
          'Set it to your instance.',
        );
      }
      return searxng(url);
  }
}

function brave(base: string, key: string): SearchService {
  return {
    name: 'Brave Search',
    request: (query, most) => ({
      url: address(base, 'res/v1/web/search', { q: query, count: String(most) }),
      headers: { accept: 'application/json', 'x-subscription-token': key },
    }),
    read: (answer) => pagesIn(objectIn(answer, 'web').results, 'description'),
  };
}

function tavily(base: string, key: string): SearchService {
  return {
    name: 'Tavily',
    request: (query, most) => ({
      url: address(base, 'search', {}),
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, max_results: most }),
    }),
    read: (answer) => pagesIn(asObject(answer).results, 'content'),
  };
}

function searxng(base: string): SearchService {
  return {
    name: 'SearXNG',
    request: (query) => ({ url: address(base, 'search', { q: query, format: 'json' }) }),
    read: (answer) => pagesIn(asObject(answer).results, 'content'),
  };
}

function address(base: string, path: string, search: Readonly<Record<string, string>>): string {
  const url = new URL(path, base.endsWith('/') ? base : `${base}/`);
  for (const [name, value] of Object.entries(search)) url.searchParams.set(name, value);
  return url.href;
}

function pagesIn(results: unknown, excerptName: string): readonly FoundPage[] {
  if (!Array.isArray(results)) return [];
  return results.map(asObject).flatMap((result) => {
    const { title, url } = result;
    const excerpt = result[excerptName];
    if (typeof url !== 'string' || typeof title !== 'string') return [];
    return [{ title, url, excerpt: typeof excerpt === 'string' ? excerpt : '' }];
  });
}

function objectIn(value: unknown, name: string): Readonly<Record<string, unknown>> {
  return asObject(asObject(value)[name]);
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function incomplete(problem: string, fix: string): ReverieError {
  return new ReverieError({ code: 'usage', message: `The agent has no WebSearch: ${problem}.`, fix });
}
