/** The question whether a tool may run: everything it would do, nothing hidden, and the answers. */

import type { ToolUseBlock } from '../../conversation/message.ts';
import { VIEW_LIMITS } from '../../limits.ts';
import type { Paint } from '../terminal/paint.ts';
import { counted } from './amounts.ts';
import type { Diff } from './diff-of.ts';
import { diffLater, diffSummary } from './diff-view.ts';
import { cellsOf, type Row, renderRows, type Span, span } from './spans.ts';
import { visibleSpans } from './visible-text.ts';
import { type LaterRows, wrapLater, wrapSpans } from './wrap-spans.ts';

export type PermissionOption =
  | { readonly kind: 'once' }
  /** Spelled out: these rules apply until the session ends. */
  | { readonly kind: 'always'; readonly rules: readonly string[] }
  /** The same, and kept in the project's local settings. */
  | { readonly kind: 'keep'; readonly rules: readonly string[] }
  | { readonly kind: 'no' };

export interface PermissionView {
  readonly call: ToolUseBlock;
  /** What an edit or a write would change. */
  readonly diff?: Diff | undefined;
  /** What a shell would run. */
  readonly command?: string | undefined;
  readonly reason: string;
  readonly options: readonly PermissionOption[];
  readonly selected: number;
  /** What the user writes to the model while `no` is selected. */
  readonly words?: string | undefined;
  /** Rows the dialog may take, and the first visible row of its body. */
  readonly rows?: number | undefined;
  readonly scroll?: number | undefined;
  readonly width: number | undefined;
  readonly paint: Paint;
}

/** `mostScroll`: the largest `scroll` that shows something new; 0 when everything is visible at once. */
export interface PermissionLines {
  readonly lines: string[];
  readonly mostScroll: number;
}

export function permissionOptions(rules: readonly string[], { canKeep = false } = {}): readonly PermissionOption[] {
  if (rules.length === 0) return [{ kind: 'once' }, { kind: 'no' }];
  return [
    { kind: 'once' },
    { kind: 'always', rules },
    ...(canKeep ? [{ kind: 'keep', rules } as const] : []),
    { kind: 'no' },
  ];
}

export function permissionLines(view: PermissionView): PermissionLines {
  const width = cellsOf(view.width);
  const { paint } = view;
  const visible = (text: string, plain?: Span['look']) =>
    visibleSpans(text, {
      ...(plain === undefined ? {} : { plain }),
      escape: (escaped) => paint.yellow(paint.inverse(escaped)),
    });
  const wrapped = (spans: readonly Span[]) => wrapSpans(spans, { width, at: 'words' });

  const head: Row[] = [
    [span('─'.repeat(width), paint.yellow)],
    ...wrapped([...titleOf(view, visible)]),
    ...(view.reason === '' ? [] : wrapped(visible(view.reason, paint.dim))),
  ];
  const answers = view.options.flatMap((option, at) =>
    optionRows(option, {
      number: at + 1,
      isSelected: at === view.selected,
      words: view.words ?? '',
      width,
      paint,
      visible,
    }),
  );
  const body = bodyLater(view, { width, visible });
  const height = body.reduce((sum, lines) => sum + lines.height, 0);
  // Two rows that say how much is above and below.
  const room = (view.rows ?? VIEW_LIMITS.dialogRows) - head.length - answers.length - 2;
  const shown = Math.max(VIEW_LIMITS.leastBodyRows, room);
  const mostScroll = height <= shown + 2 ? 0 : height - shown;
  const scroll = Math.min(mostScroll, Math.max(0, Math.floor(view.scroll ?? 0)));
  const below = mostScroll - scroll;
  const part: Row[] =
    mostScroll === 0
      ? drawPart(body, { start: 0, end: height })
      : [
          [span(scroll === 0 ? '' : `↑ ${counted(scroll, 'row')} above (page up)`, paint.yellow)],
          ...drawPart(body, { start: scroll, end: scroll + shown }),
          [span(below === 0 ? '' : `↓ ${counted(below, 'row')} below (page down)`, paint.yellow)],
        ];
  return { lines: renderRows([...head, ...part, ...answers], width), mostScroll };
}

type Visible = (text: string, plain?: Span['look']) => Span[];

function titleOf(view: PermissionView, visible: Visible): Span[] {
  const { call, paint } = view;
  if (view.command !== undefined) {
    const where = call.input.run_in_background === true ? ' in the background' : '';
    return [span(`Run this command${where}?`, paint.bold)];
  }
  if (view.diff !== undefined) {
    return [
      span(view.diff.isNew ? 'Create ' : 'Change ', paint.bold),
      ...visible(view.diff.file, paint.bold),
      span('?', paint.bold),
      span(`  ${diffSummary(view.diff)}`, paint.dim),
    ];
  }
  return [span('Use ', paint.bold), ...visible(call.name, paint.bold), span('?', paint.bold)];
}

/** A row that continues is marked, so that no line end can be faked with blanks. */
function bodyLater(view: PermissionView, facts: { width: number; visible: Visible }): LaterRows[] {
  const { paint } = view;
  if (view.diff !== undefined) return diffLater(view.diff, { width: facts.width, paint, showsHidden: true });
  const text = view.command ?? JSON.stringify(view.call.input, null, 2);
  const mark = view.command === undefined ? '  ' : '$ ';
  return text.split('\n').map((line, at) =>
    wrapLater(line, {
      spans: () => facts.visible(line, paint.cyan),
      layout: { width: facts.width, first: [span(at === 0 ? mark : '  ', paint.dim)], rest: [span('↪ ', paint.dim)] },
    }),
  );
}

function drawPart(body: readonly LaterRows[], part: { start: number; end: number }): Row[] {
  const rows: Row[] = [];
  let at = 0;
  for (const lines of body) {
    if (at >= part.end) break;
    const next = at + lines.height;
    if (next > part.start) rows.push(...lines.draw().slice(Math.max(0, part.start - at), part.end - at));
    at = next;
  }
  return rows;
}

function optionRows(
  option: PermissionOption,
  facts: { number: number; isSelected: boolean; words: string; width: number; paint: Paint; visible: Visible },
): Row[] {
  const { paint, isSelected } = facts;
  const look = isSelected ? paint.bold : undefined;
  const mark = span(isSelected ? '❯ ' : '  ', paint.cyan);
  return wrapSpans([span(`${facts.number}. `, paint.dim), ...labelOf(option, { ...facts, look })], {
    width: facts.width,
    first: [mark],
    rest: [span('     ')],
    at: 'words',
  });
}

/** `Edit(/**)`: anywhere else a slash in front is the whole disk, which rules write as two. */
function isFromProject(rule: string): boolean {
  return /^\w+\(\/(?!\/)/.test(rule);
}

function labelOf(
  option: PermissionOption,
  facts: { isSelected: boolean; words: string; look: Span['look']; paint: Paint; visible: Visible },
): Span[] {
  const { look, paint } = facts;
  switch (option.kind) {
    case 'once':
      return [span('Yes, this once', look)];
    case 'always':
      return [
        span('Yes, always in this session: ', look),
        ...option.rules.flatMap((rule, at) => [...(at === 0 ? [] : [span(', ')]), ...facts.visible(rule, paint.cyan)]),
        ...(option.rules.some(isFromProject) ? [span(' (/ is this project)', paint.dim)] : []),
      ];
    case 'keep':
      return [span('Yes, always in this project', look), span(' (/permissions)', paint.dim)];
    case 'no':
      if (facts.words !== '') return [span('No: ', look), ...facts.visible(facts.words)];
      return [
        span('No', look),
        span(facts.isSelected ? ', and say what to do instead: type it' : ', say what to do instead', paint.dim),
      ];
  }
}
