/** Which coding agents are on this machine, and which of them are connected. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { HOST_NAMES, type HostName } from '../hosts/host.ts';
import { planInstall } from './install-plans.ts';
import { isPluginEnabled } from './own-memory.ts';
import type { InstallFacts, SettingsFile } from './settings.ts';

export interface ConnectedHost {
  readonly host: HostName;
  readonly title: string;
  readonly scope: InstallFacts['scope'];
}

type HostFacts = Pick<InstallFacts, 'userHome' | 'projectRoot' | 'environment'>;

/** Those that have a folder for their settings. */
export function presentHosts(facts: HostFacts): readonly HostName[] {
  return HOST_NAMES.filter((host) =>
    planOf(host, 'user', facts).files.some(({ path }) => {
      const folder = dirname(path).replace(/\/plugins$/, '');
      return folder !== facts.userHome && existsSync(folder);
    }),
  );
}

/** Those that have something of ours in their settings, for all projects or for this one. */
export function connectedHosts(facts: HostFacts): readonly ConnectedHost[] {
  return HOST_NAMES.flatMap((host) =>
    (['user', 'project'] as const).flatMap((scope) => {
      const { title, files } = planOf(host, scope, facts);
      const isPlugin = scope === 'user' && isPluginEnabled(host, facts);
      return isPlugin || files.some(holdsOurs) ? [{ host, title, scope }] : [];
    }),
  );
}

function planOf(host: HostName, scope: InstallFacts['scope'], facts: HostFacts) {
  return planInstall(host, {
    ...facts,
    scope,
    platform: process.platform,
    // Only what is there is looked at: nothing is written that would name the program.
    command: [],
    flags: [],
    exists: existsSync,
    allowsReading: true,
  })!;
}

function holdsOurs(file: SettingsFile): boolean {
  try {
    const text = readFileSync(file.path, 'utf8');
    const without = file.uninstall(text);
    return without.kind === 'text' && without.text !== text;
  } catch {
    return false;
  }
}
