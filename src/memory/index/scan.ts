/** The lines of the index with what hides them: code fences and HTML comments, whose links are no entries. */

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

const LINE_ONLY_COMMENT_BEFORE = /^[ \t]*(?:[-*+][ \t]+)?$/;

/** Whether anything in the text can hide a line at all; for most indexes nothing does, and a search is enough. */
export function mayHideLines(text: string): boolean {
  return text.includes('<!--') || text.includes('```') || text.includes('~~~');
}

export function scanIndexLines(text: string): ScannedLine[] {
  const lines = [...linesOf(text)].map((line) => ({ ...line, text: text.slice(line.start, line.end) }));
  if (!mayHideLines(text)) {
    return lines.map(({ start, end, text: visible }, at) => {
      return { at, start, end, visible, state: 'plain', opensComment: false };
    });
  }
  const scanned: ScannedLine[] = [];
  const isClosedBelow = closedBelow(lines);
  const isCode = fenceFollower();
  let isInComment = false;
  for (const [at, line] of lines.entries()) {
    const { start, end } = line;
    if (!isInComment && isCode(line.text)) {
      scanned.push({ at, start, end, visible: line.text, state: 'code', opensComment: false });
      continue;
    }
    const wasInComment = isInComment;
    const stripped = stripComments(line.text, { isInComment, isClosedLater: isClosedBelow[at + 1] ?? false });
    isInComment = stripped.isInComment;
    const isTouched = wasInComment || isInComment;
    const hasText = stripped.visible.trim() !== '';
    const lostAll = !hasText && (stripped.opensComment || wasInComment);
    const state = lostAll ? 'hidden' : isTouched ? 'part-hidden' : 'plain';
    scanned.push({ at, start, end, visible: stripped.visible, state, opensComment: stripped.opensComment });
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
function closedBelow(lines: readonly { text: string }[]): boolean[] {
  const closes: boolean[] = new Array(lines.length).fill(false);
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const { text } = lines[at]!;
    closes[at] = text.includes('-->') || (text.trim() !== '' && (closes[at + 1] ?? false));
  }
  return closes;
}
