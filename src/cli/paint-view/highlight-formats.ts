/** Colours one line of formats that have no keywords: JSON, YAML, markup, style sheets, diffs, markdown. */

import { closesFence, headingAt, openingFence } from '../../base/markdown/marks.ts';
import { endOf, type HighlightState, type LineTokens, matchAt, type Token, type TokenKind } from './highlight-words.ts';

/** The first pattern that matches at the current position names the kind. Every pattern is sticky and takes at least a character. */
type Rules = readonly (readonly [RegExp, TokenKind])[];

const STRING = /"(?:[^"\\]|\\.)*"?/y;
const QUOTED = /"[^"]*"?|'[^']*'?/y;
const NUMBER = /-?\d[\w.+%-]*/y;
const WORD = /[\p{L}_][\p{L}\p{N}_-]*/uy;
const BLANK = /\s+/y;

const JSON_RULES: Rules = [
  [BLANK, 'plain'],
  [/"(?:[^"\\]|\\.)*"(?=\s{0,9}:)/y, 'key'],
  [STRING, 'string'],
  [/(?:true|false|null)\b/y, 'keyword'],
  [NUMBER, 'number'],
  [/\/\/.*/y, 'comment'],
  [WORD, 'plain'],
];

const YAML_RULES: Rules = [
  [/(?<![^\s])[#;].*/y, 'comment'],
  [BLANK, 'plain'],
  [/^\[[^\]]*\]/y, 'heading'],
  [/(?<=^\s{0,80}(?:- {1,9})?)[\w"'./][\w"'./ -]{0,200}?(?=\s?[:=](?:\s|$))/y, 'key'],
  [QUOTED, 'string'],
  [/(?:true|false|null|yes|no)(?![\w-])/y, 'keyword'],
  [/[&*!][\w-]+/y, 'type'],
  [NUMBER, 'number'],
  [WORD, 'plain'],
];

const STYLE_RULES: Rules = [
  [BLANK, 'plain'],
  [QUOTED, 'string'],
  [/@[\w-]+/y, 'keyword'],
  [/#[\da-f]{3,8}\b/iy, 'number'],
  [/[.#][\w-]+/y, 'type'],
  [/(?:--|\$)?[a-z][\w-]*(?=\s{0,9}:(?!:))/iy, 'key'],
  [/-?\d[\w.%]*/y, 'number'],
  [WORD, 'plain'],
];

const TAG_RULES: Rules = [
  [BLANK, 'plain'],
  [QUOTED, 'string'],
  [/[\w:@.-]+(?==)/y, 'type'],
  [/[\w:@.-]+/y, 'type'],
];

export function jsonLine(line: string): LineTokens {
  return { tokens: byRules(line, JSON_RULES), state: null };
}

export function yamlLine(line: string): LineTokens {
  return { tokens: byRules(line, YAML_RULES), state: null };
}

export function styleLine(line: string, state: HighlightState): LineTokens {
  return withRegions(line, { state, next: nextStyle, rules: STYLE_RULES });
}

export function markupLine(line: string, state: HighlightState): LineTokens {
  return withRegions(line, { state, next: nextMarkup, rules: [] });
}

export function diffLine(line: string): LineTokens {
  return { tokens: [{ text: line, kind: diffKind(line) }], state: null };
}

function diffKind(line: string): TokenKind {
  if (/^(?:\+\+\+|---|diff |index )/.test(line)) return 'heading';
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('@@') ? 'key' : 'plain';
}

export function markdownLine(line: string, state: HighlightState): LineTokens {
  const marks = state?.close ?? openingFence(line)?.marks;
  if (marks !== undefined) {
    const isEnd = state !== null && closesFence(line, marks);
    const inside: HighlightState = { kind: 'string', close: marks, hasEscapes: false };
    return { tokens: [{ text: line, kind: 'string' }], state: isEnd ? null : inside };
  }
  const kind = headingAt(line) !== null ? 'heading' : /^\s*>/.test(line) ? 'comment' : 'plain';
  if (kind !== 'plain') return { tokens: [{ text: line, kind }], state: null };
  return { tokens: byRules(line, MARKDOWN_RULES), state: null };
}

const MARKDOWN_RULES: Rules = [
  [/(?<=^\s{0,80})(?:[-*+]|\d{1,9}[.)])(?=\s)/y, 'keyword'],
  [/`[^`]*`/y, 'string'],
  [/\*\*[^*]+\*\*/y, 'heading'],
  [/\[[^[\]]*\]\([^()\s]*\)/y, 'key'],
  [/[^`*[]+/y, 'plain'],
];

/** A part with its own rules, up to its end on this line or a later one. */
interface Region {
  readonly at: number;
  readonly state: NonNullable<HighlightState>;
}

function nextStyle(line: string, from: number): Region | null {
  const at = line.indexOf('/*', from);
  return at === -1 ? null : { at, state: { kind: 'comment', close: '*/', hasEscapes: false } };
}

function nextMarkup(line: string, from: number): Region | null {
  const found = /<(?:!--|[!?/]?[a-z])/gi;
  found.lastIndex = from;
  const match = found.exec(line);
  if (match === null) return null;
  const isComment = match[0] === '<!--';
  return {
    at: match.index,
    state: { kind: isComment ? 'comment' : 'key', close: isComment ? '-->' : '>', hasEscapes: false },
  };
}

function withRegions(
  line: string,
  facts: { state: HighlightState; next: (line: string, from: number) => Region | null; rules: Rules },
): LineTokens {
  const tokens: Token[] = [];
  let state = facts.state;
  let at = 0;
  while (at < line.length) {
    const region = state === null ? facts.next(line, at) : { at, state };
    if (region === null) break;
    tokens.push(...byRules(line.slice(at, region.at), facts.rules));
    const end = endOf(line, { from: region.at, ...region.state });
    const text = line.slice(region.at, end ?? line.length);
    tokens.push(...(region.state.kind === 'key' ? tagTokens(text) : [{ text, kind: region.state.kind }]));
    state = end === null ? region.state : null;
    at = end ?? line.length;
  }
  if (at < line.length) tokens.push(...byRules(line.slice(at), facts.rules));
  return { tokens, state };
}

function tagTokens(text: string): Token[] {
  const name = /^<[!?/]?[\w:.-]*/.exec(text)?.[0] ?? '';
  const tokens = byRules(text.slice(name.length), TAG_RULES);
  return name === '' ? tokens : [{ text: name, kind: 'keyword' }, ...tokens];
}

function byRules(text: string, rules: Rules): Token[] {
  if (rules.length === 0) return text === '' ? [] : [{ text, kind: 'plain' }];
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const from = at;
    const [found, kind] = firstMatch(text, from, rules) ?? [String.fromCodePoint(text.codePointAt(at)!), 'plain'];
    tokens.push({ text: found, kind });
    at += found.length;
  }
  return tokens;
}

function firstMatch(text: string, at: number, rules: Rules): readonly [string, TokenKind] | null {
  for (const [pattern, kind] of rules) {
    const found = matchAt(pattern, text, at);
    if (found !== null && found !== '') return [found, kind];
  }
  return null;
}
