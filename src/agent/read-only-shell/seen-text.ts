/** Refuses a line that is not what it looks like: too long, or with characters that people do not see and programs read differently. */

import { refuse } from './refuse.ts';

/** Control and format characters, blanks, what is drawn as nothing, halves of a character; space and tab are let through below. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export function requireSeenText(command: string, limits: { readonly commandCharacters: number }): void {
  if (command.length > limits.commandCharacters) {
    refuse(`the command is longer than ${limits.commandCharacters} characters; make it shorter`);
  }
  for (const [character] of command.matchAll(UNSEEN)) {
    if (character === ' ' || character === '\t') continue;
    if (character === '\n' || character === '\r') refuse('a line break is not allowed; join commands with ; or &&');
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    refuse(`the character U+${code} cannot be seen or is a blank of another kind; leave it out`);
  }
}
