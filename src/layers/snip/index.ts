/**
 * Snip: the user or the agent removes a range from the conversation, and a marker takes its place.
 *
 * When      the user asks; or the agent, with a tool that is there where this is switched on.
 * Cost      the cache is written again from there on, announced.
 * Prevents  rereading a wrong turn, or something long and settled, with every request.
 * On error  nothing changes: a range that would split a round is refused with the reason.
 */

export { decideSnip, isPrompt, type SnipDecision, type SnipRange, turnRange } from './decide.ts';
export { readSnips, type Snip } from './state.ts';
export { snipped } from './view.ts';
