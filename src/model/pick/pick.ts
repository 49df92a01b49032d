/** Which model a session uses: the named one, else what the environment offers. Never a silent substitute. */

import { ReverieError } from '../../errors.ts';
import type { Limits } from '../../limits.ts';
import { anthropicModel } from '../anthropic/anthropic.ts';
import { capabilitiesOf, nearestModel } from '../capabilities.ts';
import type { Model } from '../model.ts';
import { bestLocalModel, namedLocalModel } from './local.ts';
import { DEFAULT_OPENAI_SMALL_MODEL, hasOpenAi, isOpenAiItself, openAiModel } from './openai.ts';

/** What Anthropic's documentation recommends for agents, and for small tasks. */
export const DEFAULT_MODEL = 'claude-opus-5-5';
export const DEFAULT_SMALL_MODEL = 'claude-haiku-5-5';

export interface PickFacts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limits: Limits['models'];
  /** For asking servers what they have. */
  readonly fetch?: typeof globalThis.fetch;
  /** Whether the package for other providers is installed. */
  readonly hasPackage?: () => boolean;
}

export type Picked =
  | { readonly kind: 'model'; readonly model: Model; readonly why: string }
  /** One line each about what was looked for and what to do about it. */
  | { readonly kind: 'none'; readonly tried: string[] };

/** `setting` is a name that the user gave, as an option or a setting. */
export async function pickModel(facts: PickFacts & { readonly setting?: string | undefined }): Promise<Picked> {
  const name = facts.setting?.trim();
  if (name) {
    const { model, note } = await namedModel(name, facts);
    return { kind: 'model', model, why: `it was named${note === null ? '' : `; ${note}`}` };
  }

  const { environment } = facts;
  const credential = anthropicCredential(environment);
  if (credential !== null) {
    const model = makeAnthropic(environment.ANTHROPIC_MODEL || DEFAULT_MODEL, environment);
    return { kind: 'model', model, why: `${credential} is set` };
  }
  const tried = ['Anthropic: ANTHROPIC_API_KEY is not set'];
  if (hasOpenAi(environment)) {
    const model = await openAiModel(facts);
    const why = `${environment.OPENAI_API_KEY ? 'OPENAI_API_KEY' : 'OPENAI_BASE_URL'} is set`;
    if (model) return { kind: 'model', model, why };
    tried.push(`the server at ${environment.OPENAI_BASE_URL}: it names no model (set OPENAI_MODEL)`);
  } else tried.push('OpenAI: OPENAI_API_KEY is not set');
  const found = await Promise.all([bestLocalModel('ollama', facts), bestLocalModel('lmstudio', facts)]);
  for (const each of found) if (each.kind === 'model') return each;
  return { kind: 'none', tried: [...tried, ...found.flatMap((each) => (each.kind === 'none' ? [each.tried] : []))] };
}

export interface PickedSmall {
  readonly model: Model;
  /** One line for the user where the conversation's own model has to do, though it may be a large one. */
  readonly note: string | null;
}

/** For small tasks: the named model, the provider's own small one, else the same as the conversation's. */
export async function pickSmallModel(
  facts: PickFacts & { readonly setting?: string | undefined; readonly main: Model },
): Promise<PickedSmall> {
  const name = facts.setting?.trim();
  if (name) return { model: (await namedModel(name, facts)).model, note: null };
  const { main, environment } = facts;
  if (main.provider === 'anthropic' && anthropicCredential(environment) !== null && !hasOwnServer(environment)) {
    return { model: makeAnthropic(DEFAULT_SMALL_MODEL, environment), note: null };
  }
  if (main.provider === 'openai' && environment.OPENAI_API_KEY && isOpenAiItself(environment)) {
    return { model: (await openAiModel(facts, DEFAULT_OPENAI_SMALL_MODEL))!, note: null };
  }
  // A server of the user's own need not have more than the one named model; what runs on this machine costs nothing.
  const isServed = main.provider === 'anthropic' || main.provider === 'openai';
  const note = `Small tasks in the background ask ${main.name} too, since nothing says which small model this server has. Set smallModel to name one.`;
  return { model: main, note: isServed ? note : null };
}

async function namedModel(name: string, facts: PickFacts): Promise<{ model: Model; note: string | null }> {
  const { environment } = facts;
  const [, provider, rest] = /^(openai|ollama|lmstudio)\/(.+)$/s.exec(name) ?? [];
  if (provider === 'openai') return { model: (await openAiModel(facts, rest))!, note: null };
  if (provider === 'ollama' || provider === 'lmstudio') return namedLocalModel(provider, { ...facts, named: rest! });
  // The API decides about an Anthropic model newer than the table; the same goes for any name on somebody else's server.
  const isAnthropic = capabilitiesOf(name).known || name.startsWith('claude-') || hasOwnServer(environment);
  if (!isAnthropic) throw unknownName(name);
  if (anthropicCredential(environment) === null) {
    throw new ReverieError({
      code: 'model',
      message: `${name} needs a key, and neither ANTHROPIC_API_KEY nor ANTHROPIC_AUTH_TOKEN is set.`,
      fix: 'Set ANTHROPIC_API_KEY to a key from https://platform.claude.com/settings/keys.',
    });
  }
  return { model: makeAnthropic(name, environment), note: null };
}

function unknownName(name: string): ReverieError {
  const near = nearestModel(name);
  const others = 'openai/NAME, ollama/NAME and lmstudio/NAME are models of other servers';
  return new ReverieError({
    code: 'model',
    message: `There is no model ${name}.`,
    fix: near === null ? `Name one like ${DEFAULT_MODEL}; ${others}.` : `Did you mean ${near}? (${others}.)`,
  });
}

/** The variable that gives access, or null. */
function anthropicCredential(environment: PickFacts['environment']): string | null {
  if (environment.ANTHROPIC_API_KEY) return 'ANTHROPIC_API_KEY';
  if (environment.ANTHROPIC_AUTH_TOKEN) return 'ANTHROPIC_AUTH_TOKEN';
  return hasOwnServer(environment) ? 'ANTHROPIC_BASE_URL' : null;
}

/** The user's own server that speaks like Anthropic's; it takes any name, and often any key. */
function hasOwnServer({ ANTHROPIC_BASE_URL: url }: PickFacts['environment']): boolean {
  return Boolean(url) && !(URL.canParse(url!) && new URL(url!).hostname === 'api.anthropic.com');
}

function makeAnthropic(name: string, environment: PickFacts['environment']): Model {
  const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_AUTH_TOKEN: authToken, ANTHROPIC_BASE_URL: baseUrl } = environment;
  return anthropicModel({
    name,
    // The SDK sends nothing without a key; the user's own server ignores it if it needs none.
    ...(apiKey ? { apiKey } : authToken ? { authToken } : { apiKey: 'none' }),
    ...(baseUrl && { baseUrl }),
  });
}
