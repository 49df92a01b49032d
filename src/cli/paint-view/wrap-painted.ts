/** Breaks a painted line between words, for commands that print in the chat: each row keeps the active colours and the line's indent. */

import { textWidth } from '../terminal/text-width.ts';
import { type Look, type Span, span } from './spans.ts';
import { wrapSpans } from './wrap-spans.ts';

const COLOUR = /\u001b\[([0-9;]*)m/;
const RESET = '\u001b[0m';

/** Which looks a code switches off. */
const CLOSES: Readonly<Record<string, RegExp>> = {
  '': /./,
  '0': /./,
  '22': /^[12]$/,
  '23': /^3$/,
  '24': /^4$/,
  '27': /^7$/,
  '29': /^9$/,
  '39': /^(?:3|9)[0-7]$/,
};

/** The line itself if it fits. */
export function wrapPainted(line: string, width: number): readonly string[] {
  const parts = line.split(COLOUR);
  const bare = parts.filter((_, at) => at % 2 === 0).join('');
  if (textWidth(bare) <= width) return [line];
  const indent = /^ */.exec(bare)![0].slice(0, Math.floor(width / 2));
  const first = [span(indent)];
  return wrapSpans(withoutIndent(spansOf(parts)), { width, first, at: 'words' }).map((row) =>
    row.map(({ text, look }) => look?.(text) ?? text).join(''),
  );
}

/** Text and codes alternate. */
function spansOf(parts: readonly string[]): readonly Span[] {
  const spans: Span[] = [];
  let on: readonly string[] = [];
  for (const [at, part] of parts.entries()) {
    if (at % 2 === 0) {
      if (part !== '') spans.push(span(part, lookOf(on)));
      continue;
    }
    const closes = CLOSES[part];
    on = closes === undefined ? [...on, part] : on.filter((code) => !closes.test(code));
  }
  return spans;
}

function lookOf(codes: readonly string[]): Look | undefined {
  if (codes.length === 0) return undefined;
  const open = codes.map((code) => `\u001b[${code}m`).join('');
  return (text) => `${open}${text}${RESET}`;
}

function withoutIndent(spans: readonly Span[]): readonly Span[] {
  const start = spans.findIndex(({ text }) => text.trim() !== '');
  return spans
    .slice(Math.max(0, start))
    .map((each, at) => (at === 0 ? { ...each, text: each.text.trimStart() } : each));
}
