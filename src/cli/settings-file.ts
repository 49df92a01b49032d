/** Changes one of the user's own settings files, and leaves every other byte as it was. */

import { basename, dirname, join } from 'node:path';
import { createFolder } from '../disk/folder.ts';
import { excludeFromGit } from '../disk/git/exclude.ts';
import { homeLayout } from '../disk/home.ts';
import { ReverieError } from '../errors.ts';
import { appendItem, type Edited, editJson, removeChildren, setValue, valueAt } from '../hooks/install/json-edit.ts';
import { findPlace } from '../settings/place.ts';
import type { Place } from './command.ts';
import { type Environment, placeOptions } from './options/place-options.ts';

/** The project's file for this user alone. */
const LOCAL_FILE = join('.reverie', 'settings.local.json');

export type RuleKind = 'allow' | 'ask' | 'deny';

/** The project's file for this user alone, and the user's file for all projects. */
export function settingsFiles(
  place: Place,
  environment: Environment,
): { readonly local: string; readonly user: string } {
  const { home, projectRoot } = findPlace(placeOptions(place, environment));
  return { local: join(projectRoot, LOCAL_FILE), user: homeLayout(home).settingsFile };
}

export async function addRules(file: string, kind: RuleKind, rules: readonly string[]): Promise<void> {
  await edit(file, (text) => {
    const known = valueAt(text, ['permissions', kind]);
    const added = rules.filter((rule) => !(Array.isArray(known) && known.includes(rule)));
    return editJson(
      text,
      added.map((rule) => appendItem(['permissions', kind], rule)),
    );
  });
}

/** Whether the file held it. */
export async function removeRule(file: string, rule: string): Promise<boolean> {
  return edit(file, (text) => {
    const without = (kind: RuleKind) => removeChildren(['permissions', kind], (value) => value === rule);
    return editJson(text, [without('allow'), without('ask'), without('deny')]);
  });
}

/** Undefined takes the setting out. */
export async function setSetting(file: string, key: string, value: unknown): Promise<void> {
  await edit(file, (text) => {
    // A file may write `{ "limits": { "index": … } }` or the key in one piece; it stays as it was.
    const path = valueAt(text, [key]) === undefined ? key.split('.') : [key];
    if (value !== undefined) return editJson(text, [setValue(path, value)]);
    return editJson(text, [removeChildren(path.slice(0, -1), (_, name) => name === path.at(-1))]);
  });
}

async function edit(file: string, change: (text: string) => Edited): Promise<boolean> {
  const folder = createFolder(dirname(file));
  try {
    const before = folder.read(basename(file))?.toString('utf8') ?? '';
    const edited = change(before);
    if (edited.kind === 'refused') {
      throw new ReverieError({
        code: 'damaged',
        message: `${file} was not changed: ${edited.problem}`,
        fix: 'Fix the file first.',
      });
    }
    if (edited.text === before || (before === '' && edited.text.trim() === '{}')) return false;
    const name = await folder.stage(Buffer.from(edited.text));
    folder.moveIn({ from: folder, name }, basename(file), 'replace');
    await folder.sync();
    // It is nobody else's, and no work of the user's.
    if (before === '' && file.endsWith(`/${LOCAL_FILE}`)) {
      await excludeFromGit(dirname(dirname(file)), `/${LOCAL_FILE}`);
    }
    return true;
  } finally {
    folder.close();
  }
}
