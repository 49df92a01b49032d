/** The model for small questions alongside a conversation, with the endpoints from the settings. */

import type { Model } from '../model/model.ts';
import { type PickedSmall, pickSmallModel } from '../model/pick/pick.ts';
import { withKeptKeys } from '../settings/credentials.ts';
import type { Place } from '../settings/place.ts';
import { withEndpoints } from '../toolbox/choose-model.ts';

export function smallModelFor(
  place: Place,
  facts: { readonly main: Model; readonly environment: NodeJS.ProcessEnv },
): Promise<PickedSmall> {
  const { values, limits } = place.settings;
  const environment = withKeptKeys(place.home, withEndpoints(facts.environment, values));
  return pickSmallModel({ setting: values.smallModel, main: facts.main, environment, limits: limits.models });
}
