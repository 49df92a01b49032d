/** What a session can bring back after a compaction: files that were read, skills, the plan, tools that were found, words of servers. */

import type { Restorable } from '../../layers/4-compaction/index.ts';
import type { AgentTools } from '../../toolbox/tools.ts';
import type { AgentPlan } from '../plan/join.ts';
import type { AgentServers } from '../servers.ts';

export function restorableOf(session: {
  readonly tools: Pick<AgentTools, 'readState' | 'usedSkills'>;
  readonly servers: Pick<AgentServers, 'notes' | 'found'>;
  readonly plan: Pick<AgentPlan, 'restored'>;
}): Restorable {
  const read = session.tools.readState().flatMap(([path, { shown }]) => (shown === undefined ? [] : [{ path, shown }]));
  const { notes, found } = session.servers;
  return {
    readPaths: read.map(({ path }) => path),
    ranges: new Map(read.map(({ path, shown }) => [path, shown])),
    skills: session.tools.usedSkills.texts(),
    plan: session.plan.restored(),
    notices: [
      ...notes.map(({ block }) => block.text),
      // The newest first: it is the likeliest to be called.
      ...found()
        .toReversed()
        .map(({ text }) => `${FOUND}\n${text}`),
    ],
    hookTexts: [],
  };
}

const FOUND = 'A tool of an MCP server that McpSearch found earlier; McpCall calls it:';
