/** Turns the flags that every command takes into options for the library and the settings. */

import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { messageOf } from '../../base/values.ts';
import { expandHome } from '../../disk/check-root.ts';
import { reverieHome } from '../../disk/home.ts';
import { errnoOf } from '../../errors.ts';
import type { Limits } from '../../limits.ts';
import type { PlaceOptions } from '../../settings/place.ts';
import { findProjectRoot } from '../../settings/project.ts';
import { isTrusted, resolveSettings, type SettingFacts } from '../../settings/settings.ts';
import type { Place } from '../command.ts';
import { usageError } from './usage.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Like `git -C`: every relative path is relative to `--cwd`; the library would resolve it from the process's directory. */
export function placeOptions(place: Place, environment: Environment): PlaceOptions {
  return {
    env: environment,
    bare: place.bare,
    cwd: fromPlace(place, '.'),
    ...(place.directory === undefined ? {} : { directory: fromPlace(place, place.directory) }),
    ...(place.home === undefined ? {} : { home: fromPlace(place, place.home) }),
    ...(place.settings === undefined ? {} : { settingsFile: settingsArgument(place, place.settings) }),
  };
}

/** The sources of settings, found without the memory: a bad memory folder must not hide where it was set. */
export function settingFacts(place: Place, environment: Environment): SettingFacts {
  const userHome = environment.HOME?.trim() ? environment.HOME : homedir();
  const home =
    place.home === undefined
      ? reverieHome({ env: environment, userHome })
      : expandHome(fromPlace(place, place.home), userHome);
  const projectRoot = findProjectRoot(fromPlace(place, '.'));
  const flag = place.settings === undefined ? {} : { flagFile: settingsArgument(place, place.settings) };
  return { home, userHome, projectRoot, env: environment, trusted: isTrusted(home, projectRoot), ...flag };
}

/** The limits that apply here. */
export function placeLimits(place: Place, environment: Environment): Limits {
  return resolveSettings(settingFacts(place, environment)).limits;
}

export function fromPlace(place: Place, path: string): string {
  return path.startsWith('~') ? path : resolve(workingFolder(place), path);
}

function workingFolder(place: Place): string {
  const folder = resolve(place.cwd ?? '.');
  if (place.cwd === undefined || statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw usageError(`There is no directory ${folder}, which --cwd names.`, '');
}

/** A mistake in a settings file is reported and skipped; one on the command line is an error at once. */
function settingsArgument(place: Place, argument: string): string {
  const isInline = argument.trimStart().startsWith('{');
  const settings = isInline ? argument : fromPlace(place, argument);
  try {
    JSON.parse(isInline ? argument : readFileSync(settings, 'utf8'));
  } catch (error) {
    const problem = errnoOf(error) === 'ENOENT' ? `there is no file ${settings}.` : messageOf(error);
    throw usageError(`--settings cannot be read: ${problem}`, '', 'Give a JSON file, or JSON itself in quotes.');
  }
  return settings;
}
