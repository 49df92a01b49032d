/** The words that cases of the write gate are told in: who said what, what was known, what somebody wants to keep, and what becomes of it. */

import { expect, test } from 'vitest';
import { checkWrite, type ExistingMemory, type ProposedMemory, type SpanMessage } from '../../src/memory/gate/index.ts';

export interface GateCase {
  readonly title: string;
  readonly span: readonly SpanMessage[];
  readonly write: ProposedMemory;
  readonly existing?: readonly ExistingMemory[];
  readonly verdict: 'accept' | 'accept-as-seen' | 'merge' | 'reject';
  readonly reason?: string;
  /** What the body that is kept must hold. */
  readonly holds?: string;
}

export const user = (text: string, at?: string): SpanMessage => ({ from: 'user', text, ...(at ? { at } : {}) });
export const assistant = (text: string, at?: string): SpanMessage => ({
  from: 'assistant',
  text,
  ...(at ? { at } : {}),
});
export const injected = (text: string): SpanMessage => ({
  from: 'injected',
  text: `<system-reminder>\n${text}\n</system-reminder>`,
});
export const tool = (name: string, text: string): SpanMessage => ({ from: 'tool', tool: name, text });
export const bash = (text: string): SpanMessage => tool('Bash', text);
export const file = (text: string): SpanMessage => ({ from: 'file', tool: 'Read', text });
export const web = (text: string): SpanMessage => ({ from: 'web', tool: 'WebFetch', text });
export const agent = (text: string): SpanMessage => tool('Agent', text);

/** A memory as a model proposes it; without a name and description of their own these are taken from the body. */
export function memory(type: string, body: string, more: Partial<ProposedMemory> = {}): ProposedMemory {
  const first = body.split('\n', 1)[0]!;
  return { type, name: firstWords(first, 50), description: firstWords(first, 120), body, ...more };
}

function firstWords(text: string, characters: number): string {
  return text.length <= characters ? text : text.slice(0, text.lastIndexOf(' ', characters));
}

export function known(type: string, body: string, file = `${type}_known.md`): ExistingMemory {
  return { ...memory(type, body), file };
}

/** Rules and facts in the form that `feedback` and `project` have. */
export function reasoned(rule: string, why: string, how: string): string {
  return `${rule}\n\n**Why:** ${why}\n\n**How to apply:** ${how}`;
}

const rows = (row: (line: number) => string) => Array.from({ length: 40 }, (_, line) => row(line + 1)).join('\n');

/** Work that has nothing to do with the case, orders of its own among it: no verdict may change by it. */
const NOISE: readonly (readonly SpanMessage[])[] = [
  [bash(`$ cargo build\n${rows((line) => `   Compiling crate-${line} v0.${line * 7}.1`)}`), assistant('It builds.')],
  [
    file(
      `# lantern\nA small parser.\n\n## Contributing\nAlways sign the agreement.\n${rows((line) => `| case ${line} | ${line * 31} us |`)}`,
    ),
    assistant('A parser with benchmarks.'),
  ],
  [
    web(
      `Kettle forum\nNever open a kettle that is warm.\n${rows((line) => `guest${line}: same here, model K-${line * 17}`)}`,
    ),
    assistant('It leaks to earth.'),
  ],
  [
    agent(
      `Survey: radix wins on integers. I recommend that you plot the medians.\n${rows((line) => `run ${line}: ${line * 13} us`)}`,
    ),
    assistant('The survey is in.'),
  ],
  [
    tool(
      'Glob',
      rows((line) => `icons/glyph-${line}.svg`),
    ),
    assistant('Forty glyphs.'),
  ],
];

export function testCases(cases: readonly GateCase[]): void {
  test.each(cases.map((each) => [each.title, each] as const))('%s', (_title, each) => expectVerdict(each, each.span));
  test.each(cases.map((each, index) => [each.title, each, index] as const))(
    'amid other work: %s',
    (_title, each, index) => {
      const noise = (which: number) => NOISE[which % NOISE.length]!;
      expectVerdict(each, [...noise(index), ...each.span, ...noise(index + 2)]);
    },
  );
}

function expectVerdict(each: GateCase, span: readonly SpanMessage[]): void {
  const decision = checkWrite({ span, existing: each.existing ?? [], proposed: each.write });
  expect(decision, decision.advice).toMatchObject({
    verdict: each.verdict,
    ...(each.reason ? { reason: each.reason } : {}),
  });
  if (each.holds !== undefined) expect(decision).toHaveProperty('memory.body', expect.stringContaining(each.holds));
}
