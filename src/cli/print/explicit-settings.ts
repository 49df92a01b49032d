/** Settings on the command line must apply as they were meant: a mistake in them is an error, never skipped. */

import { resolveSettings } from '../../settings/settings.ts';
import type { Place } from '../command.ts';
import { type Environment, settingFacts } from '../options/place-options.ts';
import { PRINT_NAME } from '../options/print-options.ts';
import { usageError } from '../options/usage.ts';

export function checkExplicitSettings(place: Place, environment: Environment): void {
  if (place.settings === undefined) return;
  const { problems } = resolveSettings(settingFacts(place, environment));
  const mistake = problems.find(({ origin, severity }) => origin === 'flag' && severity === 'warning');
  if (mistake === undefined) return;
  throw usageError(`--settings cannot be used: ${mistake.problem}`, PRINT_NAME, mistake.fix);
}
