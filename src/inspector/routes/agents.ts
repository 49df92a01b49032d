/** What the page asks of agents: the tree of a session as it runs, what was said, the lists of tasks; and to stop one. */

import { existsSync } from 'node:fs';
import { homeLayout, isSessionId, sessionLayout } from '../../disk/home.ts';
import { readLedger } from '../../disk/ledger/read.ts';
import { askAgentStop } from '../../disk/sessions/stop-agent.ts';
import { INSPECTOR_LIMITS } from '../../limits.ts';
import { listMailboxes } from '../../mailbox/list.ts';
import { openTaskList } from '../../mailbox/tasks/task-list.ts';
import { teamMembers, teamNames } from '../../mailbox/team-members.ts';
import { createTranscriptReader } from '../agents/read.ts';
import { saidIn, treeOf } from '../agents/tree.ts';
import type { Routes } from '../app.ts';
import type { InspectorContext } from '../context.ts';
import { Refusal } from '../refusal.ts';
import { cutText, textOf } from '../values.ts';

/** Characters of one message in the list. */
const SAID_CHARACTERS = 4_000;

export function agentRoutes(context: InspectorContext): Routes {
  const { place, now } = context;
  const read = createTranscriptReader(context);
  return {
    reads: {
      async agents(query) {
        const id = textOf(query, 'id');
        // A transcript that was named stands alone: what its agents did is not beside it.
        const transcripts = context.files.some((file) => file.id === id) ? null : await read(id);
        if (transcripts === null) return { isOpen: false, agents: [], said: [], left: 0 };
        const nodes = treeOf(transcripts);
        const costs = await costsByAgent({ home: place.home, session: id, now: now() });
        const said = saidIn(transcripts, nodes);
        return {
          isOpen: transcripts.openSinceMs !== null,
          agents: nodes.map(({ task, result, ...node }) => ({
            ...node,
            task: cutText(task, SAID_CHARACTERS).text,
            result: cutText(result, SAID_CHARACTERS).text,
            ...(costs.get(node.name) ?? NO_COST),
          })),
          said: said
            .slice(-INSPECTOR_LIMITS.changes)
            .map((each) => ({ ...each, ...cutText(each.text, SAID_CHARACTERS) })),
          left: Math.max(0, said.length - INSPECTOR_LIMITS.changes),
        };
      },
      /** Of all teams of processes: who is there, and what each works on. */
      async teams() {
        const { home } = place;
        const boxes = existsSync(homeLayout(home).mail) ? listMailboxes(home) : [];
        const living = new Map(boxes.map((each) => [each.name, each]));
        const teams = await Promise.all(
          teamNames(home).map(async (team) => ({
            team,
            members: teamMembers({ home, team }).map((name) => memberOf(name, living.get(name))),
            tasks: await tasksOf(team, home),
          })),
        );
        const inTeams = new Set(teams.flatMap(({ members }) => members.map(({ name }) => name)));
        const others = boxes.filter(({ name }) => !inTeams.has(name)).map((box) => memberOf(box.name, box));
        return { teams, others };
      },
    },
    writes: {
      /** The session that runs it, in whatever process, looks for the request. */
      async 'stop-agent'(body) {
        const [sessionId, id] = [textOf(body, 'session'), textOf(body, 'id')];
        const { home, slug } = place;
        sessionLayout({ home, slug, sessionId });
        const transcripts = isSessionId(id) ? await read(sessionId) : null;
        const node = transcripts === null ? undefined : treeOf(transcripts).find((each) => each.id === id);
        if (node === undefined) throw new Refusal({ status: 404, message: 'There is no such agent in this session.' });
        if (node.state !== 'running')
          throw new Refusal({ status: 409, message: `${node.name} does not run any more: it is ${node.state}.` });
        askAgentStop({ home, slug, sessionId }, id);
        return { asked: true };
      },
    },
  };
}

const NO_COST = { calls: 0, tokens: 0, money: 0 as number | null };

/** What the calls of each agent of a session cost, by its name. */
async function costsByAgent(options: { readonly home: string; readonly session: string; readonly now: Date }) {
  const costs = new Map<string, typeof NO_COST>();
  for await (const line of readLedger({ ...options, onProblem: () => {} })) {
    if (line.type !== 'call' || line.agent === undefined) continue;
    const { calls, tokens, money } = costs.get(line.agent) ?? NO_COST;
    costs.set(line.agent, {
      calls: calls + 1,
      tokens: tokens + line.equivalentTokens,
      money: money === null || line.money === null ? null : money + line.money,
    });
  }
  return costs;
}

function memberOf(name: string, box: ReturnType<typeof listMailboxes>[number] | undefined) {
  return { name, isLiving: (box?.pid ?? null) !== null, waiting: box?.waitingFiles ?? 0, newest: box?.newest ?? null };
}

async function tasksOf(team: string, home: string) {
  const list = openTaskList({ team, name: 'reader', home });
  try {
    return await list.list();
  } finally {
    list.close();
  }
}
