/** The output of a command as it arrives: its beginning and its end are kept, however much comes in between. */

import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';

export interface OutputBuffer {
  add(bytes: Buffer): void;
  /** What was kept, fit to be read. */
  text(): string;
  /** The same, and forgets it. */
  take(): string;
}

export function createOutputBuffer(characters: number): OutputBuffer {
  const decoder = new StringDecoder('utf8');
  const half = Math.ceil(characters / 2);
  let head = '';
  let tail: string[] = [];
  let tailCharacters = 0;
  let dropped = 0;

  function addText(text: string): void {
    const room = half - head.length;
    if (room > 0) head += text.slice(0, room);
    const rest = room > 0 ? text.slice(room) : text;
    if (rest === '') return;
    tail.push(rest);
    tailCharacters += rest.length;
    // Whole pieces go first; what is kept beyond the half is at most one piece.
    while (tail.length > 1 && tailCharacters - tail[0]!.length >= half) {
      const first = tail.shift()!;
      tailCharacters -= first.length;
      dropped += first.length;
    }
  }

  function text(): string {
    const whole = tail.join('');
    const end = whole.slice(-half);
    const left = dropped + whole.length - end.length;
    if (left === 0) return readable(head + end);
    return `${readable(cutAtLine(head, 'end'))}\n\n[… ${left.toLocaleString('en-US')} characters left out …]\n\n${readable(cutAtLine(end, 'start'))}`;
  }

  return {
    add: (bytes) => addText(decoder.write(bytes)),
    text,
    take() {
      const taken = text();
      head = '';
      tail = [];
      tailCharacters = 0;
      dropped = 0;
      return taken;
    },
  };
}

/** Head and tail of a text that is too long, cut at lines. */
export function headAndTail(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const half = Math.floor(characters / 2);
  const [head, tail] = [cutAtLine(text.slice(0, half), 'end'), cutAtLine(text.slice(-half), 'start')];
  const left = text.length - head.length - tail.length;
  return `${head}\n\n[… ${left.toLocaleString('en-US')} characters left out …]\n\n${tail}`;
}

function cutAtLine(text: string, side: 'start' | 'end'): string {
  const at = side === 'end' ? text.lastIndexOf('\n') : text.indexOf('\n');
  // One giant line has no better place to be cut at.
  if (at === -1) return text;
  return side === 'end' ? text.slice(0, at) : text.slice(at + 1);
}

/** Without colours and other control characters; of a line that was drawn over, what was drawn last. */
export function readable(text: string): string {
  return stripVTControlCharacters(text)
    .split('\n')
    .map(drawnLast)
    .join('\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}

function drawnLast(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}
