/** Every setting there is: its kind, what it is for, and the environment variable that stands for it. */

import { SETTABLE_LIMITS } from '../limits.ts';
import {
  checkHooks,
  checkMcpServers,
  checkPaths,
  checkPermissions,
  checkPrices,
  checkResultLimits,
  type ObjectCheck,
  onlyRestrictions,
} from './objects.ts';
import { SWITCHES } from './switches.ts';

/** What a path, an endpoint or a command points at can do harm; a project may name one only after the user trusted it. */
export type SettingKind =
  | 'path'
  | 'boolean'
  | 'text'
  | 'number'
  | 'endpoint'
  | 'command'
  | 'choice'
  | 'object'
  | 'list';

export interface Setting {
  readonly kind: SettingKind;
  readonly description: string;
  /** The variable that gives the value; for a boolean with `turnedOffByEnv`, `1` switches it off. */
  readonly env?: string;
  readonly turnedOffByEnv?: true;
  /** The environment comes before even the managed file: it is how the user of this one run speaks. */
  readonly envLeads?: true;
  /** A committed file is never asked, trusted or not. */
  readonly neverFromProject?: true;
  /** Of a `choice`. */
  readonly choices?: readonly string[];
  /** Of a `text` that is not any text: how it looks, and how that is said. */
  readonly shape?: { readonly pattern: RegExp; readonly expected: string };
  /** Of an `object` or a `list`: the value, or what it should have been. */
  readonly check?: ObjectCheck<unknown>;
  /** The values of all places count together, besides the one that wins. */
  readonly gathers?: true;
  /** What of a value may be gathered from a place that is otherwise ignored; null for nothing. */
  restrictions?(value: unknown): unknown;
  /** Of a `number` without a default. */
  readonly isWhole?: true;
  readonly default?: boolean | string | number;
}

export const SETTINGS = {
  autoMemoryDirectory: {
    kind: 'path',
    description: 'The folder of the project memory, instead of the one in Reverie’s home; `~/` is expanded.',
    env: 'REVERIE_MEMORY_DIR',
    envLeads: true,
    neverFromProject: true,
  },
  autoMemoryEnabled: {
    kind: 'boolean',
    description: 'Whether memory is on at all; REVERIE_DISABLE_MEMORY=1 switches it off.',
    env: 'REVERIE_DISABLE_MEMORY',
    turnedOffByEnv: true,
    envLeads: true,
    default: true,
  },
  memoryGuidelines: {
    kind: 'text',
    description: 'Your own guidance on what to remember, added to the agent’s instructions.',
    env: 'REVERIE_MEMORY_GUIDELINES',
  },
  'recall.skipIndex': {
    kind: 'boolean',
    description: 'Leaves the index of memories out of the conversation, so that only recall brings them in.',
    default: false,
  },
  'recall.selector': {
    kind: 'choice',
    choices: ['hybrid', 'local', 'model', 'off'],
    description:
      'Who picks the memories for a message: `hybrid` ranks locally and asks the small model when unsure; `local` and `model` use one of the two; `off` uses none.',
    default: 'hybrid',
  },
  'recall.encoder': {
    kind: 'text',
    description:
      'An embedding model that counts beside the built-in one: `ollama/MODEL`, `onnx/MODEL` through transformers.js where that is installed, or `openai/MODEL`, which sends memories and questions to that server. Recall goes on without it while it is missing, slow or failing.',
    shape: {
      pattern: /^\s*(?:$|(?:ollama|onnx|openai)\/\S)/,
      expected: '`ollama/MODEL`, `openai/MODEL` or `onnx/MODEL`',
    },
    neverFromProject: true,
  },
  'recall.encoderUrl': {
    kind: 'endpoint',
    description: 'Address of the server of `recall.encoder`, instead of OLLAMA_HOST or of `openaiBaseUrl`.',
    neverFromProject: true,
  },
  lastSessions: {
    kind: 'boolean',
    description:
      'Whether a session in a coding agent starts with a few lines on the last sessions of the project; with `false`, nothing is written down for them either.',
    default: true,
  },
  learn: {
    kind: 'choice',
    choices: ['on', 'off'],
    description:
      'Whether what you say in other coding agents is looked through by their own model, at the end of a session and before a compaction, and whether a due dream runs with it, or with the model that an MCP client offers; `reverie learn on` switches it on.',
    default: 'off',
    neverFromProject: true,
  },
  capture: {
    kind: 'choice',
    choices: ['on', 'off'],
    description:
      'Whether the files, commands and errors of sessions in other coding agents are logged for 30 days, so that the next session can say where work stood and what was done about an error; `reverie capture on` switches it on.',
    default: 'off',
    neverFromProject: true,
  },
  'learn.model': {
    kind: 'text',
    description: 'The model that a coding agent is asked with, by the name it has there; its small one unless set.',
    neverFromProject: true,
  },
  'extraction.everyTurns': {
    kind: 'number',
    description: 'Looks for things worth keeping after this many turns, whatever it costs; 1 means after each.',
    isWhole: true,
  },
  model: {
    kind: 'text',
    description: 'The model of the conversation: `claude-…`, `openai/…`, `ollama/…`, `lmstudio/…`.',
  },
  smallModel: {
    kind: 'text',
    description:
      'The model for small tasks in the background, such as picking memories; the provider’s own small one unless given.',
  },
  contextWindow: {
    kind: 'number',
    description: 'Most tokens of the context window: it can lower the model’s own, not raise it.',
    env: 'REVERIE_CONTEXT_WINDOW',
    isWhole: true,
  },
  cacheTtl: {
    kind: 'choice',
    choices: ['5m', '1h'],
    description: 'How long the provider keeps the prompt cache: `5m`, or `1h`, which costs more to write.',
    default: '5m',
  },
  transcripts: {
    kind: 'choice',
    choices: ['on', 'off'],
    description: 'Whether conversations are kept, so that you can resume them.',
    default: 'on',
  },
  economy: {
    kind: 'choice',
    choices: ['off', 'balanced', 'max'],
    description:
      'How early the window is shrunk to save money: `off` only when it is full; `balanced` clears old tool results as soon as that pays and summarises from half of the window on; `max` does both as soon as they pay.',
    default: 'balanced',
  },
  toolResultLimits: {
    kind: 'object',
    check: checkResultLimits,
    description:
      'How many characters of a tool’s result are kept before it goes to a file, by tool: `{ "Bash": 60000 }`.',
  },
  ...SWITCHES,
  'dreaming.mode': {
    kind: 'choice',
    choices: ['apply', 'review'],
    description:
      'Whether a dream applies what the rules allow, or leaves everything in the inbox until you approve it.',
    default: 'apply',
  },
  prices: {
    kind: 'object',
    check: checkPrices,
    description: 'US dollars per million tokens, by model, to override the built-in prices.',
  },
  anthropicBaseUrl: {
    kind: 'endpoint',
    description: 'Address of the Messages API, instead of Anthropic’s own.',
    env: 'ANTHROPIC_BASE_URL',
  },
  openaiBaseUrl: {
    kind: 'endpoint',
    description: 'Address of an OpenAI-compatible API, instead of OpenAI’s own.',
    env: 'OPENAI_BASE_URL',
  },
  permissionMode: {
    kind: 'choice',
    choices: ['ask', 'accept-edits', 'plan', 'bypass'],
    description: 'What the agent may do without asking, before any rule applies.',
    default: 'ask',
  },
  permissions: {
    kind: 'object',
    check: checkPermissions,
    gathers: true,
    // A repository may ask for more care before it is trusted, never for less.
    restrictions: onlyRestrictions,
    description: 'Rules for tools: `allow`, `ask` and `deny`, and `additionalDirectories` that may be read and edited.',
  },
  sandbox: {
    kind: 'choice',
    choices: ['auto', 'off'],
    neverFromProject: true,
    description:
      'Whether commands that nobody allowed run in a sandbox of the operating system, where there is one; with `off` each is asked about.',
    default: 'auto',
  },
  'sandbox.readable': {
    kind: 'list',
    check: checkPaths,
    gathers: true,
    neverFromProject: true,
    description: 'Folders outside of the project that commands in the sandbox can read; `~/` is expanded.',
  },
  notify: {
    kind: 'choice',
    choices: ['off', 'bell', 'desktop'],
    description:
      'How the chat calls you when it has a question, or an answer after ten seconds: `bell`, or `desktop` for a notification of the terminal (OSC 9).',
    default: 'bell',
  },
  'webSearch.provider': {
    kind: 'choice',
    choices: ['off', 'brave', 'tavily', 'searxng'],
    neverFromProject: true,
    description:
      'Who answers the agent’s WebSearch: `brave` (BRAVE_API_KEY), `tavily` (TAVILY_API_KEY), or `searxng` at `webSearch.url`; with `off` the agent has no such tool.',
    default: 'off',
  },
  'webSearch.url': {
    kind: 'endpoint',
    neverFromProject: true,
    description: 'Address of your SearXNG instance, or of the search API instead of the provider’s own.',
  },
  hooks: {
    kind: 'object',
    check: checkHooks,
    gathers: true,
    description: 'Commands to run at events of a session: `PreToolUse`, `Stop` and others.',
  },
  mcpServers: {
    kind: 'object',
    check: checkMcpServers,
    gathers: true,
    description: 'MCP servers whose tools the agent can use, by name.',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<Row> = Row extends { readonly check: ObjectCheck<infer Value> }
  ? Value
  : Row extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : Row extends { readonly kind: 'boolean' }
      ? boolean
      : Row extends { readonly kind: 'number' }
        ? number
        : string;

/** What a setting's value is once it was checked. */
export type SettingValueOf<Name extends SettingName> = ValueOf<(typeof SETTINGS)[Name]>;

/** The values in force; a setting without a default may be undefined. */
export type Settings = {
  readonly [Name in SettingName]:
    | SettingValueOf<Name>
    | ((typeof SETTINGS)[Name] extends { readonly default: unknown } ? never : undefined);
};

/** Settings whose values of all places count together. */
export type GatheredName = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends { readonly gathers: true } ? Name : never;
}[SettingName];

/** The table with `limits.<group>.<name>` for every number that can be set, in the order in which they are shown. */
export function allSettings(): ReadonlyMap<string, Setting> {
  const all = new Map<string, Setting>(Object.entries(SETTINGS));
  for (const [group, limits] of Object.entries(SETTABLE_LIMITS)) {
    for (const [name, [value, description]] of Object.entries(limits)) {
      all.set(`limits.${group}.${name}`, { kind: 'number', description, default: value });
    }
  }
  return all;
}
