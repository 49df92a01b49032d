/** The fixed form of the notes: whatever a model did to the headings, they come back in order, and no text is lost. */

import { closesFence, headingAt, openingFence } from '../../base/markdown/marks.ts';

export interface NotesSection {
  readonly heading: string;
  /** The italic line that says what belongs here; empty if the template has none. */
  readonly hint: string;
  readonly body: string;
}

export type NotesTemplate = readonly NotesSection[];

/** A line indented further is code. */
const DEEPLY_INDENTED = /^(?: {4}| {0,3}\t)/;
const ITALIC = /^(?:_[^_].*_|\*[^*].*\*)$/;
/** Where text goes that belongs nowhere else. */
const LAST_RESORT = 'worklog';

/** Empty when the text has no heading of the first level. */
export function parseTemplate(text: string): NotesTemplate {
  const lines = linesOf(text);
  const { isFenced } = findFences(lines, () => false);
  const starts = lines.flatMap((line, at) => (!isFenced(at) && levelOf(line) === 1 ? [at] : []));
  const sections = starts.map((start, index) => {
    const below = lines.slice(start + 1, starts[index + 1]);
    const first = below.findIndex((line) => line.trim() !== '');
    const hint = ITALIC.test(below[first]?.trim() ?? '') ? below[first]!.trim() : '';
    const body = trimmed(hint === '' ? below : below.slice(first + 1));
    return { heading: titleOf(lines[start]!), hint, body };
  });
  const names = sections.map(({ heading }) => nameOf(heading));
  return sections.filter((_, at) => names.indexOf(names[at]!) === at);
}

/** Ten headings in, ten headings out: text below a known one stays below it, all other text goes under the last resort. */
export function restoreHeadings(text: string, template: NotesTemplate): string {
  return renderNotes(sectionsOf(text, template));
}

/** The text under each heading of the template, in its order. */
export function sectionsOf(text: string, template: NotesTemplate): readonly NotesSection[] {
  const lines = linesOf(text);
  const known = knownPlaces(template);
  const isBoundary = (at: number) => isCertain(lines, at, { template, known });
  const fences = findFences(lines, isBoundary);
  const own: string[][] = template.map(() => []);
  const stray: string[] = [];
  let into = stray;
  let from = 0;
  const close = (to: number) => {
    const marks = fences.openMarks(from, to);
    if (marks !== null) into.push(marks);
  };
  for (const [at, line] of lines.entries()) {
    const place = placeAt(lines, at, { template, known, fences, isBoundary });
    if (place === 'text') {
      const isHint = into.every((before) => before.trim() === '') && template.some(({ hint }) => isSame(hint, line));
      if (!isHint) into.push(line);
      continue;
    }
    close(at);
    from = at + 1;
    into = place === 'unknown' ? stray : own[place]!;
    if (place === 'unknown') into.push(`## ${titleOf(line)}`);
  }
  close(lines.length);
  const last = known.get(LAST_RESORT) ?? template.length - 1;
  return template.map(({ heading, hint }, at) => {
    const parts = [trimmed(own[at]!), at === last ? trimmed(stray) : ''];
    return { heading, hint, body: parts.filter((part) => part !== '').join('\n\n') };
  });
}

export function renderNotes(sections: readonly NotesSection[]): string {
  const parts = sections.map(({ heading, hint, body }) => {
    const head = hint === '' ? `# ${heading}` : `# ${heading}\n${hint}`;
    return body === '' ? head : `${head}\n\n${body}`;
  });
  return `${parts.join('\n\n')}\n`;
}

/** Whether anything was written into the form. */
export function holdsMore(text: string, template: NotesTemplate): boolean {
  return sectionsOf(text, template).some(({ body }, at) => body !== '' && body !== template[at]!.body);
}

interface Known {
  readonly template: NotesTemplate;
  /** By name. */
  readonly known: ReadonlyMap<string, number>;
}

/** A section of the template, an unknown heading, or plain text. */
function placeAt(
  lines: readonly string[],
  at: number,
  facts: Known & { readonly fences: Fences; readonly isBoundary: (at: number) => boolean },
): number | 'unknown' | 'text' {
  const line = lines[at]!;
  const level = levelOf(line);
  if (level === null || (facts.fences.isFenced(at) && !facts.isBoundary(at))) return 'text';
  const section = facts.known.get(nameOf(titleOf(line)));
  if (section !== undefined) return section;
  if (level > 1) return 'text';
  // A renamed heading still has its line below it.
  const below = textBelow(lines, at);
  const byHint = facts.template.findIndex(({ hint }) => isSame(hint, below));
  return byHint === -1 ? 'unknown' : byHint;
}

/** A heading as the template has it, with its line: even an unclosed fence ends there. */
function isCertain(lines: readonly string[], at: number, { template, known }: Known): boolean {
  const line = lines[at]!;
  if (levelOf(line) !== 1) return false;
  const section = template[known.get(nameOf(titleOf(line))) ?? -1];
  if (section === undefined) return false;
  return section.hint === '' ? line.trimEnd() === `# ${section.heading}` : isSame(section.hint, textBelow(lines, at));
}

function knownPlaces(template: NotesTemplate): ReadonlyMap<string, number> {
  return new Map(template.map(({ heading }, at) => [nameOf(heading), at]));
}

function textBelow(lines: readonly string[], at: number): string {
  for (let below = at + 1; below < lines.length; below++) if (lines[below]!.trim() !== '') return lines[below]!;
  return '';
}

function isSame(hint: string, line: string): boolean {
  return hint !== '' && line.trim() === hint;
}

function levelOf(line: string): number | null {
  const heading = DEEPLY_INDENTED.test(line) ? null : headingAt(line);
  return heading === null || heading.title === '' ? null : heading.level;
}

function titleOf(line: string): string {
  return headingAt(line)?.title ?? '';
}

/** As people tell headings apart: case and punctuation do not count. */
function nameOf(title: string): string {
  const plain = title.toLowerCase().replaceAll('&', ' and ');
  const name = plain.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  return name === '' ? plain : name;
}

function linesOf(text: string): readonly string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
}

/** Without the empty lines at both ends. */
function trimmed(lines: readonly string[]): string {
  const isText = (line: string) => line.trim() !== '';
  const first = lines.findIndex(isText);
  return first === -1 ? '' : lines.slice(first, lines.findLastIndex(isText) + 1).join('\n');
}

// Which lines of a markdown text are in code fences, so that a comment in a script is not taken for a heading.

interface Fences {
  isFenced(line: number): boolean;
  /** The marks that would close the first unclosed fence in these lines; null when there is none. */
  openMarks(from: number, to: number): string | null;
}

/** A fence not closed before the next boundary is not a fence: it must not swallow what comes after it. */
function findFences(lines: readonly string[], isBoundary: (line: number) => boolean): Fences {
  const fenced = new Set<number>();
  const open = new Map<number, string>();
  for (let at = 0; at < lines.length; at++) {
    const marks = marksOf(lines[at]!);
    if (marks === null) continue;
    const end = closingOf(lines, { marks, from: at + 1, isBoundary });
    if (end === null) {
      open.set(at, marks);
      continue;
    }
    for (let line = at; line <= end; line++) fenced.add(line);
    at = end;
  }
  return {
    isFenced: (line) => fenced.has(line),
    openMarks(from, to) {
      for (const [line, marks] of open) if (line >= from && line < to) return marks;
      return null;
    },
  };
}

function marksOf(line: string): string | null {
  return DEEPLY_INDENTED.test(line) ? null : (openingFence(line)?.marks ?? null);
}

function closingOf(
  lines: readonly string[],
  facts: { readonly marks: string; readonly from: number; readonly isBoundary: (line: number) => boolean },
): number | null {
  for (let at = facts.from; at < lines.length && !facts.isBoundary(at); at++) {
    if (!DEEPLY_INDENTED.test(lines[at]!) && closesFence(lines[at]!, facts.marks)) return at;
  }
  return null;
}
