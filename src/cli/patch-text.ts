/** Two texts of one file as a patch, for people. */

import type { Paint } from './terminal/paint.ts';
import { plainLine, plainText } from './terminal/plain-text.ts';

/** Null when there was, or will be, no file. */
export async function patchText(
  texts: { readonly file: string; readonly before: string | null; readonly after: string | null },
  paint: Paint,
): Promise<string> {
  const file = plainLine(texts.file);
  const { createTwoFilesPatch } = await import('diff');
  const patch = createTwoFilesPatch(
    texts.before === null ? '/dev/null' : `a/${file}`,
    texts.after === null ? '/dev/null' : `b/${file}`,
    plainText(texts.before ?? ''),
    plainText(texts.after ?? ''),
  );
  return patch
    .split('\n')
    .filter((line, at) => !(at === 0 && /^=+$/.test(line)))
    .map((line) => paintLine(line, paint))
    .join('\n')
    .trimEnd();
}

function paintLine(line: string, paint: Paint): string {
  if (line.startsWith('---') || line.startsWith('+++')) return paint.bold(line);
  if (line.startsWith('@@')) return paint.cyan(line);
  if (line.startsWith('+')) return paint.green(line);
  if (line.startsWith('-')) return paint.red(line);
  return line;
}
