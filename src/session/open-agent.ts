/** Joins model, memory, tools, permission, transcript and ledger into an agent: the order of it, and nothing else. */

import { resolve } from 'node:path';
import { createConversation } from '../agent/conversation.ts';
import type { LoopParts } from '../agent/loop.ts';
import { strictestAdvice } from '../agent/permissions/decide-permission.ts';
import { sweepSessions } from '../disk/sessions/sweep.ts';
import { messageRecord } from '../disk/transcript/record.ts';
import { type AgentNotes, openAgentNotes } from '../layers/3-session-notes/join.ts';
import { sweepWorktrees } from '../layers/7-agents/worktrees/index.ts';
import { openAgentSnip } from '../layers/snip/join.ts';
import { findPlace } from '../settings/place.ts';
import { callNotes, createCacheWatch } from '../toolbox/cache-watch.ts';
import { chooseModel } from '../toolbox/choose-model.ts';
import { openDailyLog } from '../toolbox/daily-log.ts';
import { openAgentHooks } from '../toolbox/hooks.ts';
import { openAgentMeter } from '../toolbox/meter.ts';
import { openAgentPermissions } from '../toolbox/permissions.ts';
import { readableRecords } from '../toolbox/readable.ts';
import type { SessionContext } from '../toolbox/session-context.ts';
import { openSessionLog } from '../toolbox/session-log.ts';
import {
  announceOtherModel,
  type Closers,
  closeAll,
  compactionHooks,
  finishRound,
  makeMemoryFolders,
  onceEach,
  placeNow,
  programEnvironment,
  renderedOnce,
  stateOf,
  untold,
} from '../toolbox/start.ts';
import { openAgentTools } from '../toolbox/tools.ts';
import { windowFor } from '../toolbox/window.ts';
import type { AgentOptions } from './agent.ts';
import { agentFace } from './agent-face.ts';
import { openAgentChildren } from './children/open-children.ts';
import type { ParentAgent } from './children/parent.ts';
import { awaiting, wakening } from './children/waking.ts';
import { type AttachmentState, createAttachments, isAttachmentState } from './context/attachments.ts';
import { findEnvironment, renderContext } from './context/context.ts';
import { createIndexNews, isKnownIndex } from './context/index-news.ts';
import { openMemoryAt } from './open-memory.ts';
import { openAgentPlan } from './plan/join.ts';
import { openRemembering, type Remembering } from './remembering.ts';
import { agentSeams } from './seams.ts';
import { FOUND_TOOLS, openAgentServers } from './servers.ts';
import { steerAgent } from './steer.ts';
import type { SteerableAgent } from './steering.ts';
import { chosenTools } from './team/coordinator.ts';
import { type AgentTurns, createTurns } from './turns.ts';
import { type AgentCompaction, openAgentCompaction } from './window/compaction.ts';
import { openAgentLayers } from './window/layers.ts';
import { restorableOf } from './window/restorable.ts';
import { withFlags } from './with-flags.ts';

export async function openAgent(options: AgentOptions = {}): Promise<SteerableAgent> {
  const opened: Closers = [];
  try {
    return await assemble(options, opened);
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

async function assemble(options: AgentOptions, opened: Closers): Promise<SteerableAgent> {
  const cwd = resolve(options.cwd ?? process.cwd());
  const clock = options.clock ?? { now: () => new Date() };
  const { now } = clock;
  const found = findPlace(options);
  const environment = programEnvironment(found, { cwd, environment: options.env ?? process.env });
  const warnings: string[] = found.settings.problems.map(({ problem, fix }) => `${problem} ${fix}`);
  const warn = (line: string): void => void warnings.push(line);
  /** Until the first turn, what goes wrong is told when the agent is opened; later, as it happens. */
  let tell = warn;
  const keepsTranscript = options.transcript ?? found.settings.values.transcripts === 'on';

  let model = await chooseModel(found, { model: options.model, environment });
  const memory = await openMemoryAt(found, options);
  opened.push(memory.close);
  makeMemoryFolders(memory);
  const log = await openSessionLog({ ...options, place: found, keepsTranscript, onProblem: warn });
  opened.push(log.close);
  const isResumed = log.kept !== null;
  const ledger = openAgentMeter({ place: found, session: log.sessionId, isResumed, onProblem: warn });
  opened.push(ledger.close);
  /** Much is asked between two turns, when nobody listens: what the host said waits for the next one. */
  const switched: string[] = [];
  const place = withFlags(found, { flags: options.flags, ledger, tell: (line) => switched.push(line) });
  const base = {
    ...{ place, memory, log, ledger, cwd, environment, now, model: () => model },
    tell: (line: string) => tell(line),
  };
  const servers = await openAgentServers(base);
  opened.push(servers.close);
  const entries = () => conversation.entries;
  const dailyLog = openDailyLog({ ...base, clock, entries });
  const snip = openAgentSnip({ place, log, now, entries });
  const children = await openAgentChildren(options, {
    ...{ ...base, parent: () => parentAgent, hear: (event) => turns.hear(event), onQueued: () => wakeWhenIdle() },
  });
  opened.push(children.close);
  const plan = openAgentPlan({ ...base, kind: children.kind, options: children.reviewing(options) });
  const tools = openAgentTools({
    ...{ ...base, dailyLog, entries, given: options.tools, askUser: options.askUser },
    added: [...plan.tools, ...snip.tools, ...children.tools, ...children.teamTools, ...servers.tools],
    carried: () => compacting?.carried() ?? [],
  });
  opened.push(tools.close);
  const chosen = chosenTools({ ...options, kind: children.kind }, tools);
  const surroundings = () => findEnvironment({ cwd, env: environment, model: model.name });
  const render = () => renderContext({ ...base, dailyLog, keepsTranscript, environment: surroundings() });
  const rendering = await render();
  let newest = rendering;
  warnings.push(...tools.warnings, ...children.warnings, ...rendering.warnings, ...untold(memory.problems(), warnings));
  const newWarnings = onceEach(rendering.warnings);
  let rendered = log.kept?.rendered ?? renderedOnce(rendering, { tools: chosen.schemas, place });
  log.begin({ rendered, model: model.name, windowTokens: windowFor(base).window, cwd, at: now() });
  const isRenderedAgain = log.kept?.rendered === null;
  if (isRenderedAgain) log.append({ type: 'rendered', at: now().toISOString(), rendered });

  const conversation = createConversation({
    context: rendered.context,
    entries: snip.resumed(log.kept?.entries ?? []),
    now,
    onEntry(entry) {
      log.append(messageRecord(entry));
      children.entered(entry);
    },
  });
  finishRound(conversation);
  const newAttachments = (resumed?: AttachmentState) =>
    createAttachments({ cwd, shellCwd: tools.cwd, conditional: newest.conditional, clock, dailyLog, resumed });
  let attachments = newAttachments(stateOf(log, 'attachments', isAttachmentState));
  if (log.kept === null) attachments.add([...servers.notes, ...children.roleNotes]);
  const known = isRenderedAgain ? undefined : stateOf(log, 'index', isKnownIndex);
  const indexNews = createIndexNews({ indexes: rendering.indexes, resumed: known, limits: place.limits.index });
  const hooks = openAgentHooks({ ...base, permissionMode: plan.mode });
  attachments.add(await hooks.sessionStarts(log.kept === null ? (options.startedBy ?? 'startup') : 'resume'));
  const { permissions, warnings: ruleWarnings } = openAgentPermissions({
    ...{ place, memory, cwd },
    shellCwd: tools.cwd,
    readable: readableRecords({ place, log }),
    mode: options.permissionMode,
    checkReadOnly: tools.checkReadOnly,
    canConfine: tools.canConfine,
    ask: options.ask,
    advise: async (call, signal) => strictestAdvice([await tools.advise(call), await hooks.advise(call, signal)]),
    dailyLog,
  });
  plan.governs(permissions);
  warnings.push(...ruleWarnings);
  const watch = createCacheWatch({ now: Date.now });
  announceOtherModel(log, model, watch.announceBreak);

  const session: SessionContext = {
    ...{ ...base, conversation, tools, announceBreak: watch.announceBreak },
    rendered: () => rendered,
    isSingleTurn: options.singleTurn ?? false,
    parent: () => parts,
    forkSeams: (of) => layers.forFork(of),
  };
  const messagesWent = (how: 'summarised' | 'taken-back'): void => {
    tools.messagesWent();
    plan.messagesWent();
    attachments = newAttachments();
    if (how === 'summarised') indexNews.replaced(newest.indexes);
    turns.keepStatesAgain();
    remembering.replaced(how);
  };
  let compacting: AgentCompaction | null = null;
  const layers = openAgentLayers(session, (layerParts) => {
    compacting = openAgentCompaction(
      {
        ...session,
        async renderContext() {
          newest = await render();
          for (const line of newWarnings(newest.warnings)) if (!turns.note(line)) switched.push(line);
          return newest.context;
        },
        restorable: () => restorableOf({ tools, servers, plan }),
        discoveredTools: () => servers.found().map(({ name }) => name),
        hooks: compactionHooks(hooks),
        onReplaced({ keepsBeginning }) {
          messagesWent('summarised');
          // The cache is written again anyway: what was latched is set again.
          if (!keepsBeginning)
            rendered = renderedOnce(newest, { tools: rendered.tools, place: placeNow(options, place) });
        },
        flushMemory: () => remembering.flush(),
        notes: () => notes,
      },
      layerParts,
    );
    return compacting;
  });
  ledger.noteCalls((response) => callNotes(response, { watch, layers }));
  const remembering: Remembering = openRemembering(options, session);
  const parts: Omit<LoopParts, 'onEvent'> = {
    meter: ledger.meter,
    get model() {
      return model;
    },
    purpose: 'main',
    get rendered() {
      return rendered;
    },
    tools: chosen.byName,
    conversation,
    decide: permissions.decide,
    limits: place.limits.loop,
    maxRounds: options.maxRounds,
    watch: {
      sent: watch.sent,
      answered: () => notes.answered(),
    },
    seams: agentSeams({
      ...{ memory, hooks, layers, remembering, indexNews, children, plan, attachments: () => attachments },
      carryOutSnips: () => carryOutSnips(),
      tell: base.tell,
    }),
  };
  const notes: AgentNotes = openAgentNotes({
    ...session,
    areWaitedFor: () => compacting?.waitsForNotes() === true,
  });
  const parentAgent: ParentAgent = {
    ...{
      ...session,
      permissions,
      hooks,
      serverTools: [...children.teamTools, ...servers.tools],
      given: options.tools,
      parts: () => ({ ...parts, tools: chosen.forAgents }),
    },
    agentContext: () => newest.agentContext,
  };
  const wakeWhenIdle = wakening(options, { children, turns: () => turns });
  const turns: AgentTurns = createTurns({
    ...{ parts, onIdle: wakeWhenIdle, moreToAnswer: awaiting(options, { ...base, children }) },
    record: log.append,
    now,
    async beforePrompt(prompt, signal) {
      const verdict = await hooks.promptComes(prompt, signal);
      attachments.add(verdict.attachments);
      if (verdict.blocked === null) remembering.promptComes(prompt);
      for (const line of switched.splice(0)) tell(line);
      return verdict.blocked;
    },
    states: {
      ...layers.states,
      ...{ snip: snip.state, plan: plan.state, notes: notes.state },
      attachments: () => attachments.state(),
      ...{ index: indexNews.state, read: tools.readState },
      skills: tools.usedSkills.state,
      [FOUND_TOOLS]: () => servers.found().map(({ name }) => name),
      pastSaid: tools.pastSaidState,
    },
    resumedStates: log.kept?.states ?? new Map(),
    resumedTitle: log.kept?.title ?? null,
    titleCharacters: place.limits.transcripts.titleCharacters,
  });
  tell = turns.note;
  const { carryOutSnips, ...steering } = steerAgent({
    ...{ ...session, turns, layers, snip },
    compaction: () => compacting!,
    messagesWent: () => messagesWent('taken-back'),
  });

  // Nobody waits for it: old sessions, once a day, and what killed agents left are removed beside the conversation.
  const old = sweepSessions({ home: place.home, now: now(), limits: place.limits.transcripts });
  const sweeping = Promise.allSettled([old, sweepWorktrees({ home: place.home, now })]);

  children.begin();
  return agentFace({
    ...{ ...session, permissions, warnings, turns, totals: ledger.totals, onSpent: ledger.onSpent },
    async setModel(name) {
      model = await chooseModel(place, { model: name, environment });
      watch.announceBreak('another model');
      return model.name;
    },
    setPermissionMode: plan.setMode,
    more: {
      ...{ ...steering, ...tools.steering, ...children.steering, plan: plan.steering },
      ...{ recalled: remembering.recalled, dream: remembering.dream, servers: servers.status },
    },
    async close({ signal, reason = 'other' } = {}) {
      await Promise.all([turns.stop(), children.close()]);
      await Promise.all([remembering.close(signal), notes.close()]);
      await hooks.sessionEnds({ reason, signal });
      await sweeping;
      await closeAll(opened);
    },
  });
}
