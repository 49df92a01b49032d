/** Finds the user's own slash commands: markdown files in `commands` folders, the project's before the user's. */

import { join } from 'node:path';
import type { Folder } from '../../disk/folder.ts';
import { SKILL_LIMITS } from '../../limits.ts';
import { parseSkill, type SkillPlace, skillPlaces, withSkillPlace } from './find-skills.ts';

/** Files of one folder that are looked at. */
const MOST_FILES = 500;

export interface CustomCommand {
  /** `deploy`, or `front:deploy` for a file in a folder `front`. */
  readonly name: string;
  readonly description: string;
  /** How help names the arguments. */
  readonly argument: string;
  readonly file: string;
  readonly level: 'project' | 'user';
  readonly body: string;
}

type FoundCommand = Omit<CustomCommand, 'level'>;

/** Those of a project only where the user trusts it. */
export function findCommands(facts: {
  readonly projectRoot: string;
  readonly home: string;
  readonly userHome: string;
  readonly trusted: boolean;
}): readonly CustomCommand[] {
  const { ofProject, ofUser } = skillPlaces(facts, 'commands');
  const found = new Map<string, CustomCommand>();
  const add = (places: readonly SkillPlace[], level: CustomCommand['level']) => {
    for (const command of places.flatMap(commandsIn)) {
      if (!found.has(command.name)) found.set(command.name, { ...command, level });
    }
  };
  if (facts.trusted) add(ofProject, 'project');
  add(ofUser, 'user');
  return [...found.values()];
}

/** The arguments take the place of `$ARGUMENTS` and of `$1` to `$9`; where the text names neither, they stand behind it. */
export function commandText({ body }: Pick<CustomCommand, 'body'>, given: string): string {
  const args = given.trim();
  const words = args.split(/\s+/);
  if (!/\$(?:ARGUMENTS|[1-9])/.test(body)) return args === '' ? body : `${body}\n\nArguments: ${args}`;
  return body.replace(/\$(?:ARGUMENTS|([1-9]))/g, (_, at?: string) =>
    at === undefined ? args : (words[Number(at) - 1] ?? ''),
  );
}

function commandsIn(place: SkillPlace): readonly FoundCommand[] {
  const path = join(place.base, ...place.parts);
  const read = withSkillPlace(place, (folder) => [
    ...filesOf(folder, { path, prefix: '' }),
    ...folder.entries().flatMap((entry) => {
      if (!entry.isDirectory() || entry.name.startsWith('.')) return [];
      const sub = folder.sub(entry.name);
      try {
        return sub === null ? [] : filesOf(sub, { path: join(path, entry.name), prefix: `${entry.name}:` });
      } finally {
        sub?.close();
      }
    }),
  ]);
  return Array.isArray(read) ? read : [];
}

function filesOf(folder: Folder, at: { readonly path: string; readonly prefix: string }): FoundCommand[] {
  const names = folder.entries().flatMap(({ name }) => (NAMED.test(name) ? [name] : []));
  return names
    .toSorted()
    .slice(0, MOST_FILES)
    .flatMap((name) => {
      try {
        const bytes = folder.read(name, SKILL_LIMITS.fileBytes + 1);
        if (bytes === null || bytes.length > SKILL_LIMITS.fileBytes) return [];
        const { description, argument, body } = parseSkill(bytes);
        const file = join(at.path, name);
        return [{ name: `${at.prefix}${name.slice(0, -'.md'.length)}`, description, argument, file, body }];
      } catch {
        // A link or a file that cannot be read is no command.
        return [];
      }
    });
}

const NAMED = /^[\p{L}\p{N}][\p{L}\p{N}._-]*\.md$/u;
