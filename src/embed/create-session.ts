/** Joins the layers, recall, the prompt cache and the ledger for a loop of somebody else's: two calls around each call of a model. */

import { createConversation } from '../agent/conversation.ts';
import type { Rendered } from '../agent/rendered.ts';
import { chooseBreakpoints } from '../conversation/breakpoints.ts';
import type { EntryResponse } from '../conversation/entry.ts';
import type { Message, Usage } from '../conversation/message.ts';
import { sessionLayout } from '../disk/home.ts';
import { sweepSessions } from '../disk/sessions/sweep.ts';
import type { Memory } from '../memory/memory.ts';
import { memoryPrompt } from '../memory/prompt.ts';
import { failureOf } from '../model/anthropic/failure.ts';
import { stopReasonOf } from '../model/anthropic/stop-reason.ts';
import type { ModelFailure } from '../model/failure.ts';
import type { Model } from '../model/model.ts';
import { renderIndexes } from '../session/context/index.ts';
import { CUT_TO_FIT } from '../session/window/layers.ts';
import { withFlags } from '../session/with-flags.ts';
import { findPlace, type Place } from '../settings/place.ts';
import { createCacheWatch } from '../toolbox/cache-watch.ts';
import { openAgentMeter } from '../toolbox/meter.ts';
import { createHostFigures } from './figures.ts';
import { createHostIntake, type HostIntake } from './intake.ts';
import { openHostLayers } from './layers.ts';
import { markRequest } from './marks.ts';
import { spokenModel, summaryModel } from './model.ts';
import { createHostPrefix } from './prefix.ts';
import { atMost, createHostRecall } from './recall.ts';
import type { HostRequest, HostResponse, HostUsage, Session, SessionOptions } from './session.ts';
import { checkState, createHostLog } from './state.ts';

export async function createSession(options: SessionOptions = {}): Promise<Session> {
  const resumed = checkState(options.resumed);
  const { sessionId } = resumed;
  const found = findPlace(options);
  const { limits, settings } = found;
  const now = () => new Date();
  const figures = createHostFigures();
  const tell = (line: string): void => {
    figures.note(line);
    options.onNote?.(line);
  };
  for (const { problem, fix } of settings.problems) tell(`${problem} ${fix}`);

  const meter = openAgentMeter({ place: found, session: sessionId, onProblem: tell });
  const place = withFlags(found, { flags: options.flags, ledger: meter, tell });
  const { memory } = options;
  const instructions = await hostInstructions(memory, place);
  // Read beforehand, so that the first message has its memories too; a large one goes on being read.
  if (memory?.enabled)
    await atMost(
      memory.ready().catch(() => {}),
      limits.host.readyMs,
    );
  const watch = createCacheWatch({
    now: Date.now,
    onBreak(found) {
      figures.broken(found);
      meter.recordBreak(found);
    },
  });
  let { isCutToFit } = resumed;
  const announceBreak = (reason: string): void => {
    isCutToFit ||= reason === CUT_TO_FIT;
    figures.announced(reason);
    watch.announceBreak(reason);
  };

  const prefixOf = createHostPrefix(settings.values.cacheTtl);
  let rendered: Rendered = prefixOf({ messages: [] });
  let spoken: Model = spokenModel(undefined, { options, limits: limits.window });
  let sentAt = now();
  const { log, replacements, clearedResults } = createHostLog(
    resumed,
    sessionLayout({ home: place.home, slug: place.slug, sessionId }),
  );
  const conversation = createConversation({ context: [], entries: resumed.entries, now });
  const recall = createHostRecall({
    memory,
    isOn: () => settings.values['recall.selector'] !== 'off' && place.switches.isOn('layers.recall'),
    resumed: resumed.recalled,
    limits,
    onProblem: tell,
    ledger: meter,
    // What the host's model makes of it is not looked at.
    onJoined: ({ scope, file, score }) =>
      meter.recordMemory({
        ...{ what: 'recalled', scope, file, watched: false },
        ...{ trigger: 'message', selector: 'ranking', score },
      }),
  });
  const session = {
    ...{ place, log, ledger: meter, environment: options.env ?? process.env, now, conversation, announceBreak, tell },
    rendered: () => rendered,
    model: () => spoken,
  };
  const layers = openHostLayers(session, {
    summariser: options.model && summaryModel(options.model, { limits: limits.window }),
    clearableTools: options.clearableTools ?? [],
    onCompacted() {
      figures.compacted();
      intake.compacted();
    },
  });
  const intake: HostIntake = createHostIntake({
    conversation,
    admit: layers.admit,
    recall,
    resumed,
    onRewritten() {
      if (intake.rewrites() === 1) tell(REWRITTEN);
      announceBreak('the host changed its history');
    },
  });
  // Nobody waits for it: what old sessions stored is removed beside the conversation, once a day.
  const sweeping = sweepSessions({ home: place.home, now: now(), limits: limits.transcripts }).catch(() => null);

  async function view(request: HostRequest, signal: AbortSignal): Promise<readonly Message[]> {
    rendered = prefixOf(request);
    spoken = spokenModel(request.model, { options, limits: limits.window });
    await intake.take(request.messages);
    const wasCutToFit = isCutToFit;
    isCutToFit = false;
    const { messages } = await layers.seams.beforeRequest!({ signal }).catch((error: unknown) => {
      // The host's loop goes on without the layers rather than not at all.
      tell(`The layers failed, and the messages go out as they are: ${String(error)}`);
      return { messages: conversation.messages() };
    });
    if (wasCutToFit && !isCutToFit) announceBreak('a request that is whole again');
    return messages.filter(({ content }) => content.length > 0);
  }

  function sent(messages: readonly Message[]): void {
    const { system, tools, thinking, cacheTtl: ttl } = rendered;
    const { maxOutputTokens } = spoken.capabilities;
    const sentBefore = messages.findLastIndex(({ role }) => role === 'assistant');
    const cache = { ttl, breakpoints: chooseBreakpoints({ messages, sentBefore: Math.max(0, sentBefore) }) };
    watch.sent({ system, tools, messages, thinking, toolChoice: 'auto', maxOutputTokens, cache }, spoken);
    figures.sent();
    sentAt = now();
    intake.answered({ at: sentAt.toISOString(), response: null });
  }

  const inTurn = createTurnstile();
  return {
    sessionId,
    prepare: (request, { signal } = {}) =>
      inTurn(async () => {
        const messages = await view(request, signal ?? NEVER);
        sent(messages);
        const { cacheControl } = options;
        return {
          ...request,
          ...markRequest(request, { messages, cacheControl, ttl: rendered.cacheTtl }),
        };
      }),
    observe: (given) =>
      inTurn(async () => {
        const response = responseOf(given, spoken.name);
        const { usage, model } = response;
        watch.answered(response);
        layers.answered({ ...response, content: [] });
        figures.answered(usage);
        // What was left out is not in this count: taken for that of the conversation, the next request would be too long.
        intake.answered({ at: now().toISOString(), response: isCutToFit ? null : response });
        if (given.usage)
          meter.recordCall({ model, usage, at: sentAt, milliseconds: now().getTime() - sentAt.getTime() });
      }),
    refused: (error, { signal } = {}) =>
      inTurn(async () => {
        const failure = tooLong(error, spoken.name);
        return failure !== null && layers.seams.onOverflow!(failure, signal ?? NEVER);
      }),
    instructions: () => instructions,
    stats: () => ({
      ...figures.read(),
      storedResults: [...replacements.values()].filter(isReplaced).length,
      clearedResults: clearedResults(),
      recalled: recall.surfaced().flatMap(({ key, bytes }) => (bytes > 0 ? [key] : [])),
      rewrites: intake.rewrites(),
    }),
    state: () =>
      structuredClone({
        ...resumed,
        ...intake.state(),
        entries: conversation.entries,
        replacements: [...replacements].map(([toolUseId, decision]) => ({ toolUseId, decision })),
        layers: Object.fromEntries(Object.entries(layers.states).map(([name, state]) => [name, state()])),
        recalled: recall.surfaced(),
        isCutToFit,
      }),
    async close() {
      await inTurn(async () => {});
      await sweeping;
      meter.close();
    },
  };
}

const NEVER = new AbortController().signal;

const REWRITTEN =
  'The messages are not those of the last request with more behind them, so that the conversation begins again where they differ: the prompt cache is lost from there on.';

/** One thing after the other; what fails does not keep the next from its turn. */
function createTurnstile(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

function tooLong(error: unknown, model: string): ModelFailure | null {
  const failure = failureOf(error, { model, aborted: false, hasBegun: false, secrets: [], now: Date.now() });
  return failure.failure === 'too-long' ? failure : null;
}

function isReplaced(decision: unknown): boolean {
  return (decision as { readonly kind?: unknown } | null)?.kind === 'replaced';
}

// The memory's part of a host's system prompt: how memory works, where it is, and the index as it is now.

async function hostInstructions(memory: Memory | undefined, place: Place): Promise<string> {
  const projectFolder = memory?.folders.project;
  if (memory === undefined || !memory.enabled || projectFolder === undefined) return '';
  const { guide, folders } = memoryPrompt({
    projectFolder,
    globalFolder: memory.folders.global ?? null,
    transcriptsFolder: null,
    guidelines: place.settings.values.memoryGuidelines,
    indexLines: place.limits.index.lines,
  });
  const { parts } = await renderIndexes({ place, memory });
  return [guide, folders, ...parts].join('\n\n');
}

// A host's response in our shape: what it cost, and why it ended.

function responseOf(response: HostResponse, model: string): EntryResponse {
  return {
    id: response.id ?? null,
    model: response.model ?? model,
    stopReason: stopReasonOf(response.stop_reason),
    usage: usageOf(response.usage ?? {}),
  };
}

function usageOf(usage: HostUsage): Usage {
  return {
    inputTokens: tokens(usage.input_tokens),
    outputTokens: tokens(usage.output_tokens),
    cacheReadTokens: tokens(usage.cache_read_input_tokens),
    cacheWriteTokens: tokens(usage.cache_creation_input_tokens),
    cacheWriteHourTokens: tokens(usage.cache_creation?.ephemeral_1h_input_tokens),
  };
}

/** A number that is none would spoil every sum after it. */
function tokens(count: number | null | undefined): number {
  return typeof count === 'number' && Number.isFinite(count) && count > 0 ? count : 0;
}
