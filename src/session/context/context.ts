/** What a conversation begins with: the system prompt, and one message with the instruction files and the memory's index. */

import { release } from 'node:os';
import { resolve } from 'node:path';
import { nextTurn } from '../../base/async/in-turns.ts';
import { fillPrompt } from '../../base/prompt-file.ts';
import { escapeMarkup } from '../../base/text/visible-text.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import { realPath } from '../../disk/disk.ts';
import { findGitFolders } from '../../disk/git/git-folder.ts';
import { projectLayout } from '../../disk/home.ts';
import type { ConditionalRule, LoadedInstructions } from '../../memory/instructions/instruction.ts';
import { loadInstructions } from '../../memory/instructions/load-instructions.ts';
import { memoryPrompt } from '../../memory/prompt.ts';
import type { SystemBlock } from '../../model/model.ts';
import { readIncludeAnswers } from '../../settings/approvals.ts';
import { isTrusted } from '../../settings/settings.ts';
import { instructionTag, wrapReminder } from '../../toolbox/context-text.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import { gitState } from './git-state.ts';
import { renderIndexes } from './index.ts';
import type { ShownIndexes } from './index-news.ts';

type ContextFacts = Pick<SessionContext, 'place' | 'memory'> & {
  readonly environment: AgentEnvironment;
  /** Given when the session keeps a log a day and writes no memories. */
  readonly dailyLog?: object | null;
  /** Whether earlier sessions are kept, so that they can be searched. */
  readonly keepsTranscript?: boolean;
  /** For tests; default `/etc/reverie`. */
  readonly managedFolder?: string;
};

export interface RenderedContext {
  readonly system: readonly SystemBlock[];
  /** For the first user-side message; empty when there is nothing to say. */
  readonly context: readonly ContentBlock[];
  /** The same for agents that this one starts: without the memory index. */
  readonly agentContext: readonly ContentBlock[];
  /** The indexes that the context was made of. */
  readonly indexes: ShownIndexes;
  /** Rules that wait for a file: for `dynamicInstructions`. */
  readonly conditional: readonly ConditionalRule[];
  /** Real paths to ask the user about; the answers go to `recordIncludeAnswers`. */
  readonly pendingIncludes: readonly string[];
  readonly warnings: readonly string[];
}

/** Rendered when a session opens, and again when it is compacted: edits of the files apply then. */
export async function renderContext(facts: ContextFacts): Promise<RenderedContext> {
  const { place, memory, environment } = facts;
  await nextTurn();
  const answers = readIncludeAnswers(place);
  const trusted = isTrusted(place.home, place.projectRoot);
  const instructions = place.isBare
    ? NO_INSTRUCTIONS
    : loadInstructions({
        cwd: environment.cwd,
        projectRoot: place.projectRoot,
        userHome: place.userHome,
        home: place.home,
        ...(facts.managedFolder === undefined ? {} : { managedFolder: facts.managedFolder }),
        trusted,
        approvedIncludes: answers.approved,
        declinedIncludes: answers.declined,
        limits: place.limits.instructions,
      });
  const [indexes, git] = await Promise.all([
    renderIndexes({ place, memory }),
    gitState(environment.cwd, { isTrusted: trusted }),
  ]);
  const files = instructions.files.map(instructionTag);
  // What differs from session to session comes last.
  const ofGit = git === null ? [] : [git];
  const ofFiles = files.length === 0 ? [] : [INSTRUCTIONS_HEADING, ...files];
  return {
    system: systemBlocks(facts),
    context: contextBlocks([...ofFiles, ...indexes.parts, ...ofGit]),
    agentContext: contextBlocks([...ofFiles, ...ofGit]),
    indexes: indexes.shown,
    conditional: instructions.conditional,
    pendingIncludes: instructions.pendingIncludes,
    warnings: [...instructions.warnings, ...indexes.warnings],
  };
}

function contextBlocks(parts: readonly string[]): readonly ContentBlock[] {
  return parts.length === 0 ? [] : [{ type: 'text', text: wrapReminder([CONTEXT_HEADING, ...parts]) }];
}

const NO_INSTRUCTIONS: LoadedInstructions = { files: [], conditional: [], pendingIncludes: [], warnings: [] };

const CONTEXT_HEADING =
  'Context that Reverie adds to every conversation here; the user did not type it. Use what bears on the task.';

const INSTRUCTIONS_HEADING = [
  '# Instruction files',
  '',
  'How the user, the project and the administrator want the work done. Follow them where they apply: they come before your',
  'defaults. Where two disagree the later one counts. What the user says in the conversation comes before all of them.',
].join('\n');

/** What never differs between projects comes first and ends the static part; paths come behind it. */
function systemBlocks({ place, memory, environment, keepsTranscript, dailyLog }: ContextFacts): SystemBlock[] {
  const agent = fillPrompt('agent');
  const projectFolder = memory.folders.project;
  if (!memory.enabled || projectFolder === undefined) {
    return [{ text: agent, endsStaticPart: true }, { text: environmentPrompt(environment) }];
  }
  const isSearched = keepsTranscript !== false && place.switches.isOn('pastSearch');
  const { guide, folders } = memoryPrompt({
    projectFolder,
    globalFolder: memory.folders.global ?? null,
    teamFolder: memory.folders.team ?? null,
    transcriptsFolder: isSearched ? projectLayout(place.home, place.slug).folder : null,
    guidelines: place.settings.values.memoryGuidelines,
    indexLines: place.limits.index.lines,
    dailyLog: dailyLog != null,
  });
  return [
    { text: agent },
    { text: guide, endsStaticPart: true },
    { text: `${folders}\n\n${environmentPrompt(environment)}` },
  ];
}

// The part of the system prompt that says where the agent is; nothing in it changes within a session.

interface AgentEnvironment {
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
