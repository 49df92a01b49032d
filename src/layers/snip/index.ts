/**
 * Snip: a range that the user took out of the conversation, with a marker in its place.
 *
 * When      the user asks.
 * Cost      the cache is written again from there on, announced.
 * Prevents  a wrong turn, or something long and settled, being read again with each request.
 * On error  nothing changes: a range that would split a round is refused with the reason.
 */

export { decideSnip, type SnipDecision, type SnipRange } from './decide.ts';
export { readSnips, type Snip } from './state.ts';
export { snipped } from './view.ts';
