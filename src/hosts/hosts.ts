/** The table of hosts. A new one is one file beside this and one row here. */

import { claudeCode } from './claude-code.ts';
import type { Host } from './host.ts';

export const HOSTS: readonly Host[] = [claudeCode];

export function findHost(name: string | undefined): Host | null {
  return HOSTS.find((host) => host.name === name) ?? null;
}
