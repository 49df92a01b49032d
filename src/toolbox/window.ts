/** How much a session's model takes, and how much of that every request fills before the first message. */

import type { Rendered } from '../agent/rendered.ts';
import { estimateJsonTokens, estimateTextTokens } from '../conversation/tokens.ts';
import { type Window, windowOf } from '../conversation/window.ts';
import type { SessionContext } from './session-context.ts';

export function windowFor({ model, place }: Pick<SessionContext, 'model' | 'place'>): Window {
  const { windowTokens, maxOutputTokens } = model().capabilities;
  return windowOf({
    modelWindowTokens: windowTokens,
    maxOutputTokens,
    mostTokens: place.settings.values.contextWindow,
    limits: place.limits.window,
  });
}

/** A cache, not state: what was rendered is never changed in place. */
const overheads = new WeakMap<Rendered, number>();

/** Tokens of the system prompt and the tools. */
export function overheadOf(rendered: Rendered): number {
  const known = overheads.get(rendered);
  if (known !== undefined) return known;
  const texts = rendered.system.reduce((sum, { text }) => sum + estimateTextTokens(text), 0);
  const tokens = rendered.tools.reduce((sum, schema) => sum + estimateJsonTokens(schema), texts);
  overheads.set(rendered, tokens);
  return tokens;
}
