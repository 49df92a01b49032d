/** Tokens of every request that are no messages: the system prompt and the tools. */

import type { Rendered } from '../agent/rendered.ts';
import { estimateJsonTokens, estimateTextTokens } from '../conversation/tokens.ts';

/** A cache, not state: what was rendered is never changed in place. */
const overheads = new WeakMap<Rendered, number>();

export function overheadOf(rendered: Rendered): number {
  const known = overheads.get(rendered);
  if (known !== undefined) return known;
  const texts = rendered.system.reduce((sum, { text }) => sum + estimateTextTokens(text), 0);
  const tokens = rendered.tools.reduce((sum, schema) => sum + estimateJsonTokens(schema), texts);
  overheads.set(rendered, tokens);
  return tokens;
}
