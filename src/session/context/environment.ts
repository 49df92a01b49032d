/** The part of the system prompt that says where the agent is; nothing in it changes within a session. */

import { release } from 'node:os';
import { resolve } from 'node:path';
import { fillPrompt } from '../../base/prompt-file.ts';
import { escapeMarkup } from '../../base/text/visible-text.ts';
import { realPath } from '../../disk/disk.ts';
import { findGitFolders } from '../../disk/git/git-folder.ts';

export interface AgentEnvironment {
  readonly cwd: string;
  /** The root of the work tree; null outside of git. */
  readonly gitRoot: string | null;
  readonly platform: string;
  readonly shell: string;
  readonly model: string;
}

export function findEnvironment(facts: {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly model: string;
}): AgentEnvironment {
  const cwd = resolve(facts.cwd);
  return {
    cwd,
    gitRoot: findGitFolders(realPath(cwd) ?? cwd)?.workTree ?? null,
    platform: `${process.platform} ${release()}`,
    shell: facts.env.SHELL?.trim() || (process.platform === 'win32' ? 'cmd' : '/bin/sh'),
    model: facts.model,
  };
}

export function environmentPrompt(environment: AgentEnvironment): string {
  const { cwd, gitRoot, platform, shell, model } = environment;
  return fillPrompt('environment', {
    cwd: inline(cwd),
    repository: gitRoot === null ? 'Not in a git repository' : `Git repository: ${inline(gitRoot)}`,
    platform: inline(platform),
    shell: inline(shell),
    model: inline(model),
  });
}

function inline(value: string): string {
  return escapeMarkup(value.replace(/[\0-\x1f\x7f\u0085\u2028\u2029]+/g, ' '));
}
