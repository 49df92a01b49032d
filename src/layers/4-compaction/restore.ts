/** Restores what the model had at hand: files it read last, skills, the plan, what hooks and others add. Each named, each limited. */

import type { InjectionSource } from '../../conversation/entry.ts';
import { estimateTextTokens } from '../../conversation/tokens.ts';
import type { Limits } from '../../limits.ts';
import { headLines } from './cut-text.ts';
import { seal } from './seal.ts';

/** Tokens of the plan, and of one text and all texts that others add. */
const PLAN_TOKENS = 5_000;
const NOTICE_TOKENS = 2_500;
const NOTICES_TOKENS = 10_000;

export interface Restorable {
  /** Absolute paths of files the model has read, the newest last. */
  readonly readPaths: readonly string[];
  /** The lines of each that were read; without, it is shown from its beginning. */
  readonly ranges?: ReadonlyMap<string, LineRange>;
  /** Skills that were invoked, the newest last. */
  readonly skills: readonly { readonly name: string; readonly text: string }[];
  readonly plan: string | null;
  /** Deferred tools, agents, notes of MCP servers. */
  readonly notices: readonly string[];
  /** What SessionStart hooks said when run again. */
  readonly hookTexts: readonly string[];
}

interface LineRange {
  /** From 1. */
  readonly first: number;
  readonly lines: number;
}

export interface Restored {
  readonly source: InjectionSource;
  /** For the report: a path, `skill x`, `plan`. */
  readonly name: string;
  readonly text: string;
}

export interface RestoreFacts {
  readonly what: Restorable;
  /** The current file; null when it is gone or is not text. */
  readonly readFile: (path: string) => Promise<string | null>;
  /** For all together. */
  readonly tokens: number;
  /** A budget set for the usual window, scaled to this one. */
  readonly within: (budgetTokens: number) => number;
  readonly limits: Limits['compaction'];
}

/** Small and decisive things first; files can be read again. */
export async function restore(facts: RestoreFacts): Promise<readonly Restored[]> {
  const { what, limits, within } = facts;
  const purse = { left: facts.tokens };
  const texts = (found: readonly Restored[], each: number, all: number) =>
    fill(found, { each: within(each), all: within(all), purse });
  const hooks = what.hookTexts.map((text) => ({ source: 'hook' as const, name: 'hook', text }));
  const notices = what.notices.map((text) => ({ source: 'context' as const, name: 'notice', text }));
  const plan = what.plan === null ? [] : [summaryPart('plan', tagged('plan', '', what.plan))];
  const skills = what.skills
    .toReversed()
    .map(({ name, text }) => summaryPart(`skill ${name}`, tagged('skill', name, text)));
  return [
    ...texts([...hooks, ...notices], NOTICE_TOKENS, NOTICES_TOKENS),
    ...texts(plan, PLAN_TOKENS, PLAN_TOKENS),
    ...texts(skills, limits.skillTokens, limits.skillsTokens),
    ...(await restoreFiles(facts, purse)),
  ];
}

/** The part that was read, as the file is now; all of it where that part is no longer there. */
function fileText(path: string, text: string, range: LineRange | undefined): string {
  const lines = text.split('\n');
  const part = range === undefined ? [] : lines.slice(range.first - 1, range.first - 1 + range.lines);
  if (range === undefined || part.length === 0 || part.length >= lines.length - 1) {
    return tagged('file-as-it-is-now', path, text);
  }
  const last = range.first + part.length - 1;
  return tagged('file-as-it-is-now', `${path}, lines ${range.first} to ${last} of ${lines.length}`, part.join('\n'));
}

interface Purse {
  left: number;
}

async function restoreFiles(facts: RestoreFacts, purse: Purse): Promise<readonly Restored[]> {
  const { limits, within } = facts;
  const restored: Restored[] = [];
  const budget = { each: within(limits.fileTokens), all: within(limits.filesTokens), purse };
  for (const path of facts.what.readPaths.toReversed()) {
    if (restored.length >= limits.files || budget.all <= 0 || purse.left <= 0) break;
    const text = await facts.readFile(path).catch(() => null);
    if (text === null || text.trim() === '') continue;
    const before = purse.left;
    restored.push(...fill([summaryPart(path, fileText(path, text, facts.what.ranges?.get(path)))], budget));
    budget.all -= before - purse.left;
  }
  return restored;
}

function fill(
  found: readonly Restored[],
  budget: { readonly each: number; readonly all: number; readonly purse: Purse },
): readonly Restored[] {
  let all = budget.all;
  return found.flatMap((one) => {
    const most = Math.min(budget.each, all, budget.purse.left);
    const text = shorten(one.text, most);
    if (text === null) return [];
    const tokens = estimateTextTokens(text);
    all -= tokens;
    budget.purse.left -= tokens;
    return [{ ...one, text }];
  });
}

/** Null when so little fits that it would only mislead. */
function shorten(text: string, tokens: number): string | null {
  if (estimateTextTokens(text) <= tokens) return text;
  const [opening = '', ...lines] = text.split('\n');
  const closing = /^<([a-z-]+)/.exec(opening)?.[1];
  const end = closing === undefined ? '' : `\n</${closing}>`;
  const note = (shown: number) =>
    `\n[… cut after ${shown} of ${lines.length - 1} lines; read on from there if you need it]${end}`;
  const left = tokens - estimateTextTokens(`${opening}\n${note(lines.length)}`) - 1;
  if (left < 1) return null;
  const head = headLines(lines.join('\n'), left);
  return head.trim() === '' ? null : `${opening}\n${head}${note(head.split('\n').length)}`;
}

function summaryPart(name: string, text: string): Restored {
  return { source: 'summary', name, text };
}

function tagged(tag: string, name: string, text: string): string {
  return `<${tag}${name === '' ? '' : ` name=${JSON.stringify(name)}`}>\n${seal(text)}\n</${tag}>`;
}
