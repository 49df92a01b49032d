/**
 * Anthropic's memory tool (`memory_20250818`) over the project's memory: ready for the Anthropic SDK's tool runner, and for
 * any loop that calls `run` with the input of a tool call. The SDK itself is not needed.
 */

import { posix } from 'node:path';
import type { MemorySource } from '../../base/taxonomy.ts';
import { ReverieError } from '../../errors.ts';
import { isInLogs } from '../../memory/daily-log/place.ts';
import { factsOf } from '../../memory/files/header.ts';
import { editMemoryFile, parseMemoryFile } from '../../memory/files/memory-file.ts';
import { INDEX_FILE } from '../../memory/files/walk.ts';
import { isCarried } from '../../memory/gate/carried.ts';
import { checkFit } from '../../memory/gate/index.ts';
import type { ChangeOptions, FolderEntry, Memory, Saved } from '../../memory/memory.ts';
import { type MemoryToolCommand, parseMemoryCommand } from './command.ts';
import { insertBehind, replaceOnce, showFile, showFolder } from './text.ts';

/** Fits `BetaRunnableTool` of `@anthropic-ai/sdk`. */
export interface MemoryTool {
  readonly type: 'memory_20250818';
  readonly name: 'memory';
  /** Throws what is wrong with the input, in words for the model. */
  parse(input: unknown): MemoryToolCommand;
  /** The documented answer; what cannot be done is thrown, and the tool runner hands it to the model as an error. */
  run(command: MemoryToolCommand): Promise<string>;
}

const ROOT = '/memories';
const AGENT: ChangeOptions = { who: 'agent', reason: 'memory tool' };

/** Anthropic’s memory tool (`memory_20250818`) over the project’s memory. */
export function memoryTool(memory: Memory): MemoryTool {
  return {
    type: 'memory_20250818',
    name: 'memory',
    parse: parseMemoryCommand,
    async run(command) {
      if (!memory.enabled) throw new Error(`Memory is off: ${memory.offReason}`);
      // A loop of one's own may hand over what the model sent as it is.
      return runCommand(memory, parseMemoryCommand(command));
    },
  };
}

async function runCommand({ files }: Memory, command: MemoryToolCommand): Promise<string> {
  switch (command.command) {
    case 'view': {
      const path = below(command.path);
      const shownAs = command.path.replace(/\/+$/, '');
      const entries = await files.list();
      if (isFolder(entries, path)) return showFolder(entries, { folder: path, shownAs });
      const missing = `The path ${command.path} does not exist. Please provide a valid path.`;
      const text = shownText(await answering(files.read(path), { path, missing }));
      return showFile(text, { shownAs, range: command.view_range });
    }
    case 'create': {
      const path = writable(command.path);
      if (isTaken(await files.list(), path)) throw new Error(`File ${command.path} already exists`);
      checkText(path, { before: null, after: command.file_text });
      const text = withStanding(path, { before: null, after: command.file_text, unmarked: files.unmarked });
      const saved = await answering(files.write(path, text, { ...AGENT, mustBeNew: true }));
      return withWarnings(`File created successfully at: ${command.path}`, saved);
    }
    case 'str_replace': {
      let snippet = '';
      const saved = await edit(files, command.path, (text) => {
        const replaced = replaceOnce(text, { old: command.old_str, new: command.new_str, shownAs: command.path });
        snippet = replaced.snippet;
        return replaced.text;
      });
      const answer = 'The memory file has been edited. Here is the snippet showing the change (with line numbers):';
      return withWarnings(`${answer}\n${snippet}`, saved);
    }
    case 'insert': {
      const saved = await edit(files, command.path, (text) =>
        insertBehind(text, { line: command.insert_line, text: command.insert_text }),
      );
      return withWarnings(`The file ${command.path} has been edited.`, saved);
    }
    case 'delete': {
      const path = writable(command.path);
      if (path === '') throw new Error(`Cannot delete the ${ROOT} directory itself`);
      const missing = `The path ${command.path} does not exist`;
      await answering(files.remove([path], AGENT), { path, missing });
      return `Successfully deleted ${command.path}`;
    }
    case 'rename': {
      const [from, to] = [writable(command.old_path), writable(command.new_path)];
      if (from === '') throw new Error(`Cannot rename the ${ROOT} directory itself`);
      if (isTaken(await files.list(), to)) throw new Error(`The destination ${command.new_path} already exists`);
      const missing = `The path ${command.old_path} does not exist`;
      const saved = await answering(files.rename(from, to, { who: 'agent' }), { path: from, missing });
      return withWarnings(`Successfully renamed ${command.old_path} to ${command.new_path}`, saved);
    }
  }
}

async function edit(files: Memory['files'], path: string, change: (text: string) => string): Promise<Saved> {
  const file = writable(path);
  const missing = `The path ${path} does not exist. Please provide a valid path.`;
  if (isFolder(await files.list(), file)) throw new Error(`The path ${path} is not a file.`);
  const checked = (before: string) => {
    const shown = shownText(before);
    const after = change(shown);
    checkText(file, { before: shown, after });
    return withStanding(file, { before, after, unmarked: files.unmarked });
  };
  return answering(files.edit(file, checked, AGENT), { path: file, missing });
}

/**
 * What of the gate needs no conversation: this tool hears none. Secrets and places are the folder's own to refuse. What a
 * person wrote there before is no reason to refuse an edit, except that it may not grow without end.
 */
function checkText(file: string, { before, after }: { readonly before: string | null; readonly after: string }): void {
  const wrongWith = (body: string) =>
    checkFit(
      { type: '', name: posix.basename(file), description: '', body },
      { isUpdate: before !== null, findSecret: () => null },
    );
  const known = new Set(before?.split('\n'));
  const whole = wrongWith(after);
  const wrong =
    whole?.reason === 'oversize'
      ? whole
      : wrongWith(
          after
            .split('\n')
            .filter((line) => !known.has(line))
            .join('\n'),
        );
  if (wrong !== null && wrong.reason !== 'empty') throw new Error(wrong.advice);
}

/** The path below the memory folder that the model means; empty for the folder itself. Links are for the store to judge. */
function below(path: string): string {
  if (path !== ROOT && !path.startsWith(`${ROOT}/`)) throw new Error(`Path must start with ${ROOT}, got: ${path}`);
  const rest = posix.normalize(`./${path.slice(ROOT.length)}`).replace(/\/+$/, '');
  if (rest === '..' || rest.startsWith('../')) throw new Error(`Path ${path} would escape ${ROOT} directory`);
  return rest === '.' ? '' : rest;
}

/** The index follows from the memories: a model that edits it would work against what Reverie writes there a moment later. */
function writable(path: string): string {
  const file = below(path);
  if (file !== INDEX_FILE) return file;
  throw new Error(
    `${path} is the index and can only be viewed: it gets, changes and loses a line with each memory by itself. Change the memory's own file instead.`,
  );
}

function isFolder(entries: readonly FolderEntry[], path: string): boolean {
  return path === '' || entries.some((entry) => entry.kind === 'folder' && entry.path === path);
}

function isTaken(entries: readonly FolderEntry[], path: string): boolean {
  return path === '' || entries.some((entry) => entry.path === path);
}

/** A refusal in words for the model. A name without an ending was meant for a folder, and there is none. */
async function answering<T>(work: Promise<T>, wanted?: { path: string; missing: string }): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ReverieError)) throw error;
    const isMissing =
      error.code === 'not-found' || (error.code === 'refused' && posix.extname(wanted?.path ?? '.md') === '');
    if (isMissing && wanted) throw new Error(wanted.missing, { cause: error });
    throw new Error(error.message, { cause: error });
  }
}

function withWarnings(answer: string, saved: Saved): string {
  return [answer, ...saved.warnings].join('\n');
}

// Whose word a text of the memory tool is: nobody hears the conversation here, so that it is never more than the model's conclusion.
// Pure.

/** Before a text without front matter; the model, which counts lines, is not shown it. */
const MARK = '---\nsource: inferred\n---\n\n';

/** The text as the model wrote it. */
export function shownText(text: string): string {
  return text.startsWith(MARK) ? text.slice(MARK.length) : text;
}

interface ToolText {
  /** What the file holds; null when it is new. */
  readonly before: string | null;
  /** What the model wants it to hold. */
  readonly after: string;
  /** The source of a file that names none. */
  readonly unmarked: MemorySource;
}

/** The text with its standing. What it claims to be, and whom it claims to quote, does not count. */
function withStanding(file: string, { before, after, unmarked }: ToolText): string {
  if (isInLogs(file.toLowerCase())) return after;
  const then = before === null ? null : contentOf(file, before, unmarked);
  const now = contentOf(file, after, unmarked);
  const isSame = then !== null && then.type === now.type && isCarried(now, { before: then, day: null });
  const source = isSame ? then.source : weaker(then?.source, now.source);
  if (!now.hasFrontMatter) return source === unmarked ? after : MARK + after;
  const set = { ...(now.source === source ? {} : { source }), quote: then?.quote ?? [] };
  const edited = editMemoryFile(Buffer.from(after), { set });
  if ('refused' in edited) throw new Error(edited.refused);
  return Buffer.from(edited.bytes).toString('utf8');
}

function weaker(...claimed: readonly (MemorySource | undefined)[]): MemorySource {
  return claimed.includes('seen') ? 'seen' : 'inferred';
}

function contentOf(file: string, text: string, unmarked: MemorySource) {
  const { body, ...parsed } = parseMemoryFile(Buffer.from(text));
  return { ...factsOf(file, parsed, unmarked), body, hasFrontMatter: parsed.hasFrontMatter };
}
