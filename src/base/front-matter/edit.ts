/** Changes one field of a header and leaves every other character where it is. */

import type { Field, FieldPlace } from './field.ts';
import type { HeaderLayout } from './place.ts';
import type { ScalarContext } from './scalar.ts';

/** Formats the new value for its position. */
export type WriteValue = (context: ScalarContext) => string;

/** Null when the field cannot be changed in place. */
export function replaceValue(header: string, field: Field, write: WriteValue): string | null {
  const { place } = field;
  if (!place) return null;
  const value = write(place.context);
  if (place.rewriteKey) return splice(header, { ...place, text: `${writtenKey(header, field, place)}: ${value}` });
  const between = header.slice(place.colonEnd, place.valueStart);
  const isBlockCollection = field.value.kind !== 'text' && /[\r\n]/.test(between);
  if (isBlockCollection || place.valueStart === place.colonEnd) {
    const comment = isBlockCollection ? /^[ \t]*#[^\r\n]*/.exec(between)?.[0] : undefined;
    const text = ` ${value}${comment ?? ''}`;
    return splice(header, { keyStart: place.colonEnd, valueEnd: place.valueEnd, text });
  }
  // The comment of `key: | # comment` is inside the replaced part.
  const old = header.slice(place.valueStart, place.valueEnd);
  const comment = /^[|>][^\r\n#]*([ \t]#[^\r\n]*)/.exec(old)?.[1] ?? '';
  return splice(header, { keyStart: place.valueStart, valueEnd: place.valueEnd, text: value + comment });
}

/** Null when the field cannot be removed. */
export function removeField(header: string, field: Field): string | null {
  const { place } = field;
  if (!place) return null;
  if (place.context === 'block') {
    const start = lineStart(header, place.keyStart);
    return splice(header, { keyStart: start, valueEnd: lineEnd(header, place.valueEnd), text: '' });
  }
  const comma = /^\s*,[ \t]*/.exec(header.slice(place.valueEnd))?.[0];
  if (comma !== undefined) return splice(header, { ...place, valueEnd: place.valueEnd + comma.length, text: '' });
  const before = /,\s*$/.exec(header.slice(0, place.keyStart))?.[0] ?? '';
  return splice(header, { keyStart: place.keyStart - before.length, valueEnd: place.valueEnd, text: '' });
}

export interface NewField {
  readonly key: string;
  readonly write: WriteValue;
  readonly lineEnd: string;
  readonly where: 'first' | 'last';
}

export function insertField(header: string, layout: HeaderLayout, field: NewField): string {
  if (layout.flow) {
    const { closeAt, needsComma } = layout.flow;
    const text = `${needsComma ? ', ' : ''}${field.key}: ${field.write('flow')}`;
    return splice(header, { keyStart: closeAt, valueEnd: closeAt, text });
  }
  const line = `${layout.indent}${field.key}: ${field.write('block')}${field.lineEnd}`;
  return field.where === 'first' ? line + header : header + line;
}

/** The key as the user spelt it, as long as that is a plain key. */
function writtenKey(header: string, field: Field, place: FieldPlace): string {
  const written = header.slice(place.keyStart, place.colonEnd - 1).trim();
  return /^[A-Za-z_][\w-]*$/.test(written) ? written : field.key;
}

function splice(header: string, part: { keyStart: number; valueEnd: number; text: string }): string {
  return header.slice(0, part.keyStart) + part.text + header.slice(part.valueEnd);
}

function lineStart(text: string, offset: number): number {
  const before = text.slice(0, offset);
  return Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
}

/** After the line end. */
function lineEnd(text: string, offset: number): number {
  const rest = /\r\n|\n|\r/.exec(text.slice(offset));
  return rest ? offset + rest.index + rest[0].length : text.length;
}
