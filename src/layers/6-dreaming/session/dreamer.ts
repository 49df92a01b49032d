/** A dreamer at work, however its conversation was started: its tools, its permissions, its events, and how it ended. */

import { relative } from 'node:path';
import { diskFiles } from '../../../agent/disk-files.ts';
import type { AgentEvent, TurnOutcome } from '../../../agent/event.ts';
import type { Files } from '../../../agent/files.ts';
import type { DecidePermission } from '../../../agent/permission.ts';
import { toolPaths } from '../../../agent/permissions/call-paths.ts';
import { realPathOf } from '../../../agent/permissions/real-path.ts';
import { isWithin } from '../../../base/paths.ts';
import { textOf, toolUsesOf } from '../../../conversation/message.ts';
import { projectLayout } from '../../../disk/home.ts';
import type { Limits } from '../../../limits.ts';
import { INDEX_FILE } from '../../../memory/files/walk.ts';
import type { Memory } from '../../../memory/memory.ts';
import { ModelFailure } from '../../../model/failure.ts';
import type { Place } from '../../../settings/place.ts';
import { backgroundPermission } from '../../../toolbox/background-permission.ts';
import { agentFiles } from '../../../toolbox/files.ts';
import { openAgentPermissions } from '../../../toolbox/permissions.ts';
import type { AgentTools } from '../../../toolbox/tools.ts';
import type { DreamerEnd, DreamerWork } from '../index.ts';
import { LIST_FILE } from './copy.ts';

/** It reads like any agent and writes only into its copy, by real path. */
export function dreamFiles(memory: Memory, copy: string): Files {
  const disk = diskFiles();
  const reading = agentFiles({ memory, disk });
  return {
    stat: reading.stat,
    read: reading.read,
    async write(path, bytes, options) {
      const reason = whyNotWritten(path, copy);
      return reason === null ? disk.write(path, bytes, options) : { kind: 'refused', reason };
    },
  };
}

function whyNotWritten(path: string, copy: string): string | null {
  const real = realPathOf(path);
  if (!isWithin(real, copy)) return `${path} is not in the copy. Write in ${copy} alone.`;
  const name = relative(copy, real);
  if (name === INDEX_FILE) {
    return `${INDEX_FILE} follows from the memories: change a name or description, or put \`unlist\` or \`list\` into ${LIST_FILE}.`;
  }
  return name === LIST_FILE || name.endsWith('.md') ? null : `Memories end in .md; the list is ${copy}/${LIST_FILE}.`;
}

export interface DreamerPlace {
  readonly place: Place;
  readonly memory: Memory;
  readonly cwd: string;
  readonly tools: Pick<AgentTools, 'cwd' | 'checkReadOnly'>;
}

/** Where a dreamer may read, by real path: the same for every tool. */
export function readableFolders(
  { place, memory, cwd }: Pick<DreamerPlace, 'place' | 'memory' | 'cwd'>,
  copy: string,
): readonly string[] {
  const transcripts = projectLayout(place.home, place.slug).folder;
  const folders = [place.projectRoot, cwd, transcripts, ...Object.values(memory.folders), copy];
  return [...new Set(folders.map((path) => realPathOf(path)))];
}

/** The user's rules apply here too; what they would ask about is denied. */
export function dreamPermission(
  { place, memory, cwd, tools }: DreamerPlace,
  { copy }: { readonly copy: string },
): DecidePermission {
  const readable = readableFolders({ place, memory, cwd }, copy);
  const transcripts = projectLayout(place.home, place.slug).folder;
  const rulesOver = (folders: Memory['folders']) =>
    openAgentPermissions({
      place,
      memory: { ...memory, folders },
      cwd,
      shellCwd: tools.cwd,
      readable: [transcripts],
      mode: 'accept-edits',
      checkReadOnly: (command) => tools.checkReadOnly(command, readable),
      ask: undefined,
    }).permissions.decide;
  const around = rulesOver(memory.folders);
  const inCopy = rulesOver({ project: copy });
  const isInCopy = (call: Parameters<DecidePermission>[0]) => {
    const paths = toolPaths(call, { cwd, userHome: place.userHome, realPath: realPathOf });
    return paths.length > 0 && paths.every(({ real }) => isWithin(real, copy));
  };
  return backgroundPermission(
    { cwd, userHome: place.userHome, memoryFolders: [copy], readable },
    { rules: (call, facts) => (isInCopy(call) ? inCopy : around)(call, facts), onDenied: () => {} },
  );
}

/** The limits of its loop: a cut answer is requested again, but no longer than a dream can pay for. */
export function dreamLoop({ loop, dreaming }: Pick<Limits, 'loop' | 'dreaming'>): Limits['loop'] {
  const longest = Math.min(loop.longOutputTokens, dreaming.outputTokens);
  return { ...loop, outputTokens: Math.min(loop.outputTokens, longest), longOutputTokens: longest };
}

/** Which of its events a dream shows. */
export function hearDreamer(work: DreamerWork): (event: AgentEvent) => void {
  return (event) => {
    if (event.kind === 'entry' && event.entry.message.role === 'assistant') {
      const { content } = event.entry.message;
      const tools = toolUsesOf(content).map(({ name }) => name);
      work.onRound({ at: event.entry.at, text: textOf(content), tools });
    }
    if (event.kind !== 'tool-ended') return;
    work.onToolCall();
    const { name, input } = event.call;
    const isWrite = (name === 'Write' || name === 'Edit') && event.result.isError !== true;
    if (!isWrite || typeof input.file_path !== 'string') return;
    const file = relative(work.workshop.copy, realPathOf(input.file_path));
    if (file !== LIST_FILE) work.onWrite(file);
  };
}

export function endOf(outcome: TurnOutcome, facts: { readonly isSpent: boolean }): DreamerEnd {
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'done' };
    case 'too-many-rounds':
      return { kind: 'cut', reason: `It ran out of its ${outcome.rounds} rounds` };
    case 'interrupted':
      return { kind: 'stopped' };
    case 'refused':
      return { kind: 'failed', problem: 'the model refused' };
    case 'failed': {
      const { error } = outcome;
      if (facts.isSpent) return { kind: 'cut', reason: 'It ran out of the tokens that a dream may cost' };
      if (error instanceof ModelFailure && error.failure === 'too-long')
        return { kind: 'cut', reason: 'It filled its context window' };
      return { kind: 'failed', problem: error.message };
    }
  }
}
