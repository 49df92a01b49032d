/** A tool call on screen: a mark for its state, what it is about, and its output, folded until somebody wants more. */

import { isAbsolute, relative } from 'node:path';
import type { ToolResult } from '../../agent/tool.ts';
import type { ToolUseBlock } from '../../conversation/message.ts';
import { VIEW_LIMITS } from '../../limits.ts';
import type { Paint } from '../terminal/paint.ts';
import { counted } from './amounts.ts';
import { type Diff, diffOf } from './diff-of.ts';
import { diffRows, diffSummary } from './diff-view.ts';
import { cellsOf, cleanLine, cleanText, firstCells, type Look, type Row, renderRows, span } from './spans.ts';
import { wrapSpans } from './wrap-spans.ts';

export type ToolState = 'waiting' | 'running' | 'done' | 'failed' | 'denied';

export interface ToolCallView {
  readonly call: ToolUseBlock;
  readonly state: ToolState;
  readonly result?: ToolResult | undefined;
  /** What a running tool wrote last. */
  readonly progress?: string | undefined;
  /** Why it was denied. */
  readonly reason?: string | undefined;
  /** Paths are shown from here. */
  readonly cwd: string;
  readonly isExpanded: boolean;
  readonly width: number | undefined;
  readonly paint: Paint;
}

interface Layout {
  readonly width: number;
  readonly paint: Paint;
  readonly isExpanded: boolean;
}

const INDENT = span('  ');

export function toolCallLines(view: ToolCallView): string[] {
  const { call, result, paint, isExpanded } = view;
  const width = cellsOf(view.width);
  const state = result?.isError && view.state !== 'denied' ? 'failed' : view.state;
  const diff = result?.display?.kind === 'diff' ? diffOf(result.display) : null;
  const layout = { width: Math.max(1, width - INDENT.text.length), paint, isExpanded };
  const rows = bodyRows({ ...view, state, diff }, layout).map((row) => [INDENT, ...row]);
  return renderRows(
    [...headRows({ call, state, width, paint, isExpanded, cwd: view.cwd, note: noteOf(result, diff) }), ...rows],
    width,
  );
}

function headRows(head: {
  call: ToolUseBlock;
  state: ToolState;
  cwd: string;
  width: number;
  paint: Paint;
  isExpanded: boolean;
  note: string;
}): Row[] {
  const { call, paint, width } = head;
  const note = head.note === '' ? [] : [span(`  ${cleanLine(head.note)}`, paint.dim)];
  const title = [markOf(head.state, paint), span(cleanLine(call.name), paint.bold)];
  const isCommand = call.name === 'Bash' && typeof call.input.command === 'string';
  if (head.isExpanded && isCommand) {
    const command = cleanText(call.input.command as string).trim();
    return [
      [...title, ...note],
      ...wrapSpans([span(command, paint.cyan)], { width, first: [span('  ')], at: 'anywhere' }),
    ];
  }
  const subject = firstCells(toolSubject(call, head.cwd), width);
  return [[...title, span(subject === '' ? '' : ` ${subject}`), ...note]];
}

function noteOf(result: ToolResult | undefined, diff: Diff | null): string {
  if (diff !== null) return diffSummary(diff);
  return result?.display?.kind === 'summary' ? result.display.text : '';
}

/** A sign for each, since not every terminal has colours. */
function markOf(state: ToolState, paint: Paint) {
  switch (state) {
    case 'waiting':
      return span('○ ', paint.dim);
    case 'running':
      return span('◌ ', paint.cyan);
    case 'done':
      return span('● ', paint.green);
    case 'failed':
      return span('✗ ', paint.red);
    case 'denied':
      return span('⊘ ', paint.yellow);
  }
}

function bodyRows(view: ToolCallView & { diff: Diff | null }, layout: Layout): Row[] {
  const { call, result, state, diff } = view;
  const { paint, isExpanded } = layout;
  if (state === 'denied')
    return view.reason ? foldedRows(view.reason, { ...layout, keep: 'head', look: paint.yellow }) : [];
  if (result === undefined)
    return view.progress ? foldedRows(view.progress, { ...layout, keep: 'tail', look: paint.dim }) : [];
  const content = textOf(result);
  if (state === 'failed') {
    return foldedRows(content, { ...layout, keep: call.name === 'Bash' ? 'tail' : 'head', look: paint.red });
  }
  if (diff !== null) {
    const { rows, left } = diffRows(diff, {
      ...{ width: layout.width, paint, showsHidden: false },
      most: isExpanded ? VIEW_LIMITS.expandedLines : VIEW_LIMITS.diffLines,
    });
    return left === 0 ? rows : [...rows, moreRow(left, layout)];
  }
  if (call.name === 'TodoWrite') return todoRows(todosIn(call.input.todos), layout);
  // Its title says how much was read; the text itself is noise until requested.
  if (!isExpanded && SILENT.has(call.name) && result.display !== undefined) return [];
  return foldedRows(content, { ...layout, keep: call.name === 'Bash' ? 'tail' : 'head', look: paint.dim });
}

const SILENT = new Set(['Read', 'WebFetch']);

/** The first or the last lines, and how many others there are. */
function foldedRows(content: string, layout: Layout & { keep: 'head' | 'tail'; look: Look }): Row[] {
  const text = cleanText(content).replace(/^\n+|\s+$/g, '');
  if (text === '') return [];
  const lines = text.split('\n');
  const most = layout.isExpanded ? VIEW_LIMITS.expandedLines : VIEW_LIMITS.foldedLines;
  const shown = layout.keep === 'head' ? lines.slice(0, most) : lines.slice(-most);
  const rows = shown.flatMap((line): Row[] => {
    if (!layout.isExpanded) return [[span(firstCells(line, layout.width), layout.look)]];
    return wrapSpans([span(line, layout.look)], { width: layout.width, at: 'anywhere' });
  });
  const left = lines.length - shown.length;
  if (left === 0) return rows;
  return layout.keep === 'head' ? [...rows, moreRow(left, layout)] : [moreRow(left, layout), ...rows];
}

function moreRow(left: number, { paint, isExpanded }: Layout): Row {
  return [span(`… +${counted(left, 'line')}${isExpanded ? '' : ' (ctrl+o expands)'}`, paint.dim)];
}

function textOf({ content }: ToolResult): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => {
      if (block.type === 'text') return block.text;
      return block.type === 'image' ? '[image]' : `[document${block.title === undefined ? '' : ` ${block.title}`}]`;
    })
    .join('\n');
}

// The agent's list of steps, with a checkbox for each.

interface ShownTodo {
  readonly content: string;
  readonly status: string;
  readonly activeForm?: string;
}

export function todoLines(facts: {
  readonly todos: readonly ShownTodo[];
  readonly width: number | undefined;
  readonly paint: Paint;
}): string[] {
  return renderRows(todoRows(facts.todos, { width: cellsOf(facts.width), paint: facts.paint }), facts.width);
}

function todoRows(todos: readonly ShownTodo[], layout: { width: number; paint: Paint }): Row[] {
  return todos.flatMap((todo) => todoRow(todo, layout));
}

/** A model wrote them: anything that does not look like a list of steps is left out. */
function todosIn(value: unknown): ShownTodo[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each) => {
    if (typeof each !== 'object' || each === null) return [];
    const { content, status, activeForm } = each as Record<string, unknown>;
    if (typeof content !== 'string') return [];
    return [{ content, status: String(status), ...(typeof activeForm === 'string' ? { activeForm } : {}) }];
  });
}

function todoRow(todo: ShownTodo, { width, paint }: { width: number; paint: Paint }): Row[] {
  const isDone = todo.status === 'completed';
  const isRunning = todo.status === 'in_progress';
  const text = cleanLine(isRunning ? (todo.activeForm ?? todo.content) : todo.content);
  const box = isDone ? span('☑ ', paint.green) : isRunning ? span('▶ ', paint.cyan) : span('☐ ', paint.dim);
  const look = isDone ? (done: string) => paint.dim(paint.strikethrough(done)) : isRunning ? paint.bold : undefined;
  return wrapSpans([span(text, look)], { width, first: [box], rest: [span('  ')], at: 'words' });
}

// What a tool call is about, in one line: the file, the command, the pattern.

type Input = ToolUseBlock['input'];

/** Clean, on one line; cut when drawn. */
function toolSubject(call: ToolUseBlock, cwd: string): string {
  const { input } = call;
  switch (call.name) {
    case 'Read':
      return shownPath(input.file_path, cwd) + lineRange(input);
    case 'Edit':
    case 'Write':
      return shownPath(input.file_path, cwd);
    case 'Bash':
      return firstLine(text(input.command));
    case 'Grep':
      return [cleanLine(text(input.pattern)), ...inPlace(input, cwd)].join(' ');
    case 'Glob':
      return [cleanLine(text(input.pattern)), ...inPlace(input, cwd)].join(' ');
    case 'WebFetch':
      return cleanLine(text(input.url));
    case 'BashOutput':
    case 'KillShell':
      return cleanLine(text(input.bash_id ?? input.shell_id));
    case 'Agent':
      return cleanLine(text(input.description));
    case 'ExitPlanMode':
      return '';
    case 'TodoWrite':
      return Array.isArray(input.todos) ? counted(input.todos.length, 'step') : '';
    default:
      return anyInput(input);
  }
}

/** Relative if that is shorter to read: inside the working directory. */
function shownPath(path: unknown, cwd: string): string {
  const whole = text(path);
  if (!isAbsolute(whole)) return cleanLine(whole);
  const below = relative(cwd, whole);
  return cleanLine(below === '' ? '.' : below.startsWith('..') || isAbsolute(below) ? whole : below);
}

function lineRange({ offset, limit }: Input): string {
  if (typeof offset !== 'number' && typeof limit !== 'number') return '';
  const first = typeof offset === 'number' ? Math.max(1, offset) : 1;
  return typeof limit === 'number' ? `:${first}-${first + limit - 1}` : `:${first}-`;
}

function inPlace(input: Input, cwd: string): string[] {
  const place = input.path === undefined ? [] : [`in ${shownPath(input.path, cwd)}`];
  return input.glob === undefined ? place : [...place, `(${cleanLine(text(input.glob))})`];
}

function firstLine(command: string): string {
  const [first = '', ...others] = cleanText(command).trim().split('\n');
  return others.length === 0 ? first : `${first} …`;
}

/** A foreign tool: its input as `name: value`, the short ones. */
function anyInput(input: Input): string {
  const parts = Object.entries(input).flatMap(([name, value]) => {
    if (value === null || typeof value === 'object') return [];
    return [`${cleanLine(name)}: ${cleanLine(String(value).slice(0, VIEW_LIMITS.inputCharacters))}`];
  });
  return parts.join(', ');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
