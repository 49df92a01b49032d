/** Assembles an agent: its own conversation, read state, shell, todos, layers, transcript and rights, which are never wider than its parent's. */

import { createConversation } from '../../agent/conversation.ts';
import { forkPrompt, isTaggedAsFork } from '../../agent/fork.ts';
import type { LoopParts } from '../../agent/loop.ts';
import { standsFor } from '../../agent/mcp-client/deferred-tools.ts';
import type { Rendered } from '../../agent/rendered.ts';
import type { Attachment, LoopSeams } from '../../agent/seams.ts';
import { findSkills } from '../../agent/skills/find-skills.ts';
import type { Tool } from '../../agent/tool.ts';
import { fillPrompt } from '../../base/prompt-file.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import { messageRecord } from '../../disk/transcript/record.ts';
import type { AgentDefinition, ChildWork, Seat } from '../../layers/7-agents/index.ts';
import type { Model } from '../../model/model.ts';
import { isTrusted } from '../../settings/settings.ts';
import type { SessionLog } from '../../toolbox/session-log.ts';
import type { Closers } from '../../toolbox/start.ts';
import { type AgentTools, openAgentTools } from '../../toolbox/tools.ts';
import { windowFor } from '../../toolbox/window.ts';
import { type AgentCompaction, openAgentCompaction } from '../window/compaction.ts';
import { openAgentLayers } from '../window/layers.ts';
import { restorableOf } from '../window/restorable.ts';
import { openChildLog } from './child-log.ts';
import { childModel, childRendered } from './child-start.ts';
import { type OwnMemory, ownMemoryOf } from './own-memory.ts';
import type { ParentAgent } from './parent.ts';
import type { ChildPorts } from './run-child.ts';
import { writtenProgress } from './written-progress.ts';

export interface OpenedChild {
  readonly conversation: ReturnType<typeof createConversation>;
  readonly log: SessionLog;
  readonly seat: Seat;
  readonly parts: Omit<LoopParts, 'onEvent'>;
  readonly prompt: readonly ContentBlock[];
  /** What its commands started is ended. */
  readonly endCommands: () => Promise<void>;
  readonly source: 'task' | 'directive';
}

export async function openChild(
  work: ChildWork<ParentAgent>,
  facts: {
    readonly ports: ChildPorts;
    readonly opened: Closers;
    readonly cwd: string;
    /** What joins its next message. */
    readonly due: Attachment[];
  },
): Promise<OpenedChild> {
  const { id, name, parent, definition, wish, depth } = work;
  const { opened, cwd, ports, due } = facts;
  const { place, memory, environment, now, tell } = parent;
  const isFork = definition === null;
  const model = isFork ? parent.model() : await childModel(parent, wish.model ?? definition.model);
  const log = openChildLog(parent.log, {
    id,
    tell,
    limits: place.limits.transcripts,
    kept: isFork ? forked(parent) : null,
  });
  opened.push(log.close);
  work.onTranscript(log.file);
  const ledger = { ...parent.ledger, meter: work.metered(ports.meter) };
  let compacting: AgentCompaction | null = null;
  const seat: Seat = ports.tree().seat({
    ...{ id, name, depth, record: log.append, parent: () => self },
    isFork: () => isFork || isTaggedAsFork(conversation),
    lastUuid: () => conversation.entries.at(-1)?.uuid ?? null,
    tools: () => new Set(byName.keys()),
  });
  opened.push(seat.close);
  const base = { place, memory, log, ledger, cwd, environment, now, tell };
  const own = await ownMemoryOf(definition, { parent, cwd, opened, entries: () => conversation.entries });
  const tools = openAgentTools({
    ...{ ...base, entries: () => conversation.entries, given: parent.given },
    added: [...serverTools(parent, definition), ...seat.tools],
    carried: () => compacting?.carried() ?? [],
    own,
  });
  opened.push(tools.close);
  const byName = isFork ? tools.byName : ownTools(tools.byName, { definition, parent });
  const context = async () => [...parent.agentContext(), ...((await own?.context()) ?? [])];
  const rendered = isFork
    ? parent.rendered()
    : render(parent, { definition, byName, cwd, model, own, context: await context() });
  log.begin({
    rendered,
    model: model.name,
    windowTokens: windowFor({ place, model: () => model }).window,
    cwd,
    at: now(),
  });
  log.append({
    type: 'agent',
    at: now().toISOString(),
    id,
    event: 'started',
    name,
    agentType: definition?.name ?? 'fork',
    description: wish.description,
  });
  const conversation = createConversation({
    context: isFork ? parent.conversation.context() : rendered.context,
    entries: work.continues ?? (isFork ? parent.conversation.entries : []),
    now,
    onEntry(entry) {
      log.append(messageRecord(entry));
      seat.entered(entry);
    },
  });
  const mode = definition?.permissionMode ?? undefined;
  const { checkReadOnly, canConfine } = tools;
  const permissions = parent.permissions.forAgent({
    name,
    fileCwd: cwd,
    cwd: tools.cwd,
    checkReadOnly,
    canConfine,
    mode,
    ...(own === null ? {} : { memoryFolder: own.folder }),
  });
  const session = { ...base, conversation, rendered: () => rendered, model: () => model, announceBreak: () => {} };
  const view = isFork
    ? { seams: parent.forkSeams(conversation), forFork: parent.forkSeams }
    : ownView({ session, tools, context, onCompaction: (made) => (compacting = made) });
  const progress = writtenProgress({
    ...{ place, now, opened, signal: work.signal, onWritten: work.onDoing },
    ...{ parts: () => parts, forkSeams: view.forFork },
  });
  const parts: Omit<LoopParts, 'onEvent'> = {
    ...{ meter: ledger.meter, model, purpose: 'agent', rendered, tools: byName, conversation },
    ...{ decide: permissions.decide, limits: place.limits.loop },
    // A fork cannot be forked.
    watch: isFork ? undefined : progress,
    seams: {
      ...view.seams,
      attachments: () => [...due.splice(0), ...seat.offered()],
      async afterTools(finished, about) {
        due.push(...(await parent.hooks.toolsEnded(finished, about.signal)));
        return view.seams.afterTools!(finished, about);
      },
    },
  };
  const self: ParentAgent = { ...parent, ...session, tools, permissions, parts: () => parts, forkSeams: view.forFork };
  const prompt = isFork
    ? forkPrompt(conversation, fillPrompt('agent-fork', { task: wish.prompt }))
    : [{ type: 'text' as const, text: wish.prompt }];
  return { conversation, log, seat, parts, prompt, endCommands: tools.close, source: isFork ? 'directive' : 'task' };
}

/** What a fork has read and planned by then is its parent's, as a copy. */
function forked(parent: ParentAgent): NonNullable<SessionLog['kept']> {
  return {
    ...{ rendered: parent.rendered(), model: parent.model().name, title: null, replacements: [], cleared: [] },
    entries: parent.conversation.entries.slice(),
    states: new Map([['read', parent.tools.readState()]]),
  };
}

/** Nobody is there to be asked, and only the user's own word makes anything forgotten. */
const NOT_FOR_AGENTS: ReadonlySet<string> = new Set(['AskUser', 'ExitPlanMode', 'Forget']);

function ownTools(
  all: ReadonlyMap<string, Tool>,
  { definition, parent }: { readonly definition: AgentDefinition; readonly parent: ParentAgent },
): ReadonlyMap<string, Tool> {
  const { tools, disallowedTools } = definition;
  const has = parent.parts().tools;
  const isWanted = (name: string) => tools === null || tools.includes(name);
  return new Map(
    [...all].filter(
      ([name]) => isWanted(name) && has.has(name) && !disallowedTools.includes(name) && !NOT_FOR_AGENTS.has(name),
    ),
  );
}

function serverTools(parent: ParentAgent, definition: AgentDefinition | null): readonly Tool[] {
  const servers = definition?.mcpServers ?? null;
  if (servers === null) return parent.serverTools;
  return parent.serverTools.filter(({ name }) => servers.some((server) => name.startsWith(`mcp__${server}__`)));
}

function render(
  parent: ParentAgent,
  facts: {
    readonly definition: AgentDefinition;
    readonly byName: ReadonlyMap<string, Tool>;
    readonly cwd: string;
    readonly model: Model;
    readonly own: OwnMemory | null;
    readonly context: readonly ContentBlock[];
  },
): Rendered {
  const { home, userHome, projectRoot } = parent.place;
  const skills =
    facts.definition.skills.length === 0
      ? []
      : findSkills({ home, userHome, projectRoot, trusted: isTrusted(home, projectRoot) }).skills;
  const tools = [...facts.byName.values()].map(({ name, description, inputSchema }) => {
    return { name, description, input_schema: inputSchema };
  });
  const rendered = childRendered(parent, { ...facts, tools, skills });
  const { own } = facts;
  return own === null ? rendered : { ...rendered, system: [...rendered.system, { text: own.prompt }] };
}

/** The layers that keep its window small, as in any session; it keeps no notes. */
function ownView(facts: {
  readonly session: Parameters<typeof openAgentLayers>[0] & Pick<ParentAgent, 'log'>;
  readonly tools: AgentTools;
  readonly context: () => Promise<readonly ContentBlock[]>;
  readonly onCompaction: (made: AgentCompaction) => void;
}) {
  const { session, tools } = facts;
  const layers = openAgentLayers(session, (layerParts) => {
    const made = openAgentCompaction(
      {
        ...{ ...session, tools, hooks: {}, onReplaced: tools.messagesWent },
        renderContext: facts.context,
        restorable: () =>
          restorableOf({ tools, servers: { notes: [], found: () => [] }, plan: { restored: () => null } }),
      },
      layerParts,
    );
    facts.onCompaction(made);
    return made;
  });
  const seams: LoopSeams = {
    ...layers.seams,
    afterTools: (finished) => layers.admit(finished.map(({ call, result }) => ({ call: standsFor(call), result }))),
  };
  return { seams, forFork: layers.forFork };
}
