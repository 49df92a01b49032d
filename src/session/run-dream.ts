/** A dream on its own, asked for by hand or by a timer: a fresh conversation that is no session, and leaves no transcript. */

import { resolve } from 'node:path';
import { createConversation } from '../agent/conversation.ts';
import { runTurn } from '../agent/loop.ts';
import { createReadFiles } from '../agent/read-files.ts';
import { checkCommand } from '../agent/read-only-shell/check-command.ts';
import { runReadOnly } from '../agent/read-only-shell/run-read-only.ts';
import type { Rendered } from '../agent/rendered.ts';
import type { LoopSeams } from '../agent/seams.ts';
import type { Tool } from '../agent/tool.ts';
import { builtInTools } from '../agent/tools/built-in.ts';
import { createShells, type Shells } from '../agent/tools/shell/shells.ts';
import { fillPrompt } from '../base/prompt-file.ts';
import type { ToolResultBlock } from '../conversation/message.ts';
import { ReverieError } from '../errors.ts';
import { type DreamerEnd, type DreamerWork, decideDream, runDream as runLayer } from '../layers/6-dreaming/index.ts';
import { newDreamId } from '../layers/6-dreaming/records/records.ts';
import type { DreamReport, RunDreamOptions } from '../layers/6-dreaming/session/dream.ts';
import {
  dreamFiles,
  dreamLoop,
  dreamPermission,
  endOf,
  hearDreamer,
  readableFolders,
} from '../layers/6-dreaming/session/dreamer.ts';
import { dreamMeter } from '../layers/6-dreaming/session/meter.ts';
import { dreamFolder, dreamPorts } from '../layers/6-dreaming/session/ports.ts';
import type { Limits } from '../limits.ts';
import type { Memory } from '../memory/memory.ts';
import { memoryPrompt } from '../memory/prompt.ts';
import type { Model } from '../model/model.ts';
import { findPlace, type Place } from '../settings/place.ts';
import { chooseModel } from '../toolbox/choose-model.ts';
import { type AgentMeter, openAgentMeter } from '../toolbox/meter.ts';
import { type Closers, closeAll } from '../toolbox/start.ts';
import { openMemory } from './open-memory.ts';

/** A dreamer on its own is given no more tools than it may use. */
const TOOLS: ReadonlySet<string> = new Set(['Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Write']);

export async function runDream(options: RunDreamOptions): Promise<DreamReport> {
  const opened: Closers = [];
  try {
    return await dreamAlone(options, opened);
  } catch (error) {
    if (!(error instanceof ReverieError)) throw error;
    return { kind: 'not-begun', reason: error.message, fix: error.fix };
  } finally {
    await closeAll(opened);
  }
}

async function dreamAlone(options: RunDreamOptions, opened: Closers): Promise<DreamReport> {
  const { scope = 'project', by } = options;
  const place = findPlace(options);
  const memory = await openMemory(options);
  opened.push(memory.close);
  const folder = dreamFolder(memory, scope);
  if (folder === null) return notBegun(place, scope);
  await memory.noticeOutsideEdits();
  const now = () => new Date();
  const id = newDreamId(now());
  const meter = openAgentMeter({ place, session: id, onProblem: () => {} });
  opened.push(meter.close);
  const { recordEvent } = meter;
  const onProgress = options.onProgress ?? (() => {});
  const shared = dreamPorts({ place, memory, scope, folder, sessionId: null, now, recordEvent, onProgress });
  const decision = decideDream(shared.facts(by, { scannedAtMs: null }), place.limits.dreaming);
  if (decision.kind === 'wait' && decision.reason === 'off') {
    return { kind: 'not-begun', reason: 'Dreaming is off', fix: 'See where: reverie settings layers.dreaming' };
  }
  const model = await chooseModel(place, { model: options.model, environment: options.env ?? process.env });
  const outcome = await runLayer(
    {
      by,
      mode: options.mode ?? (place.settings.values['dreaming.mode'] === 'review' ? 'review' : 'apply'),
      signal: options.signal ?? new AbortController().signal,
    },
    {
      ...shared,
      newId: () => id,
      model: () => model.name,
      dream: async (work) =>
        converse(work, { options, place, memory, model, meter, directive: await shared.directive(work.workshop) }),
    },
  );
  return outcome.kind === 'ended' ? { kind: 'ended', scope, record: outcome.record } : outcome;
}

function notBegun(place: Place, scope: string): DreamReport {
  if (place.offReason !== null)
    return { kind: 'not-begun', reason: place.offReason, fix: 'See `reverie settings autoMemoryEnabled`.' };
  return {
    kind: 'not-begun',
    reason: `There is no ${scope} memory here to dream about yet`,
    fix: 'Save a memory first: reverie memory save',
  };
}

interface Alone {
  readonly options: RunDreamOptions;
  readonly place: Place;
  readonly memory: Memory;
  readonly model: Model;
  readonly meter: AgentMeter;
  readonly directive: string;
}

async function converse(work: DreamerWork, alone: Alone): Promise<DreamerEnd> {
  const { place, memory, model, options } = alone;
  const { limits } = place;
  const { copy } = work.workshop;
  const environment = options.env ?? process.env;
  const cwd = resolve(options.cwd ?? process.cwd());
  const shells = createShells({ cwd, environment, limits });
  const now = () => new Date();
  const bounded = dreamMeter(alone.meter.meter, { limits, now, warmTokens: 0, onCost: work.onCost });
  try {
    const { tools, checkReadOnly } = openTools({ place, memory, cwd, environment, copy, shells });
    const rendered = renderAlone(place, { memory, tools });
    const decide = dreamPermission({ place, memory, cwd, tools: { cwd: shells.cwd, checkReadOnly } }, { copy });
    const outcome = await runTurn(
      {
        ...{ meter: bounded.meter, model, rendered, tools, decide, limits: dreamLoop(limits), purpose: 'dream' },
        conversation: createConversation({ context: rendered.context, now }),
        seams: boundedResults(limits.dreaming),
        maxRounds: limits.dreaming.rounds,
        onEvent: hearDreamer(work),
      },
      { prompt: [{ type: 'text', text: alone.directive }], signal: work.signal, source: 'directive' },
    );
    return endOf(outcome, { isSpent: bounded.isSpent() });
  } finally {
    await shells.close();
  }
}

function openTools(facts: {
  readonly place: Place;
  readonly memory: Memory;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly copy: string;
  readonly shells: Shells;
}) {
  const { place, memory, cwd, environment, copy, shells } = facts;
  const { limits } = place;
  const roots = readableFolders({ place, memory, cwd }, copy);
  const checkReadOnly = (command: string) => checkCommand(command, { cwd: shells.cwd(), roots });
  const readOnlyShell = {
    check: checkReadOnly,
    run: (command: string, signal: AbortSignal) =>
      runReadOnly(command, { cwd: shells.cwd(), roots, signal, limits: limits.readOnlyShell }),
  };
  const ports = { cwd, environment, limits, shells, readOnlyShell };
  const built = builtInTools({ ...ports, files: dreamFiles(memory, copy), read: createReadFiles() });
  const tools = new Map(built.flatMap((tool) => (TOOLS.has(tool.name) ? [[tool.name, tool] as const] : [])));
  return { tools, checkReadOnly };
}

/** Who it is and how memories are made; instruction files are for whoever works on the project. */
function renderAlone(
  place: Place,
  { memory, tools }: { readonly memory: Memory; readonly tools: ReadonlyMap<string, Tool> },
): Rendered {
  const { guide } = memoryPrompt({
    projectFolder: memory.folders.project ?? '',
    globalFolder: memory.folders.global ?? null,
    transcriptsFolder: null,
    indexLines: place.limits.index.lines,
  });
  return {
    system: [{ text: fillPrompt('dream-agent') }, { text: guide, endsStaticPart: true }],
    tools: [...tools.values()].map(({ name, description, inputSchema }) => {
      return { name, description, input_schema: inputSchema };
    }),
    context: [],
    thinking: { kind: 'adaptive' },
    cacheTtl: place.settings.values.cacheTtl,
  };
}

/** No layer watches over this window, so that each result is kept short. */
function boundedResults({ resultCharacters }: Pick<Limits['dreaming'], 'resultCharacters'>): LoopSeams {
  return { afterTools: (finished) => finished.map(({ result }) => cutResult(result, resultCharacters)) };
}

function cutResult(result: ToolResultBlock, characters: number): ToolResultBlock {
  const content = result.content.map((block) => {
    if (block.type !== 'text' || block.text.length <= characters) return block;
    const note = `\n[Cut after ${characters} of ${block.text.length} characters: ask for less.]`;
    return { ...block, text: `${block.text.slice(0, characters)}${note}` };
  });
  return { ...result, content };
}
