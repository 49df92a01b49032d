/** A host that keeps a memory of its own: how to live with both, where that one holds something. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findClaudeCodeMemory, readMemoryDirectory } from '../../memory/transfer/import-source.ts';
import { geminiHome } from '../hosts/gemini.ts';
import type { InstallFacts } from './settings.ts';

type Facts = Pick<InstallFacts, 'userHome' | 'projectRoot' | 'environment'>;

export function notesFor(host: string, facts: Facts): readonly string[] {
  return [...pluginNotes(host, facts), ...ownMemoryNotes(host, facts)];
}

/** Lines for the user after an install; none for a host without a memory of its own, or with an empty one. */
function ownMemoryNotes(host: string, facts: Facts): readonly string[] {
  if (host !== 'claude-code') return [];
  const { userHome, projectRoot, environment: env } = facts;
  const found = findClaudeCodeMemory({ userHome, env, projectRoot });
  const files = 'found' in found ? readMemoryDirectory(found.found).candidates.length : 0;
  if (!('found' in found) || files === 0) return [];
  return [
    `Claude Code keeps a memory of its own for this project, with ${files} ${files === 1 ? 'file' : 'files'}: ${found.found}`,
    'Both work side by side. Choose how:',
    '  one folder for both:      reverie import claude-code --attach',
    '  copy it into this memory: reverie import claude-code',
    '  keep them apart:          nothing to do',
  ];
}

/** The plugin brings the same hooks: both together would call each twice. */
function pluginNotes(host: string, facts: Facts): readonly string[] {
  if (!isPluginEnabled(host, facts)) return [];
  return [
    host === 'gemini'
      ? 'The extension reverie is installed too, so each hook runs twice. Keep one: gemini extensions uninstall reverie'
      : 'The plugin reverie@reverie is enabled too, so each hook runs twice. Keep one: claude plugin uninstall reverie@reverie',
  ];
}

/** A plugin of Claude Code, or an extension of Gemini CLI. */
export function isPluginEnabled(
  host: string,
  { userHome, environment }: Pick<Facts, 'userHome' | 'environment'>,
): boolean {
  if (host === 'gemini') {
    const folder = join(geminiHome({ env: environment, userHome }), '.gemini', 'extensions', 'reverie');
    return existsSync(join(folder, 'gemini-extension.json'));
  }
  if (host !== 'claude-code') return false;
  const folder = environment.CLAUDE_CONFIG_DIR?.trim() || join(userHome, '.claude');
  try {
    return /"reverie@[\w.-]+"\s*:\s*true/.test(readFileSync(join(folder, 'settings.json'), 'utf8'));
  } catch {
    return false;
  }
}
