/** Which kinds of agents there are: built in, of the user, of the project once it is trusted, and given for one run. */

import { join } from 'node:path';
import { PERMISSION_MODES, type PermissionMode } from '../../agent/permission.ts';
import { type SkillPlace, skillPlaces, withSkillPlace } from '../../agent/skills/find-skills.ts';
import { decodeText, readableText } from '../../base/front-matter/bytes.ts';
import type { FieldValue } from '../../base/front-matter/field.ts';
import { locateFrontMatter } from '../../base/front-matter/locate.ts';
import { readHeader } from '../../base/front-matter/read-header.ts';
import { fillPrompt } from '../../base/prompt-file.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';
import { SKILL_LIMITS } from '../../limits.ts';

export type AgentMemoryScope = 'user' | 'project' | 'local';

/** One kind of agent: what it is for, what it may use, and what its system prompt says. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  /** What its system prompt begins with. */
  readonly prompt: string;
  /** Null gives it all tools of whoever starts it. */
  readonly tools: readonly string[] | null;
  readonly disallowedTools: readonly string[];
  /** `small`, a name as in settings, or null for the one that starts it. */
  readonly model: string | null;
  readonly permissionMode: PermissionMode | null;
  readonly memory: AgentMemoryScope | null;
  readonly maxTurns: number | null;
  readonly skills: readonly string[];
  /** Null gives it the tools of all servers. */
  readonly mcpServers: readonly string[] | null;
  readonly from: 'built-in' | 'flag' | 'project' | 'user';
  readonly file: string | null;
}

/** The kinds of agents that there are here. */
export interface FoundDefinitions {
  readonly definitions: readonly AgentDefinition[];
  /** Of a project that is not trusted: listed, and never run. */
  readonly untrusted: readonly AgentDefinition[];
  /** One line each, for the user. */
  readonly warnings: readonly string[];
}

/** A definition as a program or `--agents` gives it. */
export interface GivenAgent {
  readonly description: string;
  readonly prompt: string;
  readonly tools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly model?: string;
  readonly permissionMode?: string;
  readonly memory?: string;
  readonly maxTurns?: number;
  readonly skills?: readonly string[];
  readonly mcpServers?: readonly string[];
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._:-]{0,63}$/u;
const KNOWN = new Set(
  'name description tools disallowedtools model permissionmode memory maxturns skills mcpservers'.split(' '),
);
const MOST_FILES = 200;

export function findDefinitions(facts: {
  readonly projectRoot: string;
  readonly home: string;
  readonly userHome: string;
  readonly isTrusted: boolean;
  readonly isBare?: boolean;
  readonly given?: Readonly<Record<string, GivenAgent>>;
}): FoundDefinitions {
  const warnings: string[] = [];
  const given = Object.entries(facts.given ?? {}).flatMap(([name, agent]) => givenDefinition(name, agent, warnings));
  const { ofProject, ofUser } = skillPlaces(facts, 'agents');
  const read = (places: readonly SkillPlace[], from: 'project' | 'user') =>
    facts.isBare === true ? [] : places.flatMap((place) => definitionsIn(place, from, warnings));
  const projects = read(ofProject, 'project');
  const [own, untrusted] = facts.isTrusted ? [projects, []] : [[], projects];
  if (untrusted.length > 0) {
    const names = untrusted.map(({ name }) => name).join(', ');
    warnings.push(`The project's agents (${names}) are not run until you trust the project: reverie trust`);
  }
  const byName = new Map<string, AgentDefinition>();
  for (const each of [...given, ...own, ...read(ofUser, 'user'), ...builtIn()]) {
    if (!byName.has(each.name)) byName.set(each.name, each);
  }
  return { definitions: [...byName.values()], untrusted, warnings };
}

const READING = ['Bash', 'Glob', 'Grep', 'Read', 'WebFetch', 'WebSearch'];

function builtIn(): readonly AgentDefinition[] {
  const make = (name: string, description: string, more: Partial<AgentDefinition> = {}): AgentDefinition => {
    return { ...BLANK, name, description, prompt: fillPrompt(`agent-${name}`), ...more };
  };
  return [
    make('general', 'Tasks of several steps, with all your tools. The default.'),
    make('explore', 'Finds things in the project and changes nothing; fast and cheap.', {
      ...{ tools: READING, permissionMode: 'plan', model: 'small' },
    }),
    make('plan', 'Works out how to make a change, and changes nothing.', { tools: READING, permissionMode: 'plan' }),
  ];
}

const BLANK: AgentDefinition = {
  ...{ name: '', description: '', prompt: '', tools: null, disallowedTools: [], model: null, permissionMode: null },
  ...{ memory: null, maxTurns: null, skills: [], mcpServers: null, from: 'built-in', file: null },
};

function definitionsIn(place: SkillPlace, from: 'project' | 'user', warnings: string[]): readonly AgentDefinition[] {
  const path = join(place.base, ...place.parts);
  const found = withSkillPlace(place, (folder) => {
    const files = folder.entries().filter((entry) => entry.isFile() && /^[^.].*\.md$/.test(entry.name));
    return files
      .map(({ name }) => name)
      .toSorted()
      .slice(0, MOST_FILES)
      .flatMap((name) => {
        const bytes = folder.read(name, SKILL_LIMITS.fileBytes + 1);
        if (bytes === null || bytes.length > SKILL_LIMITS.fileBytes) {
          warnings.push(
            `The agent ${join(path, name)} is left out: it is larger than ${SKILL_LIMITS.fileBytes} bytes.`,
          );
          return [];
        }
        return [parseDefinition(bytes, { from, file: join(path, name), fallbackName: name.slice(0, -3) })];
      });
  });
  if (found === null) return [];
  if ('kind' in found) {
    warnings.push(`The agents in ${path} are left out: ${found.reason}`);
    return [];
  }
  return found.flatMap((each) => (isUsable(each, warnings) ? [each] : []));
}

function isUsable({ name, prompt, file }: AgentDefinition, warnings: string[]): boolean {
  const problem = !NAME.test(name) ? 'its name is none' : prompt.trim() === '' ? 'it has no text' : null;
  if (problem !== null) warnings.push(`The agent ${file ?? name} is left out: ${problem}.`);
  return problem === null;
}

export function parseDefinition(
  bytes: Uint8Array,
  facts: { readonly from: AgentDefinition['from']; readonly file: string; readonly fallbackName: string },
): AgentDefinition {
  const text = readableText(decodeText(bytes).text);
  const located = locateFrontMatter(text, { partial: false });
  const header =
    located.kind === 'found'
      ? readHeader(text.slice(located.headerStart, located.headerEnd), { known: KNOWN })
      : { kind: 'none' as const };
  const values = new Map<string, FieldValue>();
  if (header.kind === 'mapping') {
    for (const { key, within, value } of header.fields) if (within === null && !values.has(key)) values.set(key, value);
  }
  const body = located.kind === 'found' && values.size > 0 ? text.slice(located.bodyStart, located.bodyEnd) : text;
  const one = (key: string) => textIn(values.get(key));
  const list = (key: string) => listIn(values.get(key));
  return {
    name: one('name') ?? facts.fallbackName,
    description: one('description') ?? '',
    prompt: body.trim(),
    tools: list('tools'),
    disallowedTools: list('disallowedtools') ?? [],
    model: modelOf(one('model')),
    permissionMode: modeOf(one('permissionmode')),
    memory: memoryOf(one('memory')),
    maxTurns: turnsOf(one('maxturns')),
    skills: list('skills') ?? [],
    mcpServers: list('mcpservers'),
    from: facts.from,
    file: facts.file,
  };
}

function givenDefinition(name: string, given: GivenAgent, warnings: string[]): readonly AgentDefinition[] {
  const made: AgentDefinition = {
    ...BLANK,
    ...{ name, from: 'flag', description: given.description ?? '', prompt: given.prompt ?? '' },
    tools: given.tools === undefined ? null : given.tools.map(toolName),
    disallowedTools: (given.disallowedTools ?? []).map(toolName),
    model: modelOf(given.model ?? null),
    permissionMode: modeOf(given.permissionMode ?? null),
    memory: memoryOf(given.memory ?? null),
    maxTurns: given.maxTurns ?? null,
    skills: given.skills ?? [],
    mcpServers: given.mcpServers ?? null,
  };
  return isUsable(made, warnings) ? [made] : [];
}

function textIn(value: FieldValue | undefined): string | null {
  const text = value?.kind === 'text' ? stripInvisible(value.text).text.replace(/\s+/g, ' ').trim() : '';
  return text === '' ? null : text;
}

/** `Read, Grep` or a list; null where it is not there, and for `*`. */
function listIn(value: FieldValue | undefined): readonly string[] | null {
  const items =
    value?.kind === 'list'
      ? value.items.flatMap((item) => (typeof item === 'string' ? [item] : item.map(([key]) => key)))
      : (textIn(value)?.split(',') ?? null);
  if (items === null) return null;
  const names = items.map((item) => toolName(item.trim())).filter((name) => name !== '');
  return names.includes('*') ? null : names;
}

/** A rule in brackets does not belong to the name. */
function toolName(text: string): string {
  return text.replace(/\(.*\)$/, '').trim();
}

/** Names that other coding agents use for what the session has anyway. */
function modelOf(text: string | null): string | null {
  if (text === null || text === 'inherit') return null;
  return text === 'haiku' ? 'small' : text;
}

const OTHER_MODES: Readonly<Record<string, PermissionMode>> = {
  default: 'ask',
  acceptEdits: 'accept-edits',
  bypassPermissions: 'bypass',
};

function modeOf(text: string | null): PermissionMode | null {
  if (text === null) return null;
  return PERMISSION_MODES.find((mode) => mode === text) ?? OTHER_MODES[text] ?? null;
}

function memoryOf(text: string | null): AgentMemoryScope | null {
  return text === 'user' || text === 'project' || text === 'local' ? text : null;
}

function turnsOf(text: string | null): number | null {
  const turns = Number(text);
  return text !== null && Number.isInteger(turns) && turns > 0 ? turns : null;
}
