/** What it takes to reach one MCP server, from its settings: variables filled in, and an environment of its own that holds no more than it needs. */

import { resolve } from 'node:path';

/** As users write it; variables such as `${TOKEN}` or `${PORT:-8080}` are filled in from the environment. */
export type McpServerSettings =
  | {
      readonly type?: 'stdio';
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | { readonly type: 'http' | 'sse'; readonly url: string; readonly headers?: Readonly<Record<string, string>> };

export interface ProgramPlan {
  readonly kind: 'program';
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Values that no message of ours may repeat. */
  readonly secrets: readonly string[];
}

export interface AddressPlan {
  readonly kind: 'address';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

export type ServerPlan = ProgramPlan | AddressPlan;

export type PlanOutcome = ServerPlan | { readonly kind: 'wrong'; readonly reason: string };

export interface PlanFacts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** What programs need to run at all; whatever else the environment holds may be a secret and is nobody's business. */
const PASSED_ON = new Set(
  (
    'PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_ALL LC_CTYPE TERM TZ TMPDIR TMP TEMP ' +
    'XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR ' +
    'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATHEXT PROGRAMDATA PROGRAMFILES SYSTEMDRIVE SYSTEMROOT USERNAME USERPROFILE WINDIR'
  ).split(' '),
);

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
/** Shorter values are in every other text. */
const SECRET_CHARACTERS = 6;
const SECRET_NAME = /key|token|secret|passw|auth|credential/i;

export function planServer(settings: McpServerSettings, facts: PlanFacts): PlanOutcome {
  if (settings.type === 'sse')
    return {
      kind: 'wrong',
      reason: 'the old SSE transport is not supported: use "type": "http" where the server has it',
    };
  const filled = createFilling(facts.environment);
  const plan = 'url' in settings ? planAddress(settings, filled) : planProgram(settings, { ...facts, filled });
  const [missing] = filled.missing;
  if (missing === undefined) return plan;
  return { kind: 'wrong', reason: `its settings name \${${missing}}, which is not set in the environment` };
}

function planProgram(
  settings: Extract<McpServerSettings, { readonly command: string }>,
  facts: PlanFacts & { readonly filled: Filling },
): PlanOutcome {
  const { fill, fillAll, secrets } = facts.filled;
  const own = fillAll(settings.env ?? {});
  const literal = Object.entries(own)
    .filter(([name, value]) => SECRET_NAME.test(name) && value.length >= SECRET_CHARACTERS)
    .map(([, value]) => value);
  return {
    kind: 'program',
    command: fill(settings.command),
    arguments: (settings.args ?? []).map(fill),
    environment: { ...passedOn(facts.environment), ...own },
    cwd: resolve(facts.cwd, fill(settings.cwd ?? '.')),
    secrets: [...secrets, ...literal],
  };
}

function planAddress(
  settings: Extract<McpServerSettings, { readonly url: string }>,
  { fill, fillAll, secrets }: Filling,
): PlanOutcome {
  const address = fill(settings.url);
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    return { kind: 'wrong', reason: 'its url is no http or https address' };
  const headers = fillAll(settings.headers ?? {});
  const values = Object.values(headers).filter((value) => value.length >= SECRET_CHARACTERS);
  return { kind: 'address', url: new URL(address), headers, secrets: [...secrets, ...values] };
}

interface Filling {
  fill(text: string): string;
  fillAll(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  readonly missing: readonly string[];
  readonly secrets: readonly string[];
}

function createFilling(environment: PlanFacts['environment']): Filling {
  const missing: string[] = [];
  const secrets: string[] = [];
  const fill = (text: string) =>
    text.replace(VARIABLE, (_whole, name: string, otherwise: string | undefined) => {
      const value = environment[name];
      if (value === undefined && otherwise === undefined) missing.push(name);
      const isSecret = !PASSED_ON.has(name.toUpperCase()) && (value?.length ?? 0) >= SECRET_CHARACTERS;
      if (value !== undefined && isSecret) secrets.push(value);
      return value ?? otherwise ?? '';
    });
  const fillAll = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]));
  return { fill, fillAll, missing, secrets };
}

function passedOn(environment: PlanFacts['environment']): Record<string, string> {
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      // A value that begins like this is a function that some shell exported: code, not data.
      entry[1] !== undefined && PASSED_ON.has(entry[0].toUpperCase()) && !entry[1].startsWith('()'),
  );
  return Object.fromEntries(entries);
}
