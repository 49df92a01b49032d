/** What an edit changes of a memory, as a memory of its own: so that what a person wrote in it before is not judged again. */

import type { MemoryText } from './carried.ts';
import { markerOf } from './parts.ts';

export interface ChangedText {
  readonly text: MemoryText;
  /** The edited memory with the changed text as the gate gave it back; null when it cannot be put in its place. */
  restore(mended: MemoryText): MemoryText | null;
}

export function changedText(after: MemoryText, before: MemoryText): ChangedText {
  const known = new Set(before.body.split('\n').map((line) => line.trim()));
  const lines = after.body.split('\n');
  const places = lines.flatMap((line, at) => (line.trim() === '' || known.has(line.trim()) ? [] : [at]));
  const markers = places.map((at) => markerOf(lines[at]!));
  const isRetold = after.description !== before.description;
  const body = places.map((at, position) => lines[at]!.slice(markers[position]!.length)).join('\n');
  return {
    // A reason is judged like the rule itself where it is all there is to judge.
    text: { name: after.name, description: isRetold ? after.description : '', body },
    restore(mended) {
      const given = mended.body.split('\n');
      if (places.length > 0 && given.length !== places.length) return null;
      const whole = [...lines];
      for (const [position, at] of places.entries()) whole[at] = `${markers[position]}${given[position]}`;
      return {
        name: mended.name,
        description: isRetold ? mended.description : after.description,
        body: whole.join('\n'),
      };
    },
  };
}
