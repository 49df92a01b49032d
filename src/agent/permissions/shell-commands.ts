/** The simple commands of a shell line, wherever they stand: chains, groups, loops, substitutions. The grammar is `unbash`; this says what we take from it. */

import type { Assignment, Command, LiteralPart, Redirection, SyntaxNode, Word, WordPart } from 'unbash';
import { PERMISSION_LIMITS } from '../../limits.ts';

/** Characters of a shell line above which no rule allows it: it is not read. */
const COMMAND_CHARACTERS = 65_536;
/** Words of a shell line above which no rule allows it: each may be a file that has to be looked at. */
const COMMAND_WORDS = 2_000;

export interface ShellWord {
  /** After quote removal; what only a shell could know stays as it was written. */
  readonly text: string;
  /** False when a shell may make something else of it: variables, substitutions, braces, globs, the home folders of others. */
  readonly isLiteral: boolean;
  /** True when only running the line tells what it is. A glob does not count: it stays a list of files. */
  readonly expands: boolean;
}

export interface ShellCommand {
  readonly words: readonly ShellWord[];
  readonly assignments: readonly { readonly name: string; readonly value: string; readonly isLiteral: boolean }[];
  readonly redirections: readonly { readonly operator: string; readonly target: ShellWord }[];
}

export interface ShellLine {
  readonly commands: readonly ShellCommand[];
  /** Why it is no shell that we can read; null when it is. */
  readonly broken: string | null;
  /** Constructs that do more than run the commands in them: functions, arithmetic, loop variables. */
  readonly unclear: readonly string[];
}

let grammar: typeof import('unbash') | null = null;

/** To be awaited before a shell line is read: most starts never read one, so the grammar is not loaded with the rest. */
export async function loadShellGrammar(): Promise<void> {
  grammar ??= await import('unbash');
}

export function parseShell(text: string): ShellLine {
  const found: Found = { commands: [], broken: null, unclear: [] };
  if (grammar === null) return { ...found, broken: 'the grammar is not loaded' };
  if (text.length > COMMAND_CHARACTERS) return { ...found, broken: 'it is too long' };
  // The grammar looks for the end of each: twice as many take four times as long.
  const brackets = text.match(/[{[]/g)?.length ?? 0;
  if (brackets > COMMAND_WORDS) return { ...found, broken: 'it has too many brackets' };
  // Blanks and control characters beyond these are read differently by different shells.
  if (/[^\t\n\P{Cc}]|[\u0085\u2028\u2029]/u.test(text)) found.broken = 'it holds control characters';
  try {
    collect(grammar.parse(text), { found, forEachChild: grammar.forEachChild, depth: 0 });
  } catch (error) {
    // A sum of ten thousand numbers is a tree as deep.
    found.broken ??= error instanceof RangeError ? 'it is nested too deeply' : 'the grammar fails on it';
  }
  const words = found.commands.reduce((sum, command) => sum + command.words.length + command.redirections.length, 0);
  if (words > COMMAND_WORDS) found.broken ??= 'it has too many words';
  return found;
}

interface Found {
  readonly commands: ShellCommand[];
  broken: string | null;
  readonly unclear: string[];
}

interface Walk {
  readonly found: Found;
  readonly forEachChild: typeof import('unbash')['forEachChild'];
  readonly depth: number;
}

function collect(node: SyntaxNode, walk: Walk): void {
  const { found, forEachChild } = walk;
  found.broken ??= problemOf(node, walk.depth);
  if (walk.depth > PERMISSION_LIMITS.shellDepth) return;
  const unclear = unclearIn(node);
  if (unclear !== null) found.unclear.push(unclear);
  const isDeeper = node.type === 'Script' || node.type === 'CompoundList';
  const inner = isDeeper ? { ...walk, depth: walk.depth + 1 } : walk;
  forEachChild(node, (child) => collect(child, inner));
  if (node.type === 'Command') found.commands.push(simpleCommand(node));
  if (node.type === 'Redirected') {
    found.commands.push({ words: [], assignments: [], redirections: node.redirects.map(redirection) });
  }
}

function problemOf(node: SyntaxNode, depth: number): string | null {
  if (depth > PERMISSION_LIMITS.shellDepth) return 'it is nested too deeply';
  if (node.type === 'Script') return node.errors?.[0]?.message ?? null;
  if ((node.type === 'Word' || node.type === 'Literal') && isOpen(node)) return 'an expansion is not closed';
  if (node.type === 'HereDoc' && node.closing === undefined) return 'a here-document is not closed';
  // The grammar knows them always, a shell only when it is told to.
  return node.type === 'ExtendedGlob' ? 'it holds an extended glob' : null;
}

const UNCLEAR: Readonly<Partial<Record<SyntaxNode['type'], string>>> = {
  Function: 'a function',
  Coproc: 'a coprocess',
  TestCommand: 'a test in [[ ]]',
  ArithmeticCommand: 'arithmetic',
  ArithmeticFor: 'arithmetic',
  ArithmeticExpansion: 'arithmetic',
  For: 'a loop variable',
  Select: 'a loop variable',
  ArrayValue: 'a list',
  FileDescriptorVariable: 'a variable for a file descriptor',
};

function unclearIn(node: SyntaxNode): string | null {
  if (node.type === 'ParameterExpansion') return runsItsValue(node) ? 'a variable whose value may be run' : null;
  if (node.type === 'Assignment' && node.index !== undefined) return 'a list';
  const isOpenCase = node.type === 'Case' && [node.word, ...node.items.flatMap(({ pattern }) => pattern)].some(expands);
  return isOpenCase ? 'a case over what is expanded' : (UNCLEAR[node.type] ?? null);
}

/** Subscripts and offsets are arithmetic, which runs the `$(…)` in a variable's value; `${!x}` and `${x@P}` do, too. */
function runsItsValue({ prefix, index, operation }: Extract<SyntaxNode, { type: 'ParameterExpansion' }>): boolean {
  return prefix === '!' || index !== undefined || operation?.type === 'Slice' || operation?.type === 'Transform';
}

function simpleCommand({ name, args, prefix, redirects }: Command): ShellCommand {
  return {
    words: [...(name === undefined ? [] : [name]), ...args].map(argument),
    assignments: prefix.filter((each) => each.type === 'Assignment').map(assignment),
    redirections: redirects.map(redirection),
  };
}

function argument(node: Word | Assignment): ShellWord {
  if (node.type === 'Word') return shellWord(node);
  const { name, value, isLiteral } = assignment(node);
  return { text: `${name}=${value}`, isLiteral, expands: !isLiteral };
}

function assignment({ name, value, index, append, text }: Assignment): ShellCommand['assignments'][number] {
  if (value.type !== 'Word') return { name, value: text.slice(name.length + 1), isLiteral: false };
  const word = shellWord(value);
  return { name, value: word.text, isLiteral: word.isLiteral && index === undefined && append !== true };
}

function redirection(node: Redirection): ShellCommand['redirections'][number] {
  if (node.type === 'HereDoc') return { operator: node.operator, target: plain(node.delimiter?.value ?? '') };
  return { operator: node.operator, target: node.target === undefined ? plain('') : shellWord(node.target) };
}

function plain(text: string): ShellWord {
  return { text, isLiteral: true, expands: false };
}

function shellWord(word: Word): ShellWord {
  const isExpanded = expands(word);
  const isFiles = /^~[^/]/.test(word.text) || (word.parts ?? []).some(({ type }) => type === 'Glob');
  return { text: word.value, isLiteral: !isExpanded && !isFiles, expands: isExpanded };
}

function expands({ parts, text }: Word): boolean {
  if (parts !== undefined) return parts.some(partExpands);
  return text !== '{}' && text !== '{' && mayExpand(text);
}

function partExpands(part: WordPart): boolean {
  switch (part.type) {
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return false;
    case 'DoubleQuoted':
      return part.parts.some(({ type }) => type !== 'Literal');
    case 'Literal':
      return mayExpand(part.text);
    case 'Glob':
      return (part.parts ?? []).some(partExpands);
    default:
      return true;
  }
}

// Two checks of the grammar: where it takes something for plain text that a shell may not, we do not.

function mayExpand(text: string): boolean {
  return /[{`'"\s]|\$./s.test(withoutEscapes(text));
}

/** A shell would read on for the end of it, and take the words behind it for a part of it. */
function isOpen(node: Word | LiteralPart): boolean {
  const isText = node.type === 'Literal' || node.parts === undefined;
  return isText && /`|\$[[({]/.test(withoutEscapes(node.text));
}

function withoutEscapes(text: string): string {
  return text.replace(/\\[\s\S]/g, '');
}
