/** The tool that loads a skill when the model calls for it: until then, only a line of each is in the conversation. */

import { isObject } from '../../base/values.ts';
import { SKILL_LIMITS } from '../../limits.ts';
import type { Tool, ToolResult } from '../tool.ts';
import { loadSkill, type Skill } from './find-skills.ts';

const DESCRIPTION = `Loads a skill: instructions for one kind of task, written by the user or for this project.
- Call it first when a skill's line fits what you are asked to do, before other tools: it says how things are done here.
- \`skill\`: its name from the list. \`args\`: what the user said about this one use, if anything.
- The answer is the skill's text and its folder. Files that it names lie there; read or run them as it says.
- A skill that is loaded already need not be loaded again.

Skills:
`;

/** What was loaded in a conversation, for when its messages are summarised. */
export interface UsedSkills {
  add(use: SkillUse): void;
  /** As they are on disk now, the newest last; those that are gone are left out. */
  texts(): readonly { readonly name: string; readonly text: string }[];
  /** For the transcript. */
  state(): readonly SkillUse[];
}

interface SkillUse {
  readonly name: string;
  readonly args: string;
}

export function createUsedSkills(skills: readonly Skill[], resumed: readonly SkillUse[] = []): UsedSkills {
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  const used = new Map(resumed.map((use) => [use.name, use]));
  return {
    add(use) {
      used.delete(use.name);
      used.set(use.name, use);
    },
    texts: () =>
      [...used.values()].flatMap(({ name, args }) => {
        const skill = byName.get(name);
        const loaded = skill === undefined ? null : invokeSkill(skill, args);
        return loaded === null || loaded.isError === true ? [] : [{ name, text: String(loaded.content) }];
      }),
    state: () => [...used.values()],
  };
}

export function isUsedSkills(value: unknown): value is readonly SkillUse[] {
  return (
    Array.isArray(value) &&
    value.every((use) => isObject(use) && typeof use.name === 'string' && typeof use.args === 'string')
  );
}

export function skillTool(skills: readonly Skill[], used?: Pick<UsedSkills, 'add'>): Tool {
  const offered = new Map(skills.filter((skill) => !skill.isForUserOnly).map((skill) => [skill.name, skill]));
  return {
    name: 'Skill',
    description: DESCRIPTION + listSkills([...offered.values()]),
    inputSchema: {
      type: 'object',
      properties: {
        skill: { type: 'string', description: 'The name of the skill.' },
        args: { type: 'string', description: 'What the skill is to be used on or with.' },
      },
      required: ['skill'],
      additionalProperties: false,
    },
    isReadOnly: () => true,
    async run(input): Promise<ToolResult> {
      const name = String(input.skill ?? '')
        .trim()
        .replace(/^\//, '');
      const skill = offered.get(name);
      if (skill === undefined) {
        const names = [...offered.keys()].slice(0, SKILL_LIMITS.listed).join(', ');
        return { content: `There is no skill ${JSON.stringify(name)}. Skills: ${names || 'none'}.`, isError: true };
      }
      const args = String(input.args ?? '');
      const loaded = invokeSkill(skill, args);
      if (loaded.isError !== true) used?.add({ name, args });
      return loaded;
    },
  };
}

/** Also for the user's own call, `/name args`. */
export function invokeSkill(skill: Skill, given: string): ToolResult {
  const loaded = loadSkill(skill);
  if (loaded.kind === 'gone')
    return { content: `The skill ${skill.name} cannot be loaded: ${loaded.reason}`, isError: true };
  const args = given.trim();
  const hasPlace = loaded.body.includes('$ARGUMENTS');
  const body = hasPlace ? loaded.body.replaceAll('$ARGUMENTS', () => args) : loaded.body;
  const behind = args === '' || hasPlace ? '' : `\n\nArguments: ${args}`;
  return {
    content: `Skill ${skill.name}, in the folder ${skill.folder}\n\n${body}${behind}`,
    display: { kind: 'summary', text: `skill ${skill.name} loaded` },
  };
}

/** One line each, cut; the model sees it in every request. */
export function listSkills(skills: readonly Skill[]): string {
  if (skills.length === 0) return '(none)';
  const lines = skills
    .slice(0, SKILL_LIMITS.listed)
    .map(({ name, description }) => cut(`- ${name}: ${description}`, SKILL_LIMITS.lineCharacters));
  return [
    ...lines,
    ...(skills.length > SKILL_LIMITS.listed ? [`(and ${skills.length - SKILL_LIMITS.listed} more)`] : []),
  ].join('\n');
}

function cut(line: string, most: number): string {
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
