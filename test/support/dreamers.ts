/** Dreamers that follow a plan: plain data, so that a plan can be drawn from a seed, printed, and handed to another process. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ModelFailure } from '../../src/model/failure.ts';
import type { FailureKind, ModelRequest } from '../../src/model/model.ts';
import { type ScriptedModel, type ScriptOptions, type ScriptStep, scriptedModel } from '../../src/model/scripted.ts';
import { copyOf, stepOf } from './dream-story.ts';
import type { RecordedRequest, ServerAnswer } from './messages-server.ts';

/** Stands in a plan for the folder that the dreamer is told to work in. */
export const COPY = '{{copy}}';

export type Call = readonly [name: string, input: Readonly<Record<string, unknown>>];

export interface Step {
  readonly says?: string;
  readonly calls?: readonly Call[];
  readonly fails?: { readonly kind: FailureKind; readonly message: string };
  readonly delayMs?: number;
}

export interface Plan {
  /** What it is about, for whoever reads of a failure. */
  readonly title: string;
  readonly steps: readonly Step[];
  /** What comes after the last step: an end, the last step again and again, or nothing ever. */
  readonly after: 'end' | 'again' | 'silence';
}

export interface Hooks {
  /** Before each answer, as somebody else who works on the same machine. */
  readonly onStep?: (step: number) => void | Promise<void>;
}

export function read(file: string): Call {
  return ['Read', { file_path: `${COPY}/${file}` }];
}

export function write(file: string, content: string): Call {
  return ['Write', { file_path: `${COPY}/${file}`, content }];
}

export function listing(changes: readonly unknown[]): Call {
  return write('changes.json', JSON.stringify({ changes }));
}

/** A model that plays the plan, in this process. */
export function scriptedDreamer(plan: Plan, options: Hooks & ScriptOptions = {}): ScriptedModel {
  const { onStep, ...script } = options;
  return scriptedModel({
    ...script,
    async answer(request) {
      const step = answersIn(request);
      await onStep?.(step);
      return scriptStep(stepAt(plan, step), copyIn(request));
    },
  });
}

/** What a server answers that plays the plan over the wire. */
export function servedDreamer(plan: Plan, hooks: Hooks = {}): (request: RecordedRequest) => Promise<ServerAnswer> {
  return async (request) => {
    const at = stepOf(request);
    await hooks.onStep?.(at);
    const step = stepAt(plan, at);
    if (step === null) return { hang: true };
    if (step.delayMs !== undefined) await sleep(step.delayMs);
    if (step.fails !== undefined) {
      return { status: 400, error: { type: 'invalid_request_error', message: step.fails.message } };
    }
    const uses = (step.calls ?? []).map(([name, input], position) => {
      return { type: 'tool_use', id: `toolu_${at}_${position}`, name, input: placed(input, copyOf(request)) };
    });
    const words = uses.length > 0 && step.says === undefined ? [] : [{ type: 'text', text: step.says ?? 'nothing' }];
    return { content: [...words, ...uses] };
  };
}

function stepAt(plan: Plan, at: number): Step | null {
  const step = plan.steps[at];
  if (step !== undefined) return step;
  if (plan.after === 'end') return { says: 'Done.' };
  return plan.after === 'again' ? (plan.steps.at(-1) ?? { says: 'Done.' }) : null;
}

async function scriptStep(step: Step | null, copy: string): Promise<ScriptStep> {
  if (step === null) return new Promise(() => {});
  if (step.delayMs !== undefined) await sleep(step.delayMs);
  if (step.fails !== undefined) {
    return { fail: new ModelFailure({ failure: step.fails.kind, message: step.fails.message }) };
  }
  const tools = (step.calls ?? []).map(([name, input]) => ({ name, input: placed(input, copy) }));
  return tools.length === 0
    ? { text: step.says ?? 'nothing' }
    : { tools, ...(step.says === undefined ? {} : { text: step.says }) };
}

function placed(input: Readonly<Record<string, unknown>>, copy: string): Record<string, unknown> {
  const entries = Object.entries(input);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'string' ? value.replaceAll(COPY, copy) : value]),
  );
}

const DIRECTIVE = 'Work on a copy: ';

function copyIn({ messages }: ModelRequest): string {
  return /Work on a copy: (.+?)\\n/.exec(JSON.stringify(messages))?.[1] ?? '';
}

function answersIn({ messages }: ModelRequest): number {
  const directive = messages.findIndex(({ content }) => JSON.stringify(content).includes(DIRECTIVE));
  return messages.slice(directive).filter(({ role }) => role === 'assistant').length;
}
