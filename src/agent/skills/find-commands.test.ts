/** The user's own slash commands: where they are found, whose count, and how arguments reach them. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { commandText, findCommands } from './find-commands.ts';

function setUp(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder('commands');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const facts = { projectRoot: join(root, 'project'), home: join(root, 'home/.reverie'), userHome: join(root, 'home') };
  const names = (trusted: boolean) => findCommands({ ...facts, trusted }).map(({ name }) => name);
  return { root, facts, names };
}

it('are found in both folders of both places, the project’s only with trust', () => {
  const { root, names, facts } = setUp({
    'project/.reverie/commands/build.md': 'project build',
    'project/.claude/commands/front/ship.md': '---\ndescription: Ships\nargument-hint: PLACE\n---\nShip it',
    'home/.reverie/commands/build.md': 'own build',
    'home/.claude/commands/notes.md': '# Notes\n\nWrite them',
    'home/.claude/commands/not-text.txt': 'no',
  });
  symlinkSync(join(root, 'home/.claude/commands/notes.md'), join(root, 'project/.claude/commands/linked.md'));
  expect(names(true)).toEqual(['build', 'front:ship', 'notes']);
  expect(names(false)).toEqual(['build', 'notes']);
  const [build, ship] = findCommands({ ...facts, trusted: true });
  expect(build!.body).toBe('project build');
  expect(ship).toMatchObject({ description: 'Ships', argument: 'PLACE', body: 'Ship it' });
});

it.each([
  ['Ship $1 to $2: $ARGUMENTS', 'a b', 'Ship a to b: a b'],
  ['Ship $1.', '', 'Ship .'],
  ['Ship it', 'now', 'Ship it\n\nArguments: now'],
  ['Ship $ARGUMENTS', '$1 $&', 'Ship $1 $&'],
])('%s with %s', (body, given, expected) => {
  expect(commandText({ body }, given)).toBe(expected);
});
