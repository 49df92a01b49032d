/** The state of a layer as a transcript has it last, for tests that ask again and again while a session goes on. */

import { existsSync, readFileSync, statSync } from 'node:fs';

/** Of the transcript that was asked for last: it is read again only when it grew. */
let lastRead: { readonly file: string; readonly bytes: number; readonly lines: readonly string[] } | null = null;

export function layerStateIn(file: string, layer: string): unknown {
  if (!existsSync(file)) return undefined;
  const bytes = statSync(file).size;
  if (lastRead?.file !== file || lastRead.bytes !== bytes) {
    lastRead = { file, bytes, lines: readFileSync(file, 'utf8').split('\n') };
  }
  const isOfLayer = (line: string) => line.includes(`"layer":"${layer}"`) && JSON.parse(line).layer === layer;
  const last = lastRead.lines.findLast(isOfLayer);
  return last === undefined ? undefined : JSON.parse(last).state;
}
