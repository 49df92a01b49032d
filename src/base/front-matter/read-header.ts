/** Reads the header of a markdown file: exactly if it is plain, as YAML if not, key by key if that fails. */

import { type Field, isPrototypeKey } from './field.ts';
import type { HeaderLayout } from './place.ts';
import { readPlainHeader } from './plain.ts';
import { recoverHeader } from './recovery.ts';
import { readYamlHeader } from './yaml.ts';

export type HeaderProblemCode =
  | 'invalid-yaml-recovered'
  | 'conflict-markers'
  | 'alias-refused'
  | 'prototype-key'
  | 'duplicate-key';

export interface HeaderProblem {
  readonly code: HeaderProblemCode;
  /** Zero-based line within the header. */
  readonly line: number;
}

export interface HeaderMapping {
  readonly kind: 'mapping';
  readonly fields: readonly Field[];
  readonly problems: readonly HeaderProblem[];
  readonly layout: HeaderLayout;
}

export type HeaderReading =
  | HeaderMapping
  | { readonly kind: 'not-a-mapping'; readonly line: number }
  /** Running text follows the keys: the line that closed the header belongs to the text. */
  | { readonly kind: 'runs-into-text'; readonly line: number };

export interface ReadOptions {
  /** Keys whose values must not be lost, whatever their shape. */
  readonly known: ReadonlySet<string>;
  /** An edit needs the position of each field, which the exact reader does not know. */
  readonly withPlaces?: boolean;
}

export function readHeader(written: string, options: ReadOptions): HeaderReading {
  const { header, conflictLine } = maskConflicts(written);
  const conflicts: HeaderProblem[] = conflictLine === null ? [] : [{ code: 'conflict-markers', line: conflictLine }];
  const plain = options.withPlaces || conflictLine !== null ? null : readPlainHeader(header);
  if (plain) {
    const layout = { indent: '', flow: null };
    return { kind: 'mapping', fields: plain, problems: problemsOf(plain, options.known), layout };
  }

  const reading = readYamlHeader(header);
  if (reading.kind === 'mapping') {
    const { fields, layout, aliasLine } = reading;
    const aliases: HeaderProblem[] = aliasLine === null ? [] : [{ code: 'alias-refused', line: aliasLine }];
    return {
      kind: 'mapping',
      fields,
      layout,
      problems: [...conflicts, ...aliases, ...problemsOf(fields, options.known)],
    };
  }

  const recovery = recoverHeader(header, options.known);
  if (recovery.kind === 'text') {
    return { kind: recovery.isBehindKnownKey ? 'runs-into-text' : 'not-a-mapping', line: recovery.line };
  }
  const { fields, indent } = recovery;
  const isWorthIt =
    reading.kind === 'invalid' ? fields.length > 0 : fields.some((field) => options.known.has(field.key));
  if (!isWorthIt) return { kind: 'not-a-mapping', line: 0 };
  const firstRaw = fields.find((field) => field.recovered)?.line;
  const invalid: HeaderProblem = {
    code: 'invalid-yaml-recovered',
    line: firstRaw ?? (reading.kind === 'invalid' ? reading.line : 0),
  };
  const others = problemsOf(fields, options.known).filter((problem) => problem.code !== invalid.code);
  return { kind: 'mapping', fields, layout: { indent, flow: null }, problems: [...conflicts, invalid, ...others] };
}

function problemsOf(fields: readonly Field[], known: ReadonlySet<string>): HeaderProblem[] {
  const problems: HeaderProblem[] = [];
  const seen = { top: new Set<string>(), nested: new Set<string>() };
  for (const { key, within, line, recovered } of fields) {
    if (isPrototypeKey(key)) problems.push({ code: 'prototype-key', line });
    if (!known.has(key)) continue;
    const siblings = within === null ? seen.top : seen.nested;
    if (recovered) problems.push({ code: 'invalid-yaml-recovered', line });
    if (siblings.has(key)) problems.push({ code: 'duplicate-key', line });
    siblings.add(key);
  }
  return problems;
}

const MARKER = /^(?:<{7}|>{7})(?: |$)/;

/**
 * Both sides of an unresolved merge are blanked out, since neither is known to be right; what is outside of
 * them still counts. Blanks of the same length keep every offset.
 */
function maskConflicts(written: string): { header: string; conflictLine: number | null } {
  if (!written.includes('<<<<<<<') && !written.includes('>>>>>>>')) return { header: written, conflictLine: null };
  let conflictLine: number | null = null;
  let isInside = false;
  const parts = written.split(/(\r\n|\n|\r)/);
  const masked = parts.map((part, position) => {
    if (position % 2 === 1) return part;
    const isMarker = MARKER.test(part);
    if (isMarker) {
      conflictLine ??= position / 2;
      isInside = part.startsWith('<');
    }
    return isMarker || isInside ? ' '.repeat(part.length) : part;
  });
  return { header: masked.join(''), conflictLine };
}
