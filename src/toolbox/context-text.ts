/** How context is wrapped, so that nothing within it can pass for the end of its wrapper or for another file. */

import { stripInvisible } from '../base/text/visible-text.ts';
import type { InstructionFile, InstructionLevel } from '../memory/instructions/instruction.ts';

/** Only our own tags: HTML and the like is what people write about in these files. */
const OWN_TAG =
  /[<\uff1c\ufe64](?=[\s/\uff0f\\]*(?:system[\s_-]*reminder|instruction[\s_-]*file|memory[\s_-]*index)(?![a-z0-9]))/giu;

/** Invisible characters go first: one within a tag's name would hide it from the pattern, though not from a model. */
export function escapeOwnTags(text: string): string {
  return stripInvisible(text).text.replace(OWN_TAG, '&lt;');
}

export function wrapReminder(parts: readonly string[]): string {
  return ['<system-reminder>', parts.join('\n\n'), '</system-reminder>'].join('\n');
}

export function instructionTag(file: InstructionFile): string {
  const from = levelText(file.level);
  return `<instruction-file path="${attribute(file.path)}" from="${from}">\n${escapeOwnTags(file.text)}\n</instruction-file>`;
}

function levelText(level: InstructionLevel): string {
  switch (level) {
    case 'managed':
      return 'the administrator of this machine';
    case 'user':
      return 'the user, for all projects';
    case 'project':
      return 'the project';
    case 'local':
      return 'the local file of the project';
  }
}

/** A path within a tag, on one line. */
export function attribute(value: string): string {
  return escapeOwnTags(value.replace(/[\s\u0085]/g, ' ')).replaceAll('"', '&quot;');
}
