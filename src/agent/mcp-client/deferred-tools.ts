/**
 * Tools of servers that together are too many for the prefix: instead of their schemas it holds two tools, which never change.
 * `McpSearch` finds tools and shows their schemas in its result; `McpCall` calls one of them.
 */

import type { ToolUseBlock } from '../../conversation/message.ts';
import { estimateJsonTokens } from '../../conversation/tokens.ts';
import { type Limits, MCP_SERVER_LIMITS } from '../../limits.ts';
import { checkInput } from '../check-input.ts';
import type { Tool, ToolResult } from '../tool.ts';
import { counted, failed, textIn } from '../tools/answer.ts';
import { nearest } from '../tools/likeness.ts';
import { callServed, type ServedTool } from './server-tool.ts';
import { shownLine } from './shown-text.ts';
import { recordOf, type ToolDefinition } from './tool-definition.ts';

/** Tools that one search shows, characters of all of them, and of each description among many. */
const SEARCHED_TOOLS = 10;
const SEARCH_CHARACTERS = 20_000;
const SEARCHED_DESCRIPTION_CHARACTERS = 300;
/** Characters of names of tools that the description of the search lists. */
const LISTED_CHARACTERS = 4_000;

export const MCP_SEARCH = 'McpSearch';
export const MCP_CALL = 'McpCall';

export type Deferral =
  | { readonly kind: 'in-prefix'; readonly tokens: number }
  | { readonly kind: 'deferred'; readonly tokens: number; readonly budgetTokens: number };

export function decideDeferral(tools: readonly ToolDefinition[], budgetTokens: number): Deferral {
  const tokens = tools.reduce((sum, tool) => sum + estimateJsonTokens(schemaOf(tool)), 0);
  return tokens > budgetTokens ? { kind: 'deferred', tokens, budgetTokens } : { kind: 'in-prefix', tokens };
}

/**
 * The call that a call of `McpCall` stands for; any other call as it is. Permission rules, hooks and limits of results go by
 * this one, so that a rule about a tool holds whichever way the tool is called.
 */
export function standsFor(call: ToolUseBlock): ToolUseBlock {
  if (call.name !== MCP_CALL || typeof call.input.tool !== 'string') return call;
  return { ...call, name: call.input.tool, input: recordOf(call.input.input) };
}

export function deferredTools(
  served: readonly ServedTool[],
  facts: { readonly limits: Limits['mcpServers']; readonly onFound: (name: string) => void },
): readonly Tool[] {
  return [callTool(served, facts), searchTool(served, facts.onFound)];
}

/** As a search shows it, for a conversation that has lost the search's result. */
export function describeTool({ name, description, inputSchema }: ToolDefinition): string {
  return `${name}\n${description}\nInput schema: ${JSON.stringify(inputSchema)}`;
}

function searchTool(served: readonly ServedTool[], onFound: (name: string) => void): Tool {
  const tools = served.map(({ definition }) => definition);
  return {
    name: MCP_SEARCH,
    description: [
      `Finds tools of the connected MCP servers (${serversOf(served)}) and shows how they are called.`,
      `Give \`query\` (a few words about what you want to do) to find tools by name and description, or \`select\` (exact names) to see the full description and input schema of tools you know by name. Then call one with ${MCP_CALL}.`,
      `These tools are not in your list of tools: look here before you say that something cannot be done. Tools: ${namesOf(tools, LISTED_CHARACTERS)}`,
    ].join('\n'),
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words about what the tool should do, such as "create pull request".' },
        select: { type: 'array', items: { type: 'string' }, description: 'Exact names of tools to show in full.' },
      },
      additionalProperties: false,
    },
    isReadOnly: () => true,
    async run(input) {
      const names = Array.isArray(input.select) ? input.select.map(String) : [];
      if (names.length > 0) return shownSelection(names, { tools, onFound });
      const query = textIn(input, 'query').trim();
      if (query === '') return failed('Give `query` or `select`.');
      const found = searchTools(query, tools);
      if (found.length > 0) return { content: shown(found, { isBrief: true, onFound }) };
      return { content: `No tool fits these words. There are: ${namesOf(tools, LISTED_CHARACTERS)}` };
    },
  };
}

function callTool(
  served: readonly ServedTool[],
  { limits, onFound }: { readonly limits: Limits['mcpServers']; readonly onFound: (name: string) => void },
): Tool {
  const byName = new Map(served.map((each) => [each.definition.name, each]));
  return {
    name: MCP_CALL,
    description: `Calls a tool of an MCP server that ${MCP_SEARCH} found. \`tool\` is its exact name (mcp__server__name), \`input\` an object that fits the input schema that ${MCP_SEARCH} showed. See the schema before the first call of a tool; do not guess it.`,
    inputSchema: {
      type: 'object',
      properties: {
        tool: { type: 'string', description: 'The exact name of the tool.' },
        input: { type: 'object', description: 'Its input; leave it out for a tool that takes none.' },
      },
      required: ['tool'],
      additionalProperties: false,
    },
    isReadOnly: () => false,
    async run(input, run) {
      const name = textIn(input, 'tool');
      const called = byName.get(name);
      if (called === undefined) return unknownTool(name, served);
      onFound(name);
      const checked = checkInput(called.definition.inputSchema, recordOf(input.input));
      if (checked.kind === 'ok') return callServed(called, checked.input, { run, limits });
      return failed(`${checked.reason} Its schema: ${JSON.stringify(called.definition.inputSchema)}`);
    },
  };
}

function unknownTool(name: string, served: readonly ServedTool[]): ToolResult {
  const tools = served.map(({ definition }) => definition);
  const near = selectTools([name], tools).unknown.flatMap((each) => each.near);
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Find its name with ${MCP_SEARCH}.`;
  return failed(`No MCP server has a tool ${shownLine(name, SHOWN_NAME_CHARACTERS)}. ${hint}`);
}

const SHOWN_NAME_CHARACTERS = 100;

function shownSelection(
  names: readonly string[],
  { tools, onFound }: { readonly tools: readonly ToolDefinition[]; readonly onFound: (name: string) => void },
): ToolResult {
  const { found, unknown } = selectTools(names.slice(0, MCP_SERVER_LIMITS.tools), tools);
  const missing = unknown.slice(0, SEARCHED_TOOLS).map(({ name, near }) => {
    const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
    return `There is no tool ${shownLine(name, SHOWN_NAME_CHARACTERS)}.${hint}`;
  });
  const content = [shown(found, { isBrief: false, onFound }), ...missing].filter((part) => part !== '').join('\n\n');
  return found.length > 0 ? { content } : failed(content);
}

/** As many in full as fit; the rest by name, so that the model knows what to select. */
function shown(
  tools: readonly ToolDefinition[],
  { isBrief, onFound }: { readonly isBrief: boolean; readonly onFound: (name: string) => void },
): string {
  const parts: string[] = [];
  let room = SEARCH_CHARACTERS;
  for (const tool of tools.slice(0, isBrief ? SEARCHED_TOOLS : tools.length)) {
    const description = isBrief ? shownLine(tool.description, SEARCHED_DESCRIPTION_CHARACTERS) : tool.description;
    const part = describeTool({ ...tool, description });
    // The first is shown whatever its size: its schema is bounded, and without it there would be no way to it.
    if (part.length > room && parts.length > 0) break;
    room -= part.length;
    parts.push(part);
    onFound(tool.name);
  }
  const rest = tools.slice(parts.length);
  if (rest.length > 0) parts.push(`More that fit, to \`select\`: ${namesOf(rest, LISTED_CHARACTERS)}`);
  return parts.join('\n\n');
}

function namesOf(tools: readonly ToolDefinition[], characters: number): string {
  const names: string[] = [];
  let room = characters;
  for (const { name } of tools) {
    room -= name.length + 2;
    if (room < 0) break;
    names.push(name);
  }
  const left = tools.length - names.length;
  return left === 0 ? names.join(', ') : `${names.join(', ')} and ${left} more`;
}

function serversOf(served: readonly ServedTool[]): string {
  const counts = new Map<string, number>();
  for (const { connection } of served) counts.set(connection.server, (counts.get(connection.server) ?? 0) + 1);
  return [...counts].map(([server, count]) => `${server}: ${counted(count, 'tool')}`).join(', ');
}

function schemaOf({ name, description, inputSchema }: ToolDefinition): object {
  return { name, description, input_schema: inputSchema };
}

// Which tools a few words are about: pure, by the words of their names first and of their descriptions second.

const NAME_WORD = 6;
const NAME_PART = 3;
const DESCRIPTION_WORD = 2;
const DESCRIPTION_PART = 1;
/** Shorter words are part of nearly every other one. */
const PART_CHARACTERS = 3;
/** Of a longer question the rest is not looked at. */
const QUERY_WORDS = 32;

/** Best first; those that share nothing with the query are left out. */
export function searchTools(query: string, tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const words = [...new Set(wordsOf(query))].slice(0, QUERY_WORDS);
  return tools
    .map((tool) => ({ tool, score: scoreOf(words, tool) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ tool }) => tool);
}

/** The tools with these names, and for each name that there is none for, what may have been meant. */
function selectTools(
  names: readonly string[],
  tools: readonly ToolDefinition[],
): {
  readonly found: readonly ToolDefinition[];
  readonly unknown: readonly { name: string; near: readonly string[] }[];
} {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const asked = [...new Set(names)];
  return {
    found: asked.flatMap((name) => byName.get(name) ?? []),
    unknown: asked
      .filter((name) => !byName.has(name))
      .map((name) => ({ name, near: nearest(name, [...byName.keys()], 3) })),
  };
}

function scoreOf(words: readonly string[], { name, description }: ToolDefinition): number {
  const inName = pointsIn(name, { word: NAME_WORD, part: NAME_PART });
  const inDescription = pointsIn(description, { word: DESCRIPTION_WORD, part: DESCRIPTION_PART });
  return words.reduce((score, word) => score + inName(word) + inDescription(word), 0);
}

function pointsIn(text: string, points: { readonly word: number; readonly part: number }): (word: string) => number {
  const words = new Set(wordsOf(text));
  const letters = text.toLowerCase();
  return (word) => {
    if (words.has(word)) return points.word;
    const isLong = word.length >= PART_CHARACTERS || /[^\0-\x7f]/.test(word);
    return isLong && letters.includes(word) ? points.part : 0;
  };
}

/** `createPullRequest` and `create_pull_request` are the same three words. */
function wordsOf(text: string): readonly string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
