/** One line of the index: `- [Title](file.md) — hook`, read as people and models write it, written so that it is safe. */

import { escapeMarkup, stripInvisible } from '../../base/text/visible-text.ts';
import { INDEX_LIMITS } from '../../limits.ts';

export interface ReadIndexLine {
  readonly title: string;
  readonly hook: string;
  /** The memory file it points to; null when the target is none. */
  readonly file: string | null;
  readonly target: string;
  /** Without a bullet, a line that starts with a link to something else is just text. */
  readonly isListItem: boolean;
}

const BULLET = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?/;
const EMPHASIS = /^(?:\*{1,3}|_{1,3}|~~)/;
const SEPARATOR = /^\s*(?:[—–―‒−→|:：]|-{1,3})?\s*/;
/** Characters; no path is longer. */
const LONGEST_DESTINATION = 8192;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

export function readIndexLine(line: string): ReadIndexLine | null {
  const bullet = BULLET.exec(line)![0];
  const emphasis = EMPHASIS.exec(line.slice(bullet.length))?.[0] ?? '';
  const open = bullet.length + emphasis.length;
  if (line[open] !== '[') return null;
  const titleEnd = closingOf(line, { open, pair: '[]' });
  if (titleEnd === -1 || line[titleEnd + 1] !== '(') return null;
  const destination = readDestination(line, titleEnd + 1);
  if (!destination) return null;

  const behind = line.slice(destination.end);
  const rest = emphasis !== '' && behind.startsWith(emphasis) ? behind.slice(emphasis.length) : behind;
  const title = visible(line.slice(open + 1, titleEnd));
  const hook = visible(rest.replace(SEPARATOR, ''));
  const { target } = destination;
  return { title, hook, target, file: fileOfTarget(target), isListItem: bullet.trim() !== '' };
}

/** Offset of the bracket that closes the one at `open`; -1 when none does. */
function closingOf(line: string, facts: { open: number; pair: string }): number {
  let depth = 0;
  for (let at = facts.open; at < line.length; at += 1) {
    const character = line[at];
    if (character === '\\') at += 1;
    else if (character === facts.pair[0]) depth += 1;
    else if (character === facts.pair[1]) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function readDestination(line: string, open: number): { target: string; end: number } | null {
  const inAngles = /^\([ \t]*<((?:[^<>\\]|\\.)*)>[^)]*\)/.exec(line.slice(open));
  if (inAngles) return { target: inAngles[1]!, end: open + inAngles[0].length };
  const close = closingOf(line, { open, pair: '()' });
  if (close === -1) return null;
  const inside = line.slice(open + 1, close).trim();
  const title = inside.length > LONGEST_DESTINATION ? null : /\s(?:"[^"]*"|'[^']*'|\([^)]*\))$/.exec(inside);
  return { target: title ? inside.slice(0, title.index).trim() : inside, end: close + 1 };
}

/** The file below the memory folder that a link target names; null when it leads elsewhere. */
function fileOfTarget(target: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return null;
  const path = target.replace(/(\.md)#[^/]*$/i, '$1').replace(ESCAPED, '$1');
  const file = decodePercent(path).replace(/^(?:\.\/)+/, '');
  const segments = file.split('/');
  const isOutside = segments.some((segment) => segment === '' || segment === '.' || segment === '..');
  const isOdd = /[\\\0-\x1f\x7f]/.test(file) || !/\.md$/i.test(file);
  return isOutside || isOdd || segments.at(-1)!.toLowerCase() === 'memory.md' ? null : file;
}

function decodePercent(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function visible(text: string): string {
  return stripInvisible(text.replace(ESCAPED, '$1')).text.trim();
}

/** A title takes at most this share of the line; the rest is for the target and the hook. */
const TITLE_SHARE = 0.5;

/** The target is always the memory's own file, whatever the title and the hook hold; the hook is cut to keep it short. */
export function renderIndexLine(entry: IndexLineWords): string {
  const most = INDEX_LIMITS.entryCharacters;
  const title = shortened(oneLine(entry.title), Math.floor(most * TITLE_SHARE)) || entry.file.replace(/\.md$/i, '');
  const link = `- [${escapeText(title)}](${writeTarget(entry.file)})`;
  const { mark = '' } = entry;
  const room = most - link.length - ' — '.length - (mark === '' ? 0 : mark.length + 1);
  const hook = [escapeText(shortened(oneLine(entry.hook), room)), mark].filter((part) => part !== '').join(' ');
  return hook === '' ? link : `${link} — ${hook}`;
}

export interface IndexLineWords {
  readonly title: string;
  readonly file: string;
  readonly hook: string;
  /** Stays whatever else has to be cut. */
  readonly mark?: string | undefined;
}

function oneLine(text: string): string {
  return stripInvisible(text.replace(/[\s\u0085]+/g, ' ')).text.trim();
}

/** Cut at a word where there is one to cut at, and never inside a character. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  if (most < 2) return '';
  const cut = text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '');
  const lastBlank = cut.lastIndexOf(' ');
  const atWord = lastBlank > cut.length / 2 ? cut.slice(0, lastBlank) : cut;
  return `${atWord.replace(/[\s,;:.–—-]+$/, '')}…`;
}

/** Markup of wrappers, since other tools read the file as it is; brackets, what could open a comment or a tag, backslashes that would escape, and code spans that do not close. */
function escapeText(text: string): string {
  const codeMarks = text.match(/`+/g) ?? [];
  const isCodeClosed = codeMarks.length % 2 === 0 && codeMarks.every((mark) => mark.length === 1);
  const escaped = escapeMarkup(text).replace(/\\(?=[!-/:-@[-`{-~]|$)|[[\]]|<(?=[!/?a-z|])/gi, '\\$&');
  return isCodeClosed ? escaped : escaped.replace(/`/g, '\\`');
}

function writeTarget(file: string): string {
  const safe = file.replace(/[%#:\0-\x1f\x7f]/g, (character) => encodeURIComponent(character));
  if (/\s/.test(safe)) return `<${safe.replace(/[<>\\]/g, '\\$&')}>`;
  return safe.replace(/[()<>\\]/g, '\\$&');
}
