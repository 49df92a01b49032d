/** What one request was made of, by source: tokens by name, and the short text that the ledger keeps of them. */

import type { Entry, InjectionSource } from './entry.ts';
import type { ContentBlock, Message } from './message.ts';
import { estimateTokens } from './tokens.ts';

export interface WindowPart {
  readonly name: string;
  readonly tokens: number;
}

/** Bytes that the ledger keeps of one request's parts. */
export const COMPOSITION_BYTES = 160;
/** Tools whose results are counted one by one; those of the rest are counted together. */
const MOST_TOOLS = 6;
const TOOL_NAME_CHARACTERS = 20;
const OTHER_TOOLS = '*';
const RESULTS_OF = 'results of ';

/** Each source with its letter in the ledger, in the order of a request. */
const LETTERS = {
  'system prompt': 's',
  tools: 't',
  'instruction files': 'f',
  'memory index': 'i',
  summary: 'u',
  'your messages': 'y',
  answers: 'a',
  thinking: 'k',
  'tool calls': 'c',
  'recalled memories': 'r',
  'rules for files': 'l',
  hooks: 'h',
  'tasks of agents': 'j',
  'answers of agents': 'g',
  reminders: 'n',
} as const;

export type PartName = keyof typeof LETTERS;

const NAMES_BY_LETTER = new Map(Object.entries(LETTERS).map(([name, letter]) => [letter as string, name as PartName]));

const INJECTED = {
  context: 'instruction files',
  summary: 'summary',
  snip: 'reminders',
  date: 'reminders',
  recall: 'recalled memories',
  index: 'reminders',
  instructions: 'rules for files',
  hook: 'hooks',
  notification: 'reminders',
  task: 'tasks of agents',
  'agent-result': 'answers of agents',
  'agent-message': 'answers of agents',
  interruption: 'reminders',
  continuation: 'reminders',
  directive: 'reminders',
} as const satisfies Record<InjectionSource, PartName>;

/** The source of each block of a message. `toolNames` learns the calls that it meets: results name their call alone. */
export function blockSources(
  { message, injected = [] }: Pick<Entry, 'message' | 'injected'>,
  toolNames: Map<string, string>,
): readonly string[] {
  const sources = injected.length === 0 ? null : new Map(injected.map(({ block, source }) => [block, source]));
  return message.content.map((block, at) => {
    if (block.type === 'tool_use') toolNames.set(block.id, block.name);
    const source = sources?.get(at);
    return source === undefined ? nameOf(block, { role: message.role, toolNames }) : INJECTED[source];
  });
}

/** Adds what one message holds to sums by source. */
export function addParts(
  entry: Pick<Entry, 'message' | 'injected'>,
  { sums, toolNames }: { readonly sums: Map<string, number>; readonly toolNames: Map<string, string> },
): void {
  for (const [at, name] of blockSources(entry, toolNames).entries()) {
    addTo(sums, name, estimateTokens(entry.message.content[at]!));
  }
}

export function addTo(sums: Map<string, number>, name: string, tokens: number): void {
  sums.set(name, (sums.get(name) ?? 0) + tokens);
}

/** Estimates of the parts, brought to what was counted for all of them; empty parts are left out. */
export function scaledParts(sums: ReadonlyMap<string, number>, usedTokens: number): readonly WindowPart[] {
  const estimated = [...sums.values()].reduce((sum, tokens) => sum + tokens, 0);
  const share = estimated === 0 ? 0 : usedTokens / estimated;
  const parts = [...sums].map(([name, tokens]) => ({ name, tokens: Math.round(tokens * share) }));
  return parts.filter(({ tokens }) => tokens > 0);
}

/** For the ledger: `s1200 t3400 y90 Bash=800 *=40`. */
export function writeParts(parts: readonly WindowPart[]): string {
  const tools = parts
    .flatMap(({ name, tokens }) => (name.startsWith(RESULTS_OF) ? [{ name: toolWord(name), tokens }] : []))
    .sort((one, other) => other.tokens - one.tokens);
  const fixed = parts.flatMap(({ name, tokens }) => {
    const letter = LETTERS[name as PartName];
    return letter === undefined ? [] : [`${letter}${tokens}`];
  });
  for (let most = Math.min(MOST_TOOLS, tools.length); ; most--) {
    const others = tools.slice(most).reduce((sum, { tokens }) => sum + tokens, 0);
    const named = tools.slice(0, most).map(({ name, tokens }) => `${name}=${tokens}`);
    const text = [...fixed, ...named, ...(others > 0 ? [`${OTHER_TOOLS}=${others}`] : [])].join(' ');
    if (most === 0 || Buffer.byteLength(text) <= COMPOSITION_BYTES) return text;
  }
}

/** The parts again; what is not understood is left out. */
export function readParts(text: string): readonly WindowPart[] {
  return text.split(' ').flatMap((word): WindowPart[] => {
    const [, tool, ofTool] = /^(.+)=(\d+)$/.exec(word) ?? [];
    if (tool !== undefined) {
      const name = tool === OTHER_TOOLS ? 'results of other tools' : `${RESULTS_OF}${tool}`;
      return [{ name, tokens: Number(ofTool) }];
    }
    const name = NAMES_BY_LETTER.get(word.slice(0, 1));
    return name !== undefined && /^\d+$/.test(word.slice(1)) ? [{ name, tokens: Number(word.slice(1)) }] : [];
  });
}

function toolWord(name: string): string {
  return name.slice(RESULTS_OF.length, RESULTS_OF.length + TOOL_NAME_CHARACTERS).replace(/[\s=*]/g, '_');
}

function nameOf(
  block: ContentBlock,
  facts: { readonly role: Message['role']; readonly toolNames: ReadonlyMap<string, string> },
): string {
  switch (block.type) {
    case 'tool_use':
      return 'tool calls';
    case 'tool_result':
      return `${RESULTS_OF}${facts.toolNames.get(block.tool_use_id) ?? 'a tool'}`;
    case 'thinking':
    case 'redacted_thinking':
      return 'thinking';
    case 'text':
    case 'image':
    case 'document':
    case 'opaque':
      return facts.role === 'user' ? 'your messages' : 'answers';
  }
}
