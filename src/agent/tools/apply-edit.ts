/** Replaces a text in a file's text exactly, whatever its line ends are; what is not touched stays byte for byte. */

import { usesCrlf, withCrlf } from './file-text.ts';

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

export type EditOutcome =
  | { readonly kind: 'edited'; readonly text: string; readonly count: number; readonly firstLine: number }
  | { readonly kind: 'no-match' }
  /** One-based numbers of the lines where they begin. */
  | { readonly kind: 'several'; readonly lines: readonly number[] };

/** Line ends of the old text match any; those of the new one become what the replaced place had, else what the file has. */
export function applyEdit(text: string, edit: TextEdit): EditOutcome {
  const plain = text.replaceAll('\r\n', '\n');
  const wanted = edit.oldText.replaceAll('\r\n', '\n');
  const found = placesOf(plain, wanted, edit.replaceAll ? wanted.length : 1);
  const [first] = found;
  if (first === undefined) return { kind: 'no-match' };
  if (found.length > 1 && !edit.replaceAll) return { kind: 'several', lines: lineNumbers(plain, found) };
  const originals = plain.length === text.length ? (at: number) => at : originalPlaces(text);
  const isCrlfFile = usesCrlf(text);
  let edited = '';
  let copied = 0;
  for (const at of found) {
    const [start, end] = [originals(at), originals(at + wanted.length)];
    const replaced = text.slice(start, end);
    const isCrlf = replaced.includes('\n') ? replaced.includes('\r\n') : isCrlfFile;
    edited += text.slice(copied, start) + (isCrlf ? withCrlf(edit.newText) : edit.newText);
    copied = end;
  }
  const [firstLine] = lineNumbers(plain, [first]);
  return { kind: 'edited', text: edited + text.slice(copied), count: found.length, firstLine: firstLine! };
}

function placesOf(text: string, wanted: string, step: number): number[] {
  const places: number[] = [];
  if (wanted === '') return places;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) places.push(at);
  return places;
}

/** Places in the text with plain line ends to places in the text as it is; asked in rising order. */
function originalPlaces(text: string): (place: number) => number {
  let at = 0;
  let removed = 0;
  return (place) => {
    for (;;) {
      const next = text.indexOf('\r\n', at);
      if (next === -1 || next - removed >= place) return place + removed;
      removed++;
      at = next + 2;
    }
  };
}

function lineNumbers(text: string, places: readonly number[]): number[] {
  let line = 1;
  let at = 0;
  return places.map((place) => {
    for (let end = text.indexOf('\n', at); end !== -1 && end < place; end = text.indexOf('\n', at)) {
      line++;
      at = end + 1;
    }
    return line;
  });
}
