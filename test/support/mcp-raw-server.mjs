/** An MCP server for tests that keeps to no rules: it lists the tools it is given as JSON, valid or not, and answers a call with what it was asked to answer. */

import { createInterface } from 'node:readline';

/** `silent`: never answers. `pages`: the list never ends. */
const { tools = [], silent = false, pages = false } = JSON.parse(process.argv[2] ?? '{}');

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'raw', version: '0' },
  }),
  'tools/list': () => ({ tools, ...(pages ? { nextCursor: 'more' } : {}) }),
  'tools/call': ({ arguments: { answer } }) => answer,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (silent || id === undefined) continue;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: ANSWERS[method]?.(params) ?? {} })}\n`);
}
