/** The lines of the index with what hides them: code fences and HTML comments, whose links are no entries. */

import { atOnce, type Steps } from '../../base/async/in-turns.ts';
import { linesOf } from '../../base/markdown/lines.ts';
import { fenceFollower } from '../../base/markdown/marks.ts';

export interface ScannedLine {
  /** Zero-based. */
  readonly at: number;
  readonly start: number;
  /** Without the line end. */
  readonly end: number;
  /** What is left of it without comments. */
  readonly visible: string;
  /** `code` stands in a code fence; `part-hidden` is touched by a comment that goes over several lines. */
  readonly state: 'plain' | 'code' | 'hidden' | 'part-hidden';
  /** A comment begins here. */
  readonly opensComment: boolean;
}

const LINES_PER_STEP = 500;
const LINE_ONLY_COMMENT_BEFORE = /^[ \t]*(?:[-*+][ \t]+)?$/;

/** Whether anything in the text can hide a line at all; for most indexes nothing does, and a search is enough. */
export function mayHideLines(text: string): boolean {
  return text.includes('<!--') || text.includes('```') || text.includes('~~~');
}

export function scanIndexLines(text: string): ScannedLine[] {
  return atOnce(scanningIndexLines(text));
}

/** The same in steps. */
export function* scanningIndexLines(text: string): Steps<ScannedLine[]> {
  const lines: ScannedLine[] = [];
  for (const { start, end } of linesOf(text)) {
    const at = lines.length;
    if (at % LINES_PER_STEP === 0) yield;
    lines.push({ at, start, end, visible: text.slice(start, end), state: 'plain', opensComment: false });
  }
  if (!mayHideLines(text)) return lines;
  const scanned: ScannedLine[] = [];
  const isClosedBelow = closedBelow(lines);
  const isCode = fenceFollower();
  let isInComment = false;
  for (const line of lines) {
    const { at, visible: text } = line;
    if (at % LINES_PER_STEP === 0) yield;
    if (!isInComment && isCode(text)) {
      scanned.push({ ...line, state: 'code' });
      continue;
    }
    const wasInComment = isInComment;
    const stripped = stripComments(text, { isInComment, isClosedLater: isClosedBelow[at + 1] ?? false });
    isInComment = stripped.isInComment;
    const isTouched = wasInComment || isInComment;
    const hasText = stripped.visible.trim() !== '';
    const lostAll = !hasText && (stripped.opensComment || wasInComment);
    const state = lostAll ? 'hidden' : isTouched ? 'part-hidden' : 'plain';
    scanned.push({ ...line, visible: stripped.visible, state, opensComment: stripped.opensComment });
  }
  return scanned;
}

function stripComments(line: string, facts: { isInComment: boolean; isClosedLater: boolean }) {
  let { isInComment } = facts;
  if (!isInComment && !line.includes('<!--')) return { visible: line, isInComment, opensComment: false };
  let visible = '';
  let opensComment = false;
  let at = 0;
  if (isInComment) {
    const close = line.indexOf('-->');
    if (close === -1) return { visible, isInComment, opensComment };
    at = close + 3;
    isInComment = false;
  }
  while (at < line.length) {
    const skipped = lengthOfLiteral(line, at);
    if (skipped > 0 || !line.startsWith('<!--', at)) {
      visible += line.slice(at, at + Math.max(1, skipped));
      at += Math.max(1, skipped);
      continue;
    }
    const close = line.indexOf('-->', at + 2);
    if (close >= 0) {
      opensComment = true;
      at = close + 3;
    } else if (LINE_ONLY_COMMENT_BEFORE.test(visible) || facts.isClosedLater) {
      return { visible, isInComment: true, opensComment: true };
    } else {
      return { visible: visible + line.slice(at), isInComment, opensComment };
    }
  }
  return { visible, isInComment, opensComment };
}

/** Length of an escaped character or a code span at `at`, in which nothing opens a comment. */
function lengthOfLiteral(line: string, at: number): number {
  if (line[at] === '\\') return 2;
  if (line[at] !== '`') return 0;
  const mark = /^`+/.exec(line.slice(at))![0];
  for (let close = at + mark.length; close < line.length; ) {
    const found = line.indexOf(mark, close);
    if (found === -1) break;
    const run = /^`+/.exec(line.slice(found))![0];
    if (run.length === mark.length) return found + run.length - at;
    close = found + run.length;
  }
  return mark.length;
}

/** For each line whether a comment that is open there closes before the next blank line. */
function closedBelow(lines: readonly ScannedLine[]): boolean[] {
  const closes: boolean[] = new Array(lines.length).fill(false);
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const { visible: text } = lines[at]!;
    closes[at] = text.includes('-->') || (text.trim() !== '' && (closes[at + 1] ?? false));
  }
  return closes;
}
