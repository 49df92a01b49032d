/** Settings that are objects: the shape of each, and what in a raw one cannot be used. A broken part costs itself, never the rest. */

import { isObject } from '../base/values.ts';

export type ObjectCheck<Value> = (raw: unknown) => CheckedObject<Value> | { readonly wrong: string };

export interface CheckedObject<Value> {
  readonly value: Value;
  readonly problems: readonly ObjectProblem[];
}

/** One part that was left out. */
export interface ObjectProblem {
  /** Its place below the setting, dotted: `PreToolUse.0`. */
  readonly below: string;
  readonly expected: string;
}

export interface PermissionSettings {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  readonly additionalDirectories: readonly string[];
}

export const HOOK_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PreCompact',
  'PostCompact',
  'Stop',
  'SessionEnd',
] as const;
export type HookEventName = (typeof HOOK_EVENTS)[number];

export interface HookCommand {
  readonly command: string;
  /** Seconds, as users write it. */
  readonly timeout?: number;
}

export interface HookGroup {
  /** Which tools it is for; empty and `*` mean all. */
  readonly matcher: string;
  readonly hooks: readonly HookCommand[];
}

export type HookSettings = Readonly<Partial<Record<HookEventName, readonly HookGroup[]>>>;

export type McpServerSettings =
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly type: 'http' | 'sse'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

export function checkPermissions(raw: unknown): ReturnType<ObjectCheck<PermissionSettings>> {
  if (!isObject(raw)) return { wrong: 'an object such as { "allow": ["Bash(npm test:*)"], "deny": [] }' };
  const problems: ObjectProblem[] = [];
  const rules = (name: keyof PermissionSettings, example: string): readonly string[] => {
    const given = raw[name];
    if (given === undefined) return [];
    // A single rule without brackets can only be meant as a list of one; leaving out a deny would be the wrong side to err on.
    const list = typeof given === 'string' ? [given] : given;
    if (!Array.isArray(list)) {
      problems.push({ below: name, expected: `a list such as [${JSON.stringify(example)}]` });
      return [];
    }
    return list.filter((item, index): item is string => {
      if (typeof item === 'string' && item.trim() !== '') return true;
      problems.push({ below: `${name}.${index}`, expected: `text such as ${JSON.stringify(example)}` });
      return false;
    });
  };
  const value = {
    allow: rules('allow', 'Bash(npm test:*)'),
    ask: rules('ask', 'Bash(git push:*)'),
    deny: rules('deny', 'Read(~/secrets/**)'),
    additionalDirectories: rules('additionalDirectories', '~/other-project'),
  };
  reportUnknown(raw, Object.keys(value), problems);
  return { value, problems };
}

export function checkPaths(raw: unknown): ReturnType<ObjectCheck<readonly string[]>> {
  if (!Array.isArray(raw)) return { wrong: 'a list of paths such as ["~/other-project"]' };
  const isPath = (item: unknown): item is string => typeof item === 'string' && item.trim() !== '';
  const wrong = [...raw.keys()].filter((index) => !isPath(raw[index]));
  const problems = wrong.map((index) => ({ below: String(index), expected: 'a path in double quotes' }));
  return { value: raw.filter(isPath), problems };
}

/** What may be heard of someone who is not trusted: rules that only forbid. */
export function onlyRestrictions(value: PermissionSettings): PermissionSettings | null {
  if (value.deny.length + value.ask.length === 0) return null;
  return { allow: [], ask: value.ask, deny: value.deny, additionalDirectories: [] };
}

export function checkHooks(raw: unknown): ReturnType<ObjectCheck<HookSettings>> {
  if (!isObject(raw)) {
    return { wrong: 'an object such as { "Stop": [{ "hooks": [{ "type": "command", "command": "…" }] }] }' };
  }
  const problems: ObjectProblem[] = [];
  const value: Partial<Record<HookEventName, readonly HookGroup[]>> = {};
  for (const event of HOOK_EVENTS) {
    if (raw[event] === undefined) continue;
    if (!Array.isArray(raw[event])) {
      problems.push({ below: event, expected: 'a list such as [{ "matcher": "Bash", "hooks": [] }]' });
      continue;
    }
    value[event] = raw[event].flatMap((group, index) => hookGroup(group, `${event}.${index}`, problems));
  }
  reportUnknown(raw, HOOK_EVENTS, problems);
  return { value, problems };
}

function hookGroup(raw: unknown, below: string, problems: ObjectProblem[]): readonly HookGroup[] {
  const isUsable = isObject(raw) && Array.isArray(raw.hooks) && ['string', 'undefined'].includes(typeof raw.matcher);
  if (!isUsable) {
    problems.push({ below, expected: 'an object with "hooks" (a list) and, if wanted, "matcher" (text)' });
    return [];
  }
  const hooks = (raw.hooks as unknown[]).flatMap((hook, index) =>
    hookCommand(hook, `${below}.hooks.${index}`, problems),
  );
  return [{ matcher: typeof raw.matcher === 'string' ? raw.matcher : '', hooks }];
}

function hookCommand(raw: unknown, below: string, problems: ObjectProblem[]): readonly HookCommand[] {
  const isCommand = isObject(raw) && (raw.type === undefined || raw.type === 'command');
  if (!isCommand || typeof raw.command !== 'string' || raw.command.trim() === '') {
    problems.push({ below, expected: 'an object such as { "type": "command", "command": "…" }' });
    return [];
  }
  const { command, timeout } = raw;
  if (timeout === undefined) return [{ command }];
  if (typeof timeout === 'number' && Number.isFinite(timeout) && timeout > 0) return [{ command, timeout }];
  problems.push({ below: `${below}.timeout`, expected: 'a number of seconds above zero' });
  return [{ command }];
}

export function checkMcpServers(raw: unknown): ReturnType<ObjectCheck<Readonly<Record<string, McpServerSettings>>>> {
  if (!isObject(raw)) return { wrong: 'an object such as { "name": { "command": "…", "args": [] } }' };
  const problems: ObjectProblem[] = [];
  const servers = Object.entries(raw).flatMap(([name, server]): [string, McpServerSettings][] => {
    const read = mcpServer(server);
    if (read !== null) return [[name, read]];
    problems.push({ below: name, expected: '{ "command", "args", "env" } or { "type": "http", "url", "headers" }' });
    return [];
  });
  return { value: Object.fromEntries(servers), problems };
}

function mcpServer(raw: unknown): McpServerSettings | null {
  if (!isObject(raw)) return null;
  const { type, command, args = [], env = {}, url, headers = {} } = raw;
  if (type === 'http' || type === 'sse') {
    const isWeb = typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
    return isWeb && isTexts(headers) ? { type, url, headers } : null;
  }
  const isProgram = typeof command === 'string' && command.trim() !== '' && (type === undefined || type === 'stdio');
  const areArguments = Array.isArray(args) && args.every((each) => typeof each === 'string');
  return isProgram && areArguments && isTexts(env) ? { type: 'stdio', command, args, env } : null;
}

/** Only the shape: which fields a price has is known where prices are. */
export function checkPrices(raw: unknown): ReturnType<ObjectCheck<Readonly<Record<string, object>>>> {
  if (!isObject(raw)) return { wrong: 'an object such as { "model-name": { "input": 3, "output": 15 } }' };
  const problems: ObjectProblem[] = [];
  const prices = Object.entries(raw).filter((entry): entry is [string, Record<string, unknown>] => {
    if (isObject(entry[1])) return true;
    problems.push({ below: entry[0], expected: 'an object such as { "input": 3, "output": 15 }' });
    return false;
  });
  return { value: Object.fromEntries(prices), problems };
}

export function checkResultLimits(raw: unknown): ReturnType<ObjectCheck<Readonly<Record<string, number>>>> {
  if (!isObject(raw)) return { wrong: 'an object such as { "Bash": 60000 }' };
  const problems: ObjectProblem[] = [];
  const limits = Object.entries(raw).filter((entry): entry is [string, number] => {
    const [tool, characters] = entry;
    if (typeof characters === 'number' && Number.isInteger(characters) && characters > 0) return true;
    problems.push({ below: tool, expected: 'a whole number of characters above zero' });
    return false;
  });
  return { value: Object.fromEntries(limits), problems };
}

function reportUnknown(raw: object, known: readonly string[], problems: ObjectProblem[]): void {
  const unknown = Object.keys(raw).find((key) => !known.includes(key));
  // One line for all of them: a file for another agent may hold many that we do not have.
  if (unknown !== undefined) problems.push({ below: unknown, expected: `one of ${known.join(', ')}` });
}

function isTexts(raw: unknown): raw is Record<string, string> {
  return isObject(raw) && Object.values(raw).every((each) => typeof each === 'string');
}
