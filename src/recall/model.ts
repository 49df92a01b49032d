/** The model for small questions alongside a conversation, with the endpoints from the settings. */

import type { Model } from '../model/model.ts';
import { pickSmallModel } from '../model/pick/pick.ts';
import { withKeptKeys } from '../settings/credentials.ts';
import type { Place } from '../settings/place.ts';

export function smallModelFor(
  place: Place,
  facts: { readonly main: Model; readonly environment: NodeJS.ProcessEnv },
): Promise<Model> {
  const { values, limits } = place.settings;
  const { anthropicBaseUrl, openaiBaseUrl, smallModel } = values;
  const environment = withKeptKeys(place.home, {
    ...(anthropicBaseUrl === undefined ? {} : { ANTHROPIC_BASE_URL: anthropicBaseUrl }),
    ...(openaiBaseUrl === undefined ? {} : { OPENAI_BASE_URL: openaiBaseUrl }),
    ...facts.environment,
  });
  return pickSmallModel({ setting: smallModel, main: facts.main, environment, limits: limits.models });
}
