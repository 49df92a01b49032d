/** What stands before a host's messages, in our shape: the same object for as long as the host sends the same. */

import type { Rendered } from '../agent/rendered.ts';
import type { CacheTtl, JsonSchema, SystemBlock, Thinking, ToolSchema } from '../model/model.ts';
import type { HostRequest } from './session.ts';

/** A host that builds its tools again for each request still sends the same ones. */
export function createHostPrefix(cacheTtl: CacheTtl): (request: HostRequest) => Rendered {
  let known: { readonly parts: readonly unknown[]; readonly text: string; readonly rendered: Rendered } | null = null;
  return (request) => {
    const { system, tools, thinking } = request as HostRequest & { readonly thinking?: unknown };
    const parts = [system, tools, thinking];
    if (known?.parts.every((part, at) => part === parts[at])) return known.rendered;
    const text = JSON.stringify(parts);
    const rendered = known?.text === text ? known.rendered : renderedOf({ system, tools, thinking, cacheTtl });
    known = { parts, text, rendered };
    return rendered;
  };
}

function renderedOf(given: {
  readonly system: unknown;
  readonly tools: unknown;
  readonly thinking: unknown;
  readonly cacheTtl: CacheTtl;
}): Rendered {
  return {
    system: systemOf(given.system),
    tools: Array.isArray(given.tools) ? given.tools.flatMap(toolOf) : [],
    context: [],
    thinking: thinkingOf(given.thinking),
    cacheTtl: given.cacheTtl,
  };
}

function systemOf(system: unknown): readonly SystemBlock[] {
  if (typeof system === 'string') return system === '' ? [] : [{ text: system, endsStaticPart: true }];
  if (!Array.isArray(system)) return [];
  const texts = system.flatMap(({ text }: { text?: unknown }) => (typeof text === 'string' ? [text] : []));
  // All of it is the host's: what follows it is the conversation.
  return texts.map((text, at) => (at === texts.length - 1 ? { text, endsStaticPart: true } : { text }));
}

/** Tools that run on the provider's side have no schema; a summary is asked for without them. */
function toolOf(tool: unknown): ToolSchema[] {
  const { name, description, input_schema: schema } = (tool ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || typeof schema !== 'object' || schema === null) return [];
  return [
    { name, description: typeof description === 'string' ? description : '', input_schema: schema as JsonSchema },
  ];
}

function thinkingOf(thinking: unknown): Thinking {
  const { type, budget_tokens: tokens } = (thinking ?? {}) as Readonly<Record<string, unknown>>;
  if (type === 'adaptive') return { kind: 'adaptive' };
  return type === 'enabled' && typeof tokens === 'number' ? { kind: 'budget', tokens } : { kind: 'off' };
}
