/** `/name`: skills, the user's own commands and `/init`, each a prompt that stands in a file. */

import { commandText, findCommands } from '../../agent/skills/find-commands.ts';
import { findSkills } from '../../agent/skills/find-skills.ts';
import { invokeSkill } from '../../agent/skills/skill-tool.ts';
import { fillPrompt } from '../../base/prompt-file.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import { findPlace, type Place, type PlaceOptions } from '../../settings/place.ts';
import { isTrusted } from '../../settings/settings.ts';
import { readSlash, type SlashCommand } from './slash/commands.ts';

export interface CustomPrompts {
  /** For completion; commands before skills of the same name. */
  readonly commands: readonly SlashCommand[];
  /** What a prompt calls for, to go along with it; empty for every other prompt. */
  blocksOf(prompt: string): readonly ContentBlock[];
}

export function openCustomPrompts(options: PlaceOptions): CustomPrompts {
  const facts = placeFacts(findPlace(options));
  const own = findCommands(facts);
  const { skills } = findSkills(facts);
  const commands = [
    ...own.map(({ name, argument, description }) => ({ name, argument, summary: description })),
    ...skills
      .filter(({ name }) => !own.some((command) => command.name === name))
      .map(({ name, description }) => ({ name, argument: '', summary: description })),
  ];

  function textOf(name: string, argument: string): { readonly title: string; readonly text: string } | null {
    if (name === 'init') return { title: 'What /init asks for', text: withWishes(fillPrompt('init'), argument) };
    const command = own.find((each) => each.name === name);
    if (command !== undefined) {
      const title = `The command /${name}, from ${command.file}: the user asks you to do what it says`;
      return { title, text: commandText(command, argument) };
    }
    const skill = skills.find((each) => each.name === name);
    if (skill === undefined) return null;
    const title = `The skill /${name}: the user asks you to do what it says`;
    return { title, text: String(invokeSkill(skill, argument).content) };
  }

  return {
    commands,
    blocksOf(prompt) {
      const read = readSlash(prompt, { customs: commands });
      const found = read.kind === 'custom' ? textOf(read.name, read.argument) : null;
      if (found === null) return [];
      const source = { type: 'text', media_type: 'text/plain', data: found.text } as const;
      return [{ type: 'document', source, title: found.title }];
    },
  };
}

function withWishes(text: string, wishes: string): string {
  return wishes === '' ? text : `${text}\n\nThe user's wishes for it: ${wishes}`;
}

function placeFacts({ projectRoot, home, userHome }: Pick<Place, 'projectRoot' | 'home' | 'userHome'>) {
  return { projectRoot, home, userHome, trusted: isTrusted(home, projectRoot) };
}
