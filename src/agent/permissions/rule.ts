/** One rule as people write it, read into what it matches: `Bash(npm test:*)`, `Edit(src/**)`, `mcp__server`, `WebFetch(domain:example.com)`. */

import { PERMISSION_LIMITS } from '../../limits.ts';
import { expandBraces } from './path-pattern.ts';

export type Rule = { readonly text: string } & RuleMeaning;

type RuleMeaning =
  /** Every call of a tool; the name may hold `*`. */
  | { readonly kind: 'tool'; readonly tool: string }
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly isPrefix: boolean }
  /** One whole shell line, to the letter: `Bash(=for f in *.ts; do echo "$f"; done)`. */
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'path'; readonly tool: PathTool; readonly patterns: readonly string[] }
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'skill'; readonly name: string };

export const PATH_TOOLS = ['Read', 'Edit', 'Write', 'Grep', 'Glob'] as const;
export type PathTool = (typeof PATH_TOOLS)[number];

/** Where a rule was written, for people and for the model that runs into it. */
export interface SourcedRule {
  readonly rule: Rule;
  readonly from: string;
}

export interface RuleSet {
  readonly allow: readonly SourcedRule[];
  readonly ask: readonly SourcedRule[];
  readonly deny: readonly SourcedRule[];
}

export const NO_RULES: RuleSet = { allow: [], ask: [], deny: [] };

export function parseRule(text: string): Rule | { readonly wrong: string } {
  const written = text.trim();
  if (written.length > PERMISSION_LIMITS.ruleCharacters) return { wrong: 'it is too long' };
  const parts = /^([A-Za-z_][\w.*-]*)(?:\(([\s\S]*)\))?$/.exec(written);
  if (parts === null) return { wrong: 'a rule is a tool’s name, or one with brackets: Bash(npm test:*)' };
  const [, tool, inside] = parts as unknown as [string, string, string | undefined];
  const meaning =
    inside === undefined || inside.trim() === '' ? wholeTool(tool, inside) : narrowed(tool, inside.trim());
  return 'wrong' in meaning ? meaning : { text: written, ...meaning };
}

function wholeTool(tool: string, inside: string | undefined): RuleMeaning | { readonly wrong: string } {
  // `Bash()` is more likely a slip than a wish for everything.
  return inside === undefined
    ? { kind: 'tool', tool }
    : { wrong: `nothing stands in the brackets; all of it is ${tool}` };
}

function narrowed(tool: string, inside: string): RuleMeaning | { readonly wrong: string } {
  const isAll = inside === '*' || inside === ':*' || inside === '**';
  if (isAll) return { kind: 'tool', tool };
  if (tool === 'Bash' && inside.startsWith('=')) return { kind: 'line', line: inside.slice(1).trim() };
  if (tool === 'Bash') return commandRule(inside);
  if (isPathTool(tool)) {
    const patterns = expandBraces(inside);
    return patterns === null ? { wrong: 'its braces stand for too many patterns' } : { kind: 'path', tool, patterns };
  }
  if (tool === 'WebFetch') {
    const domain = /^domain:\s*((?:\*\.)?[\w-]+(?:\.[\w-]+)*)\.?$/u.exec(inside)?.[1];
    return domain === undefined
      ? { wrong: 'it is written WebFetch(domain:example.com)' }
      : { kind: 'domain', domain: domain.toLowerCase() };
  }
  if (tool === 'Skill') return { kind: 'skill', name: inside };
  return { wrong: `${tool} takes no brackets in a rule` };
}

function commandRule(inside: string): RuleMeaning | { readonly wrong: string } {
  const prefix = /^([\s\S]*?)(?::\*|\s+\*)$/.exec(inside)?.[1];
  const words = plainWords(prefix ?? inside);
  const [program] = words ?? [];
  if (words === null || program === undefined) {
    return { wrong: 'it must name one command in plain words; write one rule for each command of a chain' };
  }
  if (/^\w+=/.test(program)) return { wrong: 'variables cannot stand in a rule' };
  if (program.includes('*')) return { wrong: 'the program must be named in full' };
  return { kind: 'command', words, isPrefix: prefix !== undefined };
}

/** Words with quotes and escapes as in a shell, and nothing else of a shell: null where there is more. */
function plainWords(text: string): readonly string[] | null {
  const pieces = /\s+|[^\s'"\\;&|<>()`]+|\\([^\n])|'([^']*)'|"((?:[^"\\`]|\\[^\n])*)"/gy;
  const words: string[] = [];
  let isInWord = false;
  let end = 0;
  for (const [piece, escaped, single, double] of text.trim().matchAll(pieces)) {
    end += piece.length;
    const isBlank = /^\s/.test(piece);
    if (!isBlank) {
      const part = escaped ?? single ?? double?.replace(/\\([$`"\\])/g, '$1') ?? piece;
      if (isInWord) words.push(words.pop() + part);
      else words.push(part);
    }
    isInWord = !isBlank;
  }
  return end === text.trim().length ? words : null;
}

function isPathTool(tool: string): tool is PathTool {
  return (PATH_TOOLS as readonly string[]).includes(tool);
}
