/** How each coding agent's own program answers one question: no tools, no session kept, and a mark that our hooks obey. */

import { isObject } from '../../base/values.ts';
import { NO_USAGE, type Usage } from '../../conversation/message.ts';
import type { HostName } from '../hosts/host.ts';

export interface Headless {
  /** The name of its program. */
  readonly program: string;
  /** It reads the question from standard input. */
  words(model: string | null, without: Without): readonly string[];
  /** For one that takes no word for all its MCP servers at once: how it lists them. */
  readonly servers?: {
    readonly words: readonly string[];
    /** Null where the output names one that it could not be told to leave out. */
    read(output: string): readonly string[] | null;
  };
  /** For one that takes its rules on tools from a file: what forbids them all. */
  readonly rules?: string;
  /** What it needs beside the user's own environment. */
  environment?(given: NodeJS.ProcessEnv): Readonly<Record<string, string>>;
  /** Null where it did not answer. */
  read(output: string): HeadlessAnswer | null;
  /** How the session that it kept all the same is removed; null where the output names none. */
  removalWords?(output: string): readonly string[] | null;
  /** For one whose sessions are in no file that can be read: how it writes one out. */
  exportWords?(sessionId: string): readonly string[];
}

export interface Without {
  /** MCP servers that it must not start. */
  readonly servers: readonly string[];
  /** Where its `rules` are. */
  readonly rulesFile: string;
}

export interface HeadlessAnswer {
  readonly text: string;
  readonly usage: Usage;
  /** US dollars, by the program's own account; null where it gives none. */
  readonly money: number | null;
}

export const HEADLESS: Readonly<Partial<Record<HostName, Headless>>> = {
  'claude-code': {
    program: 'claude',
    words: (model) => [
      ...['-p', '--output-format', 'json', '--model', model ?? 'haiku', '--max-turns', '1', '--tools', ''],
      ...['--no-session-persistence', '--strict-mcp-config', '--disable-slash-commands'],
    ],
    read(output) {
      const result = objects(output).find(({ type }) => type === 'result');
      if (typeof result?.result !== 'string' || result.is_error === true) return null;
      const money = typeof result.total_cost_usd === 'number' ? result.total_cost_usd : null;
      return { text: result.result, usage: anthropicUsage(result.usage), money };
    },
  },
  codex: {
    program: 'codex',
    servers: { words: ['mcp', 'list', '--json'], read: codexServers },
    words: (model, { servers }) => [
      ...['exec', '--json', '--ephemeral', '--skip-git-repo-check', '--sandbox', 'read-only'],
      ...CODEX_TOOLS.flatMap((feature) => ['-c', `features.${feature}=false`]),
      ...['-c', 'web_search="disabled"'],
      ...servers.flatMap((name) => ['-c', `mcp_servers.${name}.enabled=false`]),
      ...(model === null ? [] : ['--model', model]),
      '-',
    ],
    read(output) {
      const events = objects(output);
      const said = events
        .map(({ item }) => item)
        .filter((item) => isObject(item) && item.type === 'agent_message' && typeof item.text === 'string')
        .at(-1) as { text: string } | undefined;
      const usage = events.findLast(({ type }) => type === 'turn.completed')?.usage;
      return said === undefined ? null : { text: said.text, usage: codexUsage(usage), money: null };
    },
  },
  gemini: {
    program: 'gemini',
    rules: '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n',
    words: (model, { rulesFile }) => [
      ...['--output-format', 'json', '--approval-mode', 'plan', '--extensions', 'none', '--skip-trust'],
      // There is no server of that name.
      ...['--allowed-mcp-server-names', 'none', '--policy', rulesFile],
      ...(model === null ? [] : ['--model', model]),
    ],
    read(output) {
      const [answer] = objects(output).filter(({ response }) => typeof response === 'string');
      if (answer === undefined) return null;
      return { text: answer.response as string, usage: geminiUsage(answer.stats), money: null };
    },
  },
  opencode: {
    program: 'opencode',
    words: (model) => [
      // With a title of ours it does not ask a model for one.
      ...['run', '--pure', '--format', 'json', '--title', 'reverie', '--agent', OPENCODE_AGENT],
      ...(model === null ? [] : ['--model', model]),
    ],
    environment: ({ OPENCODE_CONFIG_CONTENT: given = '' }) => ({ OPENCODE_CONFIG_CONTENT: withOpencodeAgent(given) }),
    read(output) {
      const parts = objects(output).flatMap(({ part }) => (isObject(part) ? [part] : []));
      const texts = parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
      const ends = parts.filter(({ type }) => type === 'step-finish');
      if (texts.length === 0 || ends.length === 0) return null;
      const money = ends.reduce((sum, { cost }) => sum + count(cost), 0);
      return { text: texts.join(''), usage: opencodeUsage(ends), money: money > 0 ? money : null };
    },
    removalWords(output) {
      const id = objects(output).find(({ sessionID }) => isOpencodeSession(sessionID))?.sessionID;
      return typeof id === 'string' ? ['session', 'delete', '--pure', id] : null;
    },
    exportWords: (sessionId) => (isOpencodeSession(sessionId) ? ['export', '--pure', sessionId] : []),
  },
};

const OPENCODE_AGENT = 'reverie';

/** An agent that may use nothing, joined to what the user may have put there. */
function withOpencodeAgent(given: string): string {
  const own = parsed(given);
  const config = isObject(own) ? own : {};
  const nothing = {
    mode: 'primary',
    prompt: 'Answer the question.',
    permission: { '*': 'deny' },
    tools: { '*': false },
  };
  const agents = isObject(config.agent) ? config.agent : {};
  return JSON.stringify({
    ...{ ...config, share: 'disabled', autoupdate: false, snapshot: false },
    agent: { ...agents, [OPENCODE_AGENT]: { description: 'Answers one question', ...nothing } },
  });
}

/** It becomes a word of a command. */
function isOpencodeSession(id: unknown): boolean {
  return typeof id === 'string' && /^ses_[A-Za-z0-9]+$/.test(id);
}

/** A name becomes part of a setting's path. */
function codexServers(output: string): readonly string[] | null {
  const listed = parsed(output);
  if (!Array.isArray(listed)) return null;
  const names = listed.map((server: unknown) => (isObject(server) ? server.name : null));
  return names.every((name) => typeof name === 'string' && /^[\w-]+$/.test(name)) ? (names as string[]) : null;
}

/** Each brings tools; a name that a version does not know it leaves alone. */
const CODEX_TOOLS = [
  'shell_tool',
  'unified_exec',
  'multi_agent',
  'apps',
  'plugins',
  'image_generation',
  'view_image',
  'goals',
];

/** One document, or one on each line, with whatever a program prints around them. */
function objects(output: string): readonly Readonly<Record<string, unknown>>[] {
  const begin = output.search(/^[{[]/m);
  const whole = parsed(output.slice(Math.max(0, begin)));
  if (whole !== undefined) return (Array.isArray(whole) ? whole : [whole]).filter(isObject);
  return output.split('\n').map(parsed).filter(isObject);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

function anthropicUsage(value: unknown): Usage {
  if (!isObject(value)) return NO_USAGE;
  return {
    ...NO_USAGE,
    inputTokens: count(value.input_tokens),
    outputTokens: count(value.output_tokens),
    cacheReadTokens: count(value.cache_read_input_tokens),
    cacheWriteTokens: count(value.cache_creation_input_tokens),
  };
}

function codexUsage(value: unknown): Usage {
  if (!isObject(value)) return NO_USAGE;
  const cacheReadTokens = count(value.cached_input_tokens);
  const inputTokens = Math.max(0, count(value.input_tokens) - cacheReadTokens);
  return { ...NO_USAGE, inputTokens, cacheReadTokens, outputTokens: count(value.output_tokens) };
}

function geminiUsage(stats: unknown): Usage {
  const models = isObject(stats) && isObject(stats.models) ? Object.values(stats.models) : [];
  const tokens = models.flatMap((model) => (isObject(model) && isObject(model.tokens) ? [model.tokens] : []));
  const sum = (key: string) => tokens.reduce((total, each) => total + count(each[key]), 0);
  const cacheReadTokens = sum('cached');
  return {
    ...NO_USAGE,
    inputTokens: Math.max(0, sum('prompt') - cacheReadTokens),
    cacheReadTokens,
    outputTokens: sum('candidates') + sum('thoughts'),
  };
}

function opencodeUsage(ends: readonly Readonly<Record<string, unknown>>[]): Usage {
  const tokens = ends.flatMap((end) => (isObject(end.tokens) ? [end.tokens] : []));
  const caches = tokens.flatMap(({ cache }) => (isObject(cache) ? [cache] : []));
  const sum = (all: readonly Readonly<Record<string, unknown>>[], key: string) =>
    all.reduce((total, each) => total + count(each[key]), 0);
  return {
    ...NO_USAGE,
    inputTokens: sum(tokens, 'input'),
    outputTokens: sum(tokens, 'output') + sum(tokens, 'reasoning'),
    cacheReadTokens: sum(caches, 'read'),
    cacheWriteTokens: sum(caches, 'write'),
  };
}
