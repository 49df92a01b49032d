/** The agents of a session, joined to it: the tool, what comes back, and what a person sees and does of them. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent } from '../../agent/event.ts';
import type { Attachment } from '../../agent/seams.ts';
import type { Tool } from '../../agent/tool.ts';
import type { Entry } from '../../conversation/entry.ts';
import { ReverieError } from '../../errors.ts';
import { type AgentTree, type FoundDefinitions, findDefinitions, openAgentTree } from '../../layers/7-agents/index.ts';
import type { ReceivedMessage } from '../../mailbox/inbox.ts';
import { isTrusted } from '../../settings/settings.ts';
import type { SessionContext } from '../../toolbox/session-context.ts';
import type { AgentOptions } from '../agent.ts';
import type { AskAboutPlan } from '../plan/exit-plan-tool.ts';
import type { SteerableAgent } from '../steering.ts';
import { stopTool } from '../team/coordinator.ts';
import { openTeammate } from '../team/teammate.ts';
import { leftBehind, leftLines } from './left-behind.ts';
import type { ParentAgent } from './parent.ts';
import { runChild } from './run-child.ts';

export interface AgentChildren {
  /** None where the layer is off. */
  readonly tools: readonly Tool[];
  /** For the work of a team of processes. */
  readonly teamTools: readonly Tool[];
  readonly warnings: readonly string[];
  /** The session is whole: messages may wake it. */
  begin(): void;
  offered(): readonly Attachment[];
  entered(entry: Entry): void;
  hasQueued(): boolean;
  /** The model agreed to end. */
  isLeaving(): boolean;
  /** Of a teammate in plan mode the leader of the team is asked about plans, not the user here. */
  reviewing(options: AgentOptions): Omit<AgentOptions, 'reviewPlan'> & { readonly reviewPlan?: AskAboutPlan };
  next(signal: AbortSignal): Promise<boolean>;
  readonly steering: Pick<
    SteerableAgent,
    'agents' | 'agentTypes' | 'spawn' | 'stopAgent' | 'moveToBackground' | 'messages' | 'tellAgent'
  >;
  close(): Promise<void>;
}

export async function openAgentChildren(
  options: Pick<AgentOptions, 'agents' | 'name' | 'team' | 'coordinator'>,
  session: Pick<SessionContext, 'place' | 'log' | 'ledger' | 'now' | 'tell'> & {
    /** What an agent takes from the session, once there is all of it. */
    readonly parent: () => ParentAgent;
    /** Of agents, to whoever listens. */
    readonly hear: (event: AgentEvent) => void;
    readonly onQueued: () => void;
  },
): Promise<AgentChildren> {
  const { place, log, ledger, now, parent } = session;
  const found = foundIn(options, place);
  const teammate = await openTeammate(options, session);
  const name = teammate?.name ?? MAIN;
  const tree: AgentTree<ParentAgent> = openAgentTree({
    ...{ limits: place.limits.agents, found: () => found, now },
    allTools: () => new Set(parent().parts().tools.keys()),
    run: (work) => runChild(work, { tree: () => tree, meter: ledger.meter }),
    storeLong: (message) => storeLong(log, message),
    onMessage: ({ from, to, summary }) => session.hear({ kind: 'note', text: `${from} to ${to}: ${summary}` }),
    mail: { record: log.append, recorded: log.flush },
    outside: () => teammate?.outside ?? null,
    onEvent: (agent, event) => session.hear({ kind: 'agent', agent, event }),
  });
  const seat = tree.seat({
    ...{ id: null, name, depth: 0, isFork: () => false, parent, record: log.append, onQueued: session.onQueued },
    lastUuid: () => parent().conversation.entries.at(-1)?.uuid ?? null,
    tools: () => new Set(parent().parts().tools.keys()),
  });
  const left = await leftBehind(session);
  seat.resume(left.results);
  seat.box.resume(left.unread);
  let closing: Promise<void> | null = null;
  const isOn = place.switches.isOn('layers.agents');
  return {
    tools: isOn ? seat.tools : [],
    teamTools: [...(teammate?.tools ?? []), ...(options.coordinator === true ? [stopTool(tree.stop)] : [])],
    begin: () => teammate?.begin(seat.box),
    warnings: isOn ? [...found.warnings, ...leftLines(left)] : [],
    offered: seat.offered,
    entered(entry) {
      seat.entered(entry);
      teammate?.entered(entry);
    },
    hasQueued: seat.hasQueued,
    isLeaving: seat.box.isLeaving,
    reviewing: (given) => (teammate === null ? given : { ...given, ...teammate.reviewing(given.reviewPlan) }),
    next: seat.next,
    steering: {
      agents: tree.views,
      agentTypes: () => found,
      spawn({ isDelivered = false, ...wish }) {
        const spawned = isOn ? seat.spawn(wish, { isDelivered }) : { refused: 'Agents are switched off.' };
        if ('refused' in spawned) throw new ReverieError({ code: 'refused', message: spawned.refused });
        return spawned;
      },
      stopAgent: tree.stop,
      moveToBackground: tree.moveToBackground,
      messages: tree.messages,
      tellAgent: (to, message) => tree.send(name, { to, message }),
    },
    close() {
      closing ??= Promise.all([tree.close(), teammate?.close()]).then(() => {});
      return closing;
    },
  };
}

/** How the session's own conversation is called. */
const MAIN = 'main';

/** A message that is too long to be shown whole lies where the session may read. */
function storeLong(
  { toolResults }: Pick<SessionContext['log'], 'toolResults'>,
  { id, message }: ReceivedMessage,
): string {
  if (toolResults === null) throw new Error('this session keeps no files.');
  mkdirSync(toolResults, { recursive: true, mode: 0o700 });
  const file = join(toolResults, `message-${id.replace(/[^\w.-]/g, '_')}.txt`);
  writeFileSync(file, message, { mode: 0o600 });
  return file;
}

function foundIn({ agents }: Pick<AgentOptions, 'agents'>, place: SessionContext['place']): FoundDefinitions {
  const { home, userHome, projectRoot, isBare } = place;
  return findDefinitions({
    ...{ home, userHome, projectRoot, isBare, isTrusted: isTrusted(home, projectRoot) },
    ...(agents === undefined ? {} : { given: agents }),
  });
}
