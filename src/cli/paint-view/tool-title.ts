/** What a tool call is about, in one line: the file, the command, the pattern. */

import { isAbsolute, relative } from 'node:path';
import type { ToolUseBlock } from '../../conversation/message.ts';
import { VIEW_LIMITS } from '../../limits.ts';
import { counted } from './amounts.ts';
import { cleanLine, cleanText } from './spans.ts';

type Input = ToolUseBlock['input'];

/** Clean, on one line; cut by whoever draws it. */
export function toolSubject(call: ToolUseBlock, cwd: string): string {
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
    case 'TodoWrite':
      return Array.isArray(input.todos) ? counted(input.todos.length, 'step') : '';
    default:
      return anyInput(input);
  }
}

/** Relative where that is shorter to read: inside the working directory. */
export function shownPath(path: unknown, cwd: string): string {
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

/** A tool that is not ours: its input as `name: value`, the short ones. */
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
