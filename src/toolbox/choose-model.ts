/** The model of a session: one that was handed over, the one that was named, or what the environment offers. */

import { ReverieError } from '../errors.ts';
import type { Model } from '../model/model.ts';
import { pickModel, pickSmallModel } from '../model/pick/pick.ts';
import { credentialsProblem, withKeptKeys } from '../settings/credentials.ts';
import type { Place } from '../settings/place.ts';

/** Kinds of agents and team files name it so: the small model beside the one of the settings. */
const SMALL = 'small';

export async function chooseModel(
  place: Place,
  facts: { readonly model?: Model | string | undefined; readonly environment: NodeJS.ProcessEnv },
): Promise<Model> {
  if (typeof facts.model === 'object') return facts.model;
  const { values, limits } = place.settings;
  const reached = {
    environment: withKeptKeys(place.home, withEndpoints(facts.environment, values)),
    limits: limits.models,
  };
  if (facts.model === SMALL) {
    const main = await chooseModel(place, { environment: facts.environment });
    return (await pickSmallModel({ ...reached, setting: values.smallModel, main })).model;
  }
  const named = facts.model ?? values.model;
  const picked = await pickModel({ ...reached, ...(named === undefined ? {} : { setting: named }) });
  if (picked.kind === 'model') return picked.model;
  const kept = credentialsProblem(place.home);
  const tried = kept === null ? picked.tried : [`kept keys: ${kept.problem}`, ...picked.tried];
  throw new ReverieError({
    code: 'model',
    message: `There is no model to talk to. Tried: ${tried.join('; ')}.`,
    fix: [
      'Run `reverie login`, set ANTHROPIC_API_KEY or OPENAI_API_KEY, or start Ollama or LM Studio on this machine.',
      'The memory commands and `reverie tour` need no model.',
    ].join(' '),
  });
}

/** A setting stands for the variable that the providers' own tools know; which of them counts was decided with the settings. */
export function withEndpoints(
  environment: NodeJS.ProcessEnv,
  values: { readonly anthropicBaseUrl?: string | undefined; readonly openaiBaseUrl?: string | undefined },
): NodeJS.ProcessEnv {
  return {
    ...environment,
    ...(values.anthropicBaseUrl === undefined ? {} : { ANTHROPIC_BASE_URL: values.anthropicBaseUrl }),
    ...(values.openaiBaseUrl === undefined ? {} : { OPENAI_BASE_URL: values.openaiBaseUrl }),
  };
}
