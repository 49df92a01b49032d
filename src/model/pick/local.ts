/** A model from a server on this machine, by name or the best one it has. */

import { ReverieError } from '../../errors.ts';
import { hasCompatiblePackage, openAiCompatibleModel } from '../ai-sdk/compatible.ts';
import { askLmStudio, askOllama, type LocalAnswer, type LocalModel } from '../local-servers.ts';
import type { Model } from '../model.ts';
import type { PickFacts } from './pick.ts';

export type LocalProvider = 'ollama' | 'lmstudio';

export const LOCAL_SERVERS = {
  ollama: { title: 'Ollama', ask: askOllama, start: 'ollama serve', get: (name: string) => `ollama pull ${name}` },
  lmstudio: {
    title: 'LM Studio',
    ask: askLmStudio,
    start: 'lms server start',
    get: (name: string) => `lms get ${name}`,
  },
} as const;

/** The named model, or an error that says what is missing. */
export async function namedLocalModel(
  provider: LocalProvider,
  facts: PickFacts & { named: string },
): Promise<{ model: Model; note: string | null }> {
  const { title, ask, start, get } = LOCAL_SERVERS[provider];
  const { environment, limits, named } = facts;
  const answer = await ask({ environment, timeoutMs: limits.namedAnswerMs, named, ...fetchOf(facts) });
  if (answer.kind === 'silent') {
    throw new ReverieError({
      code: 'model',
      message: `${provider}/${named} needs ${title}, which cannot be reached at ${answer.address}: ${answer.reason}.`,
      fix: start,
    });
  }
  const [model] = answer.models;
  if (model) return { model: localModel(provider, { answer, model }), note: model.note };
  throw new ReverieError({ code: 'model', message: `${title} has no model ${named}.`, fix: get(named) });
}

export type Found =
  | { readonly kind: 'model'; readonly model: Model; readonly why: string }
  | { readonly kind: 'none'; readonly tried: string };

/** One that takes tools, if there is one: without them an agent can only talk. */
export async function bestLocalModel(provider: LocalProvider, facts: PickFacts): Promise<Found> {
  const { title, ask, start } = LOCAL_SERVERS[provider];
  const { environment, limits } = facts;
  const answer = await ask({ environment, timeoutMs: limits.answerMs, ...fetchOf(facts) });
  if (answer.kind === 'silent') {
    return { kind: 'none', tried: `${title} at ${answer.address}: ${answer.reason} (start it with \`${start}\`)` };
  }
  const model = answer.models.find((each) => each.takesTools) ?? answer.models[0];
  if (!model) return { kind: 'none', tried: `${title} at ${answer.baseUrl}: it has no model yet` };
  if (!(facts.hasPackage ?? hasCompatiblePackage)()) {
    const missing = 'the package to speak to it is missing (npm install @ai-sdk/openai-compatible)';
    return { kind: 'none', tried: `${title} at ${answer.baseUrl}: ${missing}` };
  }
  const tools = model.takesTools === false ? 'it takes no tools' : null;
  const notes = [tools, model.note].filter((note) => note !== null).map((note) => `; ${note}`);
  const why = `${title} runs here and has ${model.name}${notes.join('')}`;
  return { kind: 'model', model: localModel(provider, { answer, model }), why };
}

function localModel(
  provider: LocalProvider,
  { answer, model }: { answer: Extract<LocalAnswer, { kind: 'models' }>; model: LocalModel },
): Model {
  return openAiCompatibleModel({
    name: `${provider}/${model.name}`,
    provider,
    baseUrl: answer.baseUrl,
    capabilities: {
      ...(model.windowTokens !== null && { windowTokens: model.windowTokens }),
      images: model.takesImages,
    },
  });
}

function fetchOf({ fetch }: PickFacts): { fetch?: typeof globalThis.fetch } {
  return fetch ? { fetch } : {};
}
