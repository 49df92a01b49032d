/** Keys that `reverie login` keeps: in a file of their own that only the user can read, never in settings. */

import { basename, dirname } from 'node:path';
import { createFolder } from '../disk/folder.ts';
import { homeLayout } from '../disk/home.ts';
import { readSmallFile } from '../disk/small-file.ts';
import { ReverieError } from '../errors.ts';

export const KEY_PROVIDERS = {
  anthropic: { title: 'Anthropic', variable: 'ANTHROPIC_API_KEY' },
  openai: { title: 'OpenAI', variable: 'OPENAI_API_KEY' },
  brave: { title: 'Brave Search', variable: 'BRAVE_API_KEY' },
  tavily: { title: 'Tavily', variable: 'TAVILY_API_KEY' },
} as const;

export type KeyProvider = keyof typeof KEY_PROVIDERS;

export const KEY_PROVIDER_NAMES = Object.keys(KEY_PROVIDERS) as readonly KeyProvider[];

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the key of a provider comes from; the environment comes first. */
export interface KeySource {
  readonly provider: KeyProvider;
  readonly variable: string;
  readonly from: 'environment' | 'login';
}

/** With the kept keys in place of variables that are not set; for whoever calls a provider, and for no program that is started. */
export function withKeptKeys(home: string, environment: Environment): Environment {
  const kept = readKeys(home).keys;
  const added = KEY_PROVIDER_NAMES.flatMap((provider) => {
    const { variable } = KEY_PROVIDERS[provider];
    const key = kept[provider];
    return key === undefined || isGiven(provider, environment) ? [] : [[variable, key] as const];
  });
  return { ...environment, ...Object.fromEntries(added) };
}

export function keySources(home: string, environment: Environment): readonly KeySource[] {
  const kept = readKeys(home).keys;
  return KEY_PROVIDER_NAMES.flatMap((provider): KeySource[] => {
    const { variable } = KEY_PROVIDERS[provider];
    if (isGiven(provider, environment))
      return [{ provider, variable: givenBy(provider, environment), from: 'environment' }];
    return kept[provider] === undefined ? [] : [{ provider, variable, from: 'login' }];
  });
}

/** Why the file with the keys cannot be used, and how to put that right; null when it can, or is not there. */
export function credentialsProblem(home: string): { readonly problem: string; readonly fix: string } | null {
  const { problem } = readKeys(home);
  return problem === null ? null : { problem, fix: 'Run `reverie login` again.' };
}

/** Null takes the key away; a damaged file is begun again. */
export async function keepKey(home: string, provider: KeyProvider, key: string | null): Promise<void> {
  const { credentialsFile } = homeLayout(home);
  const { [provider]: _, ...others } = readKeys(home).keys;
  const keys = key === null ? others : { ...others, [provider]: key };
  const folder = createFolder(dirname(credentialsFile));
  try {
    const name = await folder.stage(Buffer.from(`${JSON.stringify({ keys }, null, 2)}\n`));
    folder.moveIn({ from: folder, name }, basename(credentialsFile), 'replace');
    await folder.sync();
  } finally {
    folder.close();
  }
}

/** The key in what was typed or piped in; refuses what can be none, without repeating it. */
export function keyIn(text: string): string {
  const key = text.trim();
  if (key === '') throw new ReverieError({ code: 'usage', message: 'The key is empty. Nothing was changed.' });
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ReverieError({
    code: 'usage',
    message: 'That is not a key: it holds spaces, line breaks or other signs that no key has. Nothing was changed.',
  });
}

/** A token of Anthropic's stands for the key. */
function isGiven(provider: KeyProvider, environment: Environment): boolean {
  return Boolean(environment[givenBy(provider, environment)]?.trim());
}

function givenBy(provider: KeyProvider, environment: Environment): string {
  const { variable } = KEY_PROVIDERS[provider];
  const isToken =
    provider === 'anthropic' && !environment[variable]?.trim() && environment.ANTHROPIC_AUTH_TOKEN?.trim();
  return isToken ? 'ANTHROPIC_AUTH_TOKEN' : variable;
}

function readKeys(home: string): {
  readonly keys: Partial<Record<KeyProvider, string>>;
  readonly problem: string | null;
} {
  const { credentialsFile } = homeLayout(home);
  const file = readSmallFile(credentialsFile);
  if (file.kind === 'absent') return { keys: {}, problem: null };
  if (file.kind === 'unreadable') return { keys: {}, problem: `${credentialsFile}: ${file.reason}` };
  try {
    const parsed = JSON.parse(file.text) as { readonly keys?: Readonly<Record<string, unknown>> } | null;
    const named = KEY_PROVIDER_NAMES.map((provider) => [provider, parsed?.keys?.[provider]] as const);
    return {
      keys: Object.fromEntries(named.filter(([, key]) => typeof key === 'string' && key !== '')),
      problem: null,
    };
  } catch {
    return { keys: {}, problem: `${credentialsFile} is not valid JSON` };
  }
}
