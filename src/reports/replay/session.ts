/** One long session from recordings: what was said between two requests, when, and how many tokens each block took. */

import type { Entry } from '../../conversation/entry.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import type { RecordedMessage, Recording } from './recording.ts';
import { createSizes, type Sizes } from './sizes.ts';

/** A request, what came into the conversation before it, and its answer. */
export interface Step {
  readonly atMs: number;
  readonly before: readonly Entry[];
  readonly answer: Entry;
  readonly outputTokens: number;
  readonly recorded: RecordedMessage['usage'];
}

export interface ReplaySession {
  readonly name: string;
  readonly model: string | null;
  /** The largest of the recordings; null when none has recorded it. */
  readonly windowTokens: number | null;
  readonly steps: readonly Step[];
  readonly sizes: Sizes;
  readonly damaged: number;
}

const DAY_MS = 24 * 60 * 60_000;
/** Between messages without recorded times. */
const USUAL_GAP_MS = 1_000;

export function sessionOf(recordings: readonly Recording[]): ReplaySession {
  const sizes = createSizes();
  const steps: Step[] = [];
  let clockMs = 0;
  for (const [at, recording] of recordings.entries()) {
    const shiftMs = at === 0 ? 0 : shiftOf(recording, clockMs);
    const made = stepsOf(recording, { file: at, sizes, startMs: clockMs, shiftMs });
    steps.push(...made.steps);
    clockMs = made.endMs;
  }
  return {
    name: recordings.map(({ name }) => name).join(' + '),
    model: recordings.find(({ model }) => model !== null)?.model ?? null,
    windowTokens: recordings.reduce<number | null>((most, { windowTokens }) => {
      return windowTokens === null ? most : Math.max(most ?? 0, windowTokens);
    }, null),
    steps,
    sizes,
    damaged: recordings.reduce((sum, { damaged }) => sum + damaged, 0),
  };
}

/** Times that run backwards say nothing about the gap: a day is assumed. */
function shiftOf({ messages }: Recording, clockMs: number): number {
  const first = messages.find(({ atMs }) => atMs !== null)?.atMs ?? null;
  return first !== null && first >= clockMs ? 0 : clockMs + DAY_MS - (first ?? clockMs);
}

function stepsOf(
  recording: Recording,
  facts: { readonly file: number; readonly sizes: Sizes; readonly startMs: number; readonly shiftMs: number },
): { readonly steps: readonly Step[]; readonly endMs: number } {
  const { sizes, file } = facts;
  const steps: Step[] = [];
  let before: Entry[] = [];
  let clockMs = facts.startMs;
  let parentUuid: string | null = null;
  for (const [index, message] of recording.messages.entries()) {
    const recordedMs = message.atMs === null ? clockMs + USUAL_GAP_MS : message.atMs + facts.shiftMs;
    clockMs = Math.max(clockMs, recordedMs);
    const entry = entryOf(message, { uuid: `${file}-${index}`, parentUuid, file, clockMs });
    parentUuid = entry.uuid;
    if (message.role === 'user') {
      before.push(entry);
      continue;
    }
    const step: Step = {
      atMs: before.length === 0 ? clockMs : Date.parse(before.at(-1)!.at),
      before,
      answer: entry,
      outputTokens: message.usage?.outputTokens ?? sizes.estimate(entry.message),
      recorded: message.usage,
    };
    steps.push(step);
    before = [];
  }
  sizes.learn(steps);
  return { steps, endMs: clockMs };
}

/** The same file may be joined twice: things identified by id must stay apart. */
function entryOf(
  { role, content, injected }: RecordedMessage,
  facts: { readonly uuid: string; readonly parentUuid: string | null; readonly file: number; readonly clockMs: number },
): Entry {
  return {
    uuid: facts.uuid,
    parentUuid: facts.parentUuid,
    at: new Date(facts.clockMs).toISOString(),
    message: { role, content: content.map((block) => ownId(block, facts.file)) },
    ...(injected.length === 0 ? {} : { injected: injected.map((block) => ({ block, source: 'context' as const })) }),
  };
}

function ownId(block: ContentBlock, file: number): ContentBlock {
  if (block.type === 'tool_use') return { ...block, id: `${block.id}.${file}` };
  if (block.type === 'tool_result') return { ...block, tool_use_id: `${block.tool_use_id}.${file}` };
  return { ...block };
}
