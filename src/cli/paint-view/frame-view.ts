/** The parts around a conversation: the footer, the activity line, notices, your own words, the welcome. */

import type { PermissionMode } from '../../agent/permission.ts';
import { VIEW_LIMITS } from '../../limits.ts';
import type { Paint } from '../terminal/paint.ts';
import { counted, duration, money, percent, shortNumber } from './amounts.ts';
import { type DreamFooter, dreamWords } from './dream-view.ts';
import {
  cellsOf,
  cleanLine,
  cleanText,
  type Look,
  type Row,
  renderRow,
  renderRows,
  rowWidth,
  type Span,
  span,
} from './spans.ts';
import { wrapSpans } from './wrap-spans.ts';

interface Drawn {
  readonly width: number | undefined;
  readonly paint: Paint;
}

/** How much of the context window is left before something happens. */
export type WindowRoom = 'enough' | 'little' | 'none';

const DOT = ' · ';

/** Null while unknown. */
export function footerLine(
  facts: Drawn & {
    readonly model: string;
    readonly windowLeftShare: number | null;
    readonly windowRoom: WindowRoom;
    readonly cacheHitShare: number | null;
    readonly costUsd: number | null;
    /** Commands and jobs that run alongside the conversation. */
    readonly background: number;
    readonly dream?: DreamFooter | null | undefined;
    readonly mode: PermissionMode;
    readonly hint?: string | undefined;
  },
): string {
  const { paint } = facts;
  const width = cellsOf(facts.width);
  const left = facts.windowLeftShare;
  const hint = cleanLine(facts.hint ?? '');
  // In reading order; `keep` says which are dropped first, lowest first.
  const parts = [
    {
      keep: 8,
      shown: facts.mode === 'ask' ? null : span(MODES[facts.mode], facts.mode === 'bypass' ? paint.red : paint.yellow),
    },
    { keep: 6, shown: span(cleanLine(facts.model), paint.dim) },
    { keep: 7, shown: left === null ? null : span(`${percent(left)} left`, windowLook(facts.windowRoom, paint)) },
    { keep: 2, shown: facts.cacheHitShare === null ? null : span(`cache ${percent(facts.cacheHitShare)}`, paint.dim) },
    { keep: 5, shown: facts.costUsd === null ? null : span(money(facts.costUsd), paint.dim) },
    { keep: 3, shown: facts.background === 0 ? null : span(`${facts.background} in background`, paint.cyan) },
    { keep: 4, shown: facts.dream ? span(dreamWords(facts.dream), paint.magenta) : null },
    { keep: 1, shown: hint === '' ? null : span(hint, paint.dim) },
  ].flatMap(({ keep, shown }) => (shown === null ? [] : [{ keep, shown }]));
  while (parts.length > 1 && rowWidth(joined(parts, paint)) > width) {
    const least = parts.reduce((one, other) => (other.keep < one.keep ? other : one));
    parts.splice(parts.indexOf(least), 1);
  }
  return renderRow(joined(parts, paint), width);
}

const MODES: Readonly<Record<PermissionMode, string>> = {
  ask: 'asks first',
  'accept-edits': 'edits without asking',
  plan: 'plans only',
  bypass: 'asks nothing',
};

function joined(parts: readonly { readonly shown: Span }[], paint: Paint): Row {
  return parts.flatMap(({ shown }, at) => (at === 0 ? [shown] : [span(DOT, paint.dim), shown]));
}

function windowLook(room: WindowRoom, paint: Paint): Look {
  return { enough: paint.dim, little: paint.yellow, none: paint.red }[room];
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

export function spinnerLine(
  facts: Drawn & {
    readonly frame: number;
    readonly verb: string;
    readonly tokens?: number | undefined;
    readonly seconds: number;
    readonly hint?: string | undefined;
  },
): string {
  const { paint } = facts;
  const verb = `${cleanLine(facts.verb)}…`;
  const hint = facts.hint === undefined ? [] : [cleanLine(facts.hint)];
  const mark = FRAMES[Math.abs(Math.floor(facts.frame)) % FRAMES.length] ?? FRAMES[0]!;
  const tokens = facts.tokens ? [`${shortNumber(facts.tokens)} tokens`] : [];
  const rest = [duration(facts.seconds), ...tokens, ...hint].join(DOT);
  return renderRow([span(`${mark} `, paint.cyan), span(verb), span(` ${rest}`, paint.dim)], facts.width);
}

export type NoticeKind = 'info' | 'success' | 'warning' | 'error';

/** `fix`: the command or edit that fixes it, on a line of its own. */
export function noticeLines(
  facts: Drawn & { readonly kind: NoticeKind; readonly text: string; readonly fix?: string | undefined },
): string[] {
  const { paint } = facts;
  const width = cellsOf(facts.width);
  const [mark, look] = noticeMark(facts.kind, paint);
  const text = cleanText(facts.text).trim();
  const rows = wrapSpans([span(text, look)], {
    width,
    first: [span(`${mark} `, look)],
    rest: [span('  ')],
    at: 'words',
  });
  const fix = cleanText(facts.fix ?? '').trim();
  return renderRows(
    fix === '' ? rows : [...rows, ...wrapSpans([span(fix, paint.dim)], { width, first: [span('  ')], at: 'words' })],
    width,
  );
}

function noticeMark(kind: NoticeKind, paint: Paint): [string, Look] {
  switch (kind) {
    case 'info':
      return ['·', paint.dim];
    case 'success':
      return ['✓', paint.green];
    case 'warning':
      return ['!', paint.yellow];
    case 'error':
      return ['✗', paint.red];
  }
}

/** What the user sent, as it stays above the answer; a long paste by its beginning. */
export function userLines(facts: Drawn & { readonly text: string }): string[] {
  const { paint } = facts;
  const width = cellsOf(facts.width);
  const lines = cleanText(facts.text).trimEnd().split('\n');
  const shown = lines.slice(0, VIEW_LIMITS.echoedLines).join('\n');
  const rows = wrapSpans([span(shown, paint.bold)], {
    ...{ width, first: [span('> ', paint.cyan)], rest: [span('  ')], at: 'words' },
  });
  const left = lines.length - VIEW_LIMITS.echoedLines;
  return renderRows(left > 0 ? [...rows, [span(`  … +${counted(left, 'line')}`, paint.dim)]] : rows, width);
}

/** What the model thought, paler than what it says; folded, only that it did. */
export function thinkingLines(facts: Drawn & { readonly text: string; readonly isExpanded: boolean }): string[] {
  const { paint } = facts;
  const width = cellsOf(facts.width);
  const look: Look = (text) => paint.dim(paint.italic(text));
  const text = cleanText(facts.text).trim();
  if (text === '') return [];
  const head = [span('∴ ', paint.dim), span(facts.isExpanded ? 'Thinking' : 'Thought (Ctrl-O shows it)', look)];
  if (!facts.isExpanded) return [renderRow(head, width)];
  return renderRows([head, ...wrapSpans([span(text, look)], { width, first: [span('  ')], at: 'words' })], width);
}

export function welcomeLines(
  facts: Drawn & {
    readonly name: string;
    readonly version: string;
    readonly model: string;
    readonly cwd: string;
    /** Null when memory is off. */
    readonly memories: number | null;
    readonly hint?: string | undefined;
  },
): string[] {
  const { paint } = facts;
  const memory = facts.memories === null ? 'memory is off' : counted(facts.memories, 'memory', 'memories');
  const hint = cleanLine(facts.hint ?? '');
  const rows: Row[] = [
    [span('◐ ', paint.cyan), span(cleanLine(facts.name), paint.bold), span(` ${cleanLine(facts.version)}`, paint.dim)],
    [span('  '), span(cleanLine(facts.model)), span(DOT, paint.dim), span(memory)],
    [span('  '), span(cleanLine(facts.cwd), paint.dim)],
    ...(hint === '' ? [] : [[span('  '), span(hint, paint.dim)]]),
  ];
  return renderRows(rows, facts.width);
}
