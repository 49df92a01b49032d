/** The table of hosts. A new one is one file beside this and one row here. */

import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import type { Host } from './host.ts';
import { opencode } from './opencode.ts';

export const HOSTS: readonly Host[] = [claudeCode, codex, gemini, opencode, cursor];

export function findHost(name: string | undefined): Host | null {
  return HOSTS.find((host) => host.name === name) ?? null;
}
