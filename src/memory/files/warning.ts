/** What can be odd about a memory file or the index, in words for the person who will fix it. */

import { MEMORY_TYPES } from '../../base/taxonomy.ts';

export type WarningCode = keyof typeof MESSAGES;

export interface FileWarning {
  readonly code: WarningCode;
  /** One-based. */
  readonly line: number;
  readonly message: string;
}

const TYPES = MEMORY_TYPES.join(', ');

/** `subject` is the key, the target or the text that the warning is about. */
const MESSAGES = {
  'empty-file': () => 'The file is empty. Write a memory into it or delete it.',
  'nul-bytes': () =>
    'The file holds NUL bytes, as after a power cut. They are left out here; restore the text, or undo the last change.',
  'invalid-utf8': () => 'The file is not UTF-8. It is read as well as it can be; save it as UTF-8.',
  'no-frontmatter': () =>
    'There is no front matter. Begin the file with a line `---`, then `name:`, `description:` and `type:`, then `---`.',
  unterminated: () => 'The front matter never ends, so all of it counts as text. Add a line `---` behind its last key.',
  'not-a-mapping': () =>
    'What stands between the `---` lines is not `key: value`, so all of it counts as text. Write one key per line.',
  'late-frontmatter': () => 'Blank lines come before the front matter. Move the first `---` to the top of the file.',
  'wrapped-in-code-fence': () => 'The whole file stands in a code fence. Take out its first and last line.',
  'header-too-large': () => 'The front matter is too long; only its beginning was read. Move the rest into the text.',
  'invalid-yaml-recovered': (subject: string) =>
    `${subject === '' ? 'The front matter' : `\`${subject}\``} is not valid YAML; it was read as it is written. Put its value in quotes.`,
  'comment-in-value': (subject: string) =>
    `In \`${subject}\`, everything from \` #\` on is a comment. Put the value in quotes if the # belongs to it.`,
  'duplicate-key': (subject: string) =>
    `\`${subject}\` is there more than once; the last one counts. Keep one of them.`,
  'prototype-key': (subject: string) => `\`${subject}\` is not a name for a key and is ignored. Rename or remove it.`,
  'alias-refused': () => 'YAML aliases (`*name`) are not followed. Write the value itself.',
  'conflict-markers': () =>
    'A merge was left unsettled here. Keep one side and delete the `<<<<<<<` to `>>>>>>>` lines.',
  'invisible-characters': (subject: string) =>
    `There are invisible characters in ${subject}; agents do not get to see them. Delete them, or retype the text.`,
  'markup-in-metadata': (subject: string) =>
    `${subject} holds markup that agents could take for instructions; it is escaped for them. Remove it if you did not write it.`,
  'missing-name': () => 'There is no `name`; the file name stands in. Add `name: …`.',
  'missing-description': () => 'There is no `description`, which is what recall looks at. Add `description: …`.',
  'missing-type': () => `There is no \`type\`. Add one of ${TYPES}.`,
  'unknown-type': (subject: string) =>
    `The type "${subject}" is not known; the memory counts as untyped. Use one of ${TYPES}.`,
  'duplicate-entry': (subject: string) => `${subject} has a line already; this one is ignored. Delete one of them.`,
  'bad-target': (subject: string) => `"${subject}" is not a memory file of this folder. Link to a \`.md\` file in it.`,
  'dangling-pointer': (subject: string) => `${subject} does not exist. Delete this line, or restore the file.`,
  'invisible-comment': () => 'An HTML comment is invisible in most viewers; agents do not get to see it either.',
  'frontmatter-in-index': () => 'The index needs no front matter; it is ignored. Delete it.',
} as const satisfies Record<string, (subject: string) => string>;

export function warning(code: WarningCode, at: { line: number; subject?: string }): FileWarning {
  const subject = at.subject ?? '';
  const short = subject.length > 80 ? `${subject.slice(0, 79)}…` : subject;
  return { code, line: at.line, message: MESSAGES[code](short) };
}

/** One warning of each code, the first of its kind, in the order of lines. */
export function firstOfEach(warnings: readonly FileWarning[]): FileWarning[] {
  const first = new Map<WarningCode, FileWarning>();
  const inOrder = warnings.toSorted((left, right) => left.line - right.line);
  for (const one of inOrder) if (!first.has(one.code)) first.set(one.code, one);
  return [...first.values()];
}
