/** Reads a summary from the model's answer, or says what is wrong with it: no answer is trusted blindly. */

import type { StopReason } from '../../conversation/entry.ts';
import { type ContentBlock, textOf, toolUsesOf } from '../../conversation/message.ts';
import { type ListedRule, readRules } from './rules.ts';

/** As the instruction names them. */
export const SECTIONS = [
  'What was asked',
  'Technical ground',
  'Files and code',
  'Errors and fixes',
  'Problems worked on',
  "The user's messages",
  'Open tasks',
  'Where the work stands',
  'Next step',
] as const;

export type ParsedSummary =
  | { readonly kind: 'summary'; readonly text: string; readonly rules: readonly ListedRule[] }
  | { readonly kind: 'unusable'; readonly failure: UnusableAnswer };

export type UnusableAnswer = 'no-answer' | 'called-a-tool' | 'cut-off' | 'no-summary-tags' | 'empty' | 'no-words';

export function parseSummary(answer: {
  readonly content: readonly ContentBlock[];
  readonly stopReason: StopReason;
}): ParsedSummary {
  if (toolUsesOf(answer.content).length > 0) return unusable('called-a-tool');
  const text = textOf(answer.content);
  if (text.trim() === '') return unusable('no-answer');
  const after = withoutAnalysis(text);
  const from = after.indexOf(OPEN);
  if (from < 0) return unusable(answer.stopReason === 'length' ? 'cut-off' : 'no-summary-tags');
  const to = after.lastIndexOf(CLOSE);
  if (to < from) return unusable(answer.stopReason === 'length' ? 'cut-off' : 'no-summary-tags');
  const { text: summary, rules } = withoutRules(after.slice(from + OPEN.length, to));
  if (summary === '') return unusable('empty');
  return WORDS.test(summary) ? { kind: 'summary', text: summary, rules } : unusable('no-words');
}

const OPEN = '<summary>';
const CLOSE = '</summary>';
const ANALYSIS_CLOSE = '</analysis>';

/** Code carries the rules, so they are not said twice. */
function withoutRules(summary: string): { readonly text: string; readonly rules: readonly ListedRule[] } {
  const from = summary.lastIndexOf('<rules>');
  if (from < 0) return { text: summary.trim(), rules: [] };
  const [block = '', behind = ''] = summary.slice(from + '<rules>'.length).split('</rules>');
  return { text: `${summary.slice(0, from)}${behind}`.trim(), rules: readRules(block) };
}

/** It may mention the other tag, so it goes first; an answer without one loses nothing. */
function withoutAnalysis(text: string): string {
  const from = text.indexOf('<analysis>');
  const to = text.indexOf(ANALYSIS_CLOSE, from);
  const summaryAt = text.indexOf(OPEN);
  if (from < 0 || to < 0 || (summaryAt >= 0 && summaryAt < from)) return text;
  return text.slice(to + ANALYSIS_CLOSE.length);
}

/** A short one, or one without our headings, is still useful, since code carries what must not be lost; punctuation alone is not. */
const WORDS = /\p{L}{2}/u;

function unusable(failure: UnusableAnswer): ParsedSummary {
  return { kind: 'unusable', failure };
}
