/** What the Messages API refuses a request for, as far as a client of ours could get it wrong. */

import { blocksOf, listOf } from './messages-cache.ts';

type Json = Record<string, unknown>;

const MOST_BREAKPOINTS = 4;
const LEAST_THINKING_BUDGET = 1024;

/** The words of the refusal, or null. */
export function objectionTo(body: Json): string | null {
  const messages = listOf(body.messages);
  const blocks = messages.flatMap((message) => blocksOf(message.content));
  if (typeof body.model !== 'string') return 'model: Field required';
  if (typeof body.max_tokens !== 'number' || body.max_tokens < 1) return 'max_tokens: Field required';
  if (messages.length === 0) return 'messages: at least one message is required';
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  const empty = messages.findIndex((message, at) => blocksOf(message.content).length === 0 && at < messages.length - 1);
  if (empty >= 0)
    return `messages.${empty}: all messages must have non-empty content except for the optional final one`;
  return (
    objectionToBreakpoints([...listOf(body.tools), ...blocksOf(body.system), ...blocks]) ??
    objectionToText([...blocksOf(body.system), ...blocks]) ??
    objectionToPairs(messages) ??
    objectionToThinking(body)
  );
}

function objectionToBreakpoints(blocks: readonly Json[]): string | null {
  const marked = blocks.filter((block) => block.cache_control);
  if (marked.length > MOST_BREAKPOINTS) {
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`;
  }
  const thinking = marked.find(({ type }) => type === 'thinking' || type === 'redacted_thinking');
  if (thinking) return `${thinking.type}.cache_control: Extra inputs are not permitted`;
  const ttls = marked.map((block) => (block.cache_control as Json).ttl ?? '5m');
  if (ttls.lastIndexOf('1h') > ttls.indexOf('5m') && ttls.includes('5m')) {
    return "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block";
  }
  return null;
}

function objectionToText(blocks: readonly Json[]): string | null {
  const nested = blocks.flatMap((block) => (block.type === 'tool_result' ? blocksOf(block.content) : []));
  const isEmpty = [...blocks, ...nested].some(({ type, text }) => type === 'text' && text === '');
  return isEmpty ? 'messages: text content blocks must be non-empty' : null;
}

function objectionToPairs(messages: readonly Json[]): string | null {
  const idsOf = (message: Json | undefined, type: string, key: string) =>
    blocksOf(message?.content).flatMap((block) => (block.type === type ? [String(block[key])] : []));
  for (const [at, message] of messages.entries()) {
    const uses = idsOf(message, 'tool_use', 'id');
    const results = idsOf(messages[at + 1], 'tool_result', 'tool_use_id');
    const missing = uses.filter((id) => !results.includes(id));
    if (missing.length > 0) {
      return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}`;
    }
    const usesBefore = idsOf(messages[at - 1], 'tool_use', 'id');
    const stray = idsOf(message, 'tool_result', 'tool_use_id').find((id) => !usesBefore.includes(id));
    if (stray) {
      return `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}`;
    }
  }
  return null;
}

function objectionToThinking(body: Json): string | null {
  const thinking = body.thinking as Json | undefined;
  if (thinking?.type !== 'enabled') return null;
  const budget = Number(thinking.budget_tokens);
  if (!(budget >= LEAST_THINKING_BUDGET)) return 'thinking.enabled.budget_tokens: Input should be at least 1024';
  return budget < Number(body.max_tokens) ? null : '`max_tokens` must be greater than `thinking.budget_tokens`.';
}
