/** A model behind any server that speaks chat completions: OpenAI, Ollama, LM Studio, and many more. */

import { createRequire } from 'node:module';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import { ReverieError } from '../../errors.ts';
import { boundedAnswers } from '../bounded-answer.ts';
import type { Model, ModelCapabilities } from '../model.ts';
import { aiSdkModel } from './ai-sdk.ts';

export interface CompatibleOptions {
  /** As the user writes it, the provider in front: `ollama/qwen3`. */
  readonly name: string;
  /** Up to `/chat/completions`: `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly provider: string;
  readonly capabilities?: Partial<ModelCapabilities>;
}

export function openAiCompatibleModel(options: CompatibleOptions): Model {
  const { name, provider, capabilities, apiKey } = options;
  let loaded: Promise<LanguageModelV3> | null = null;
  return aiSdkModel({
    name,
    provider,
    ...(capabilities && { capabilities }),
    // Our schemas are plain ones; strict decoding refuses those with optional properties.
    providerOptions: { openaiCompatible: { strictJsonSchema: false } },
    secrets: apiKey === undefined ? [] : [apiKey],
    model: () => {
      loaded ??= loadModel(options);
      return loaded;
    },
  });
}

async function loadModel(options: CompatibleOptions): Promise<LanguageModelV3> {
  const { name, provider, baseUrl, apiKey } = options;
  const { createOpenAICompatible } = await importPackage();
  const isOpenAi = URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'api.openai.com';
  return createOpenAICompatible({
    name: provider,
    baseURL: baseUrl.replace(/\/+$/, ''),
    ...(apiKey !== undefined && { apiKey }),
    includeUsage: true,
    fetch: boundedAnswers(),
    supportsStructuredOutputs: true,
    ...(isOpenAi && { transformRequestBody: withItsOwnLimit }),
  })(name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : name);
}

/** OpenAI's newer models refuse the older name of the output limit; other servers know only that one. */
function withItsOwnLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens };
}

/** Without loading it. */
export function hasCompatiblePackage(): boolean {
  try {
    createRequire(import.meta.url).resolve('@ai-sdk/openai-compatible');
    return true;
  } catch {
    return false;
  }
}

/** The user installs the package: most use Anthropic's models and do not need it. */
export async function importPackage(
  load: () => Promise<typeof import('@ai-sdk/openai-compatible')> = () => import('@ai-sdk/openai-compatible'),
): Promise<typeof import('@ai-sdk/openai-compatible')> {
  try {
    return await load();
  } catch (cause) {
    throw new ReverieError({
      code: 'model',
      message: 'The package that speaks to OpenAI, Ollama and LM Studio is not installed.',
      fix: 'npm install @ai-sdk/openai-compatible',
      cause,
    });
  }
}
