/**
 * Layer 7, agents: one agent hands work to others and gets their reports, not their noise.
 *
 * When      the model calls Agent, or a program calls `spawn`.
 * Cost      the requests of each agent, within one budget for all of a session; forks read the parent's cache.
 * Prevents  a window full of what was read on the way to an answer.
 * On error  the model gets a sentence that it can act on; a result is delivered once, or said to be cut off.
 */

export type { AgentDefinition, FoundDefinitions, GivenAgent } from './definitions.ts';
export { findDefinitions } from './definitions.ts';
export { openAgentTree } from './join.ts';
export type { ShownMessage } from './mail/receipts.ts';
export type { AgentTree, ChildEnd, ChildWork, Seat, Spawned } from './ports.ts';
export type { OutsidePost, PostBox } from './post.ts';
export type { AgentReceipt, AgentResult } from './results.ts';
export { undelivered } from './results.ts';
export type { AgentState, AgentView, SpawnWish } from './tree.ts';
