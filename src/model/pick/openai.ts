/** OpenAI's models, or whatever a server at OPENAI_BASE_URL has. */

import { ReverieError } from '../../errors.ts';
import { openAiCompatibleModel } from '../ai-sdk/compatible.ts';
import type { Model, ModelCapabilities } from '../model.ts';
import type { PickFacts } from './pick.ts';

/** The newest known model that takes tools over chat completions; its successors need another API for that. */
export const DEFAULT_OPENAI_MODEL = 'gpt-5.2';
/** The small one beside it. */
export const DEFAULT_OPENAI_SMALL_MODEL = 'gpt-5-mini';
const OPENAI_URL = 'https://api.openai.com/v1';

/** According to its public documentation; the API itself reports no window. */
const FAMILIES: readonly (readonly [RegExp, Partial<ModelCapabilities>])[] = [
  [/^gpt-6/, { windowTokens: 1_050_000, maxOutputTokens: 128_000, images: true, documents: true }],
  [/^gpt-5/, { windowTokens: 400_000, maxOutputTokens: 128_000, images: true, documents: true }],
  [/^gpt-4\.1/, { windowTokens: 1_047_576, maxOutputTokens: 32_768, images: true, documents: true }],
  [/^gpt-4o/, { windowTokens: 128_000, maxOutputTokens: 16_384, images: true, documents: true }],
  [/^o[34]/, { windowTokens: 200_000, maxOutputTokens: 100_000, images: true, documents: true }],
];

export function hasOpenAi(environment: PickFacts['environment']): boolean {
  return Boolean(environment.OPENAI_API_KEY || environment.OPENAI_BASE_URL);
}

/** Whether it is OpenAI itself, whose models are known; a server of the user's own has whatever it has. */
export function isOpenAiItself({ OPENAI_BASE_URL: url }: PickFacts['environment']): boolean {
  return !url || (URL.canParse(url) && new URL(url).hostname === 'api.openai.com');
}

/** Null when no name was given and the server has none to offer. */
export async function openAiModel(facts: PickFacts, named?: string): Promise<Model | null> {
  const { environment } = facts;
  const baseUrl = (environment.OPENAI_BASE_URL || OPENAI_URL).replace(/\/+$/, '');
  const isOpenAi = isOpenAiItself(environment);
  if (isOpenAi && !environment.OPENAI_API_KEY) {
    throw new ReverieError({
      code: 'model',
      message: `openai/${named ?? DEFAULT_OPENAI_MODEL} needs a key, and OPENAI_API_KEY is not set.`,
      fix: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL to a server of your own.',
    });
  }
  const wanted = named ?? (environment.OPENAI_MODEL || (isOpenAi ? DEFAULT_OPENAI_MODEL : undefined));
  const offered = isOpenAi ? [] : await askModels(baseUrl, facts);
  const name = wanted ?? offered[0]?.name;
  if (name === undefined) return null;
  const windowTokens = offered.find((model) => model.name === name)?.windowTokens;
  const family = isOpenAi ? FAMILIES.find(([pattern]) => pattern.test(name))?.[1] : undefined;
  return openAiCompatibleModel({
    name: `openai/${name}`,
    provider: 'openai',
    baseUrl,
    ...(environment.OPENAI_API_KEY && { apiKey: environment.OPENAI_API_KEY }),
    capabilities: { ...family, ...(windowTokens && { windowTokens }) },
  });
}

/** Servers that report a window use these names: vLLM, OpenRouter and the like. */
async function askModels(baseUrl: string, facts: PickFacts): Promise<{ name: string; windowTokens: number | null }[]> {
  const key = facts.environment.OPENAI_API_KEY;
  try {
    const response = await (facts.fetch ?? globalThis.fetch)(`${baseUrl}/models`, {
      signal: AbortSignal.timeout(facts.limits.namedAnswerMs),
      headers: key ? { authorization: `Bearer ${key}` } : {},
    });
    const body = (await response.json()) as { data?: unknown };
    return (Array.isArray(body.data) ? body.data : []).flatMap((model: Record<string, unknown> | null) => {
      const tokens = model?.max_model_len ?? model?.context_length;
      const windowTokens = typeof tokens === 'number' && tokens > 0 ? tokens : null;
      return typeof model?.id === 'string' ? [{ name: model.id, windowTokens }] : [];
    });
  } catch {
    // It may still answer questions; the first one will show.
    return [];
  }
}
