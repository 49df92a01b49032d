/** The places that memories can be brought in from: one row each for the programs we know, and Reverie's own two. */

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import type { MemoryScope } from '../../base/taxonomy.ts';
import { didYouMean, inWords } from '../../base/text/nearest.ts';
import { openFolder } from '../../disk/folder.ts';
import { errnoOf, ReverieError } from '../../errors.ts';
import { IMPORT_LIMITS } from '../../limits.ts';
import type { Place, PlaceOptions } from '../../settings/place.ts';
import { INDEX_FILE } from '../files/walk.ts';
import { parseExport } from './export-file.ts';
import {
  findClaudeCodeMemory,
  type ImportCandidate,
  readMemoryDirectory,
  type SourceReading,
} from './import-source.ts';
import type { ImportProblem } from './import-walk.ts';

export interface ImportSource {
  readonly path: string;
  readonly host: string | null;
  readonly isExport: boolean;
  readonly candidates: readonly ImportCandidate[];
  /** MEMORY.md as it is at the source, with the user's own lines. */
  readonly indexes: ReadonlyMap<MemoryScope, string>;
  readonly problems: readonly ImportProblem[];
}

interface SourceFacts {
  readonly userHome: string;
  readonly projectRoot: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A program whose memories are brought in by its name. */
interface NamedSource {
  /** Where it keeps them; null when only the user knows. */
  usualPlace(facts: SourceFacts): string | null;
  read(path: string, facts: SourceFacts): Promise<SourceReading>;
}

/** Readers are loaded when they are asked for: an import needs one of them. */
const SOURCES: Readonly<Record<string, NamedSource>> = {
  codex: {
    usualPlace: ({ userHome, env }) => join(env.CODEX_HOME || join(userHome, '.codex'), 'memories'),
    read: async (path, facts) => (await import('./from/codex.ts')).readCodexMemories(path, facts),
  },
  chatgpt: {
    usualPlace: () => null,
    read: async (path) => (await import('./from/chatgpt.ts')).readChatGptMemories(path),
  },
  mem0: {
    usualPlace: () => null,
    read: async (path) => (await import('./from/mem0.ts')).readMem0Export(path),
  },
  'basic-memory': {
    usualPlace: ({ userHome }) => join(userHome, 'basic-memory'),
    read: async (path) => (await import('./from/basic-memory.ts')).readBasicMemory(path),
  },
  'claude-mem': {
    usualPlace: ({ userHome, env }) => join(env.CLAUDE_MEM_DATA_DIR || join(userHome, '.claude-mem'), 'claude-mem.db'),
    read: async (path, facts) => (await import('./from/claude-mem.ts')).readClaudeMem(path, facts),
  },
  cursor: {
    usualPlace: ({ projectRoot }) => projectRoot,
    read: async (path) => (await import('./from/cursor.ts')).readCursorRules(path),
  },
  copilot: {
    usualPlace: ({ projectRoot }) => projectRoot,
    read: async (path) => (await import('./from/copilot.ts')).readCopilotInstructions(path),
  },
};

const CLAUDE_CODE = 'claude-code';

export const IMPORT_SOURCE_NAMES: readonly string[] = [CLAUDE_CODE, ...Object.keys(SOURCES)];

type SourceRequest = Pick<PlaceOptions, 'env' | 'cwd'> & { readonly source: string; readonly path?: string };

export async function readImportSource(place: Place, request: SourceRequest): Promise<ImportSource> {
  const given = request.path === undefined ? null : resolve(request.cwd ?? process.cwd(), request.path);
  if (request.source === CLAUDE_CODE) return readOwnKind(given ?? claudeCodeFolder(place, request), CLAUDE_CODE);
  if (Object.hasOwn(SOURCES, request.source)) return readNamed(place, { ...request, given });
  if (given === null) return readOwnKind(resolve(request.cwd ?? process.cwd(), request.source), null);
  throw new ReverieError({
    code: 'usage',
    message: `"${request.source}" is not a program that Reverie knows`,
    fix: `Put one of ${IMPORT_SOURCE_NAMES.join(', ')} before the path, or give the path alone.`,
  });
}

async function readNamed(
  place: Place,
  request: SourceRequest & { readonly given: string | null },
): Promise<ImportSource> {
  const host = request.source;
  const source = SOURCES[host]!;
  const { userHome, projectRoot } = place;
  const facts = { userHome, projectRoot, env: request.env ?? process.env };
  const path = request.given ?? source.usualPlace(facts);
  const fix = `Give the path: reverie import ${host} <path>.`;
  if (path === null)
    throw new ReverieError({
      code: 'usage',
      message: `${host} has no usual place on this machine: its memories are in a file that you export`,
      fix,
    });
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    throw new ReverieError({ code: 'not-found', message: `There is nothing of ${host} at ${path}`, fix });
  }
  const { candidates, problems } = await source.read(path, facts);
  if (candidates.length + problems.length === 0) {
    throw new ReverieError({ code: 'not-found', message: `There are no memories of ${host} in ${path}`, fix });
  }
  return { path, host, isExport: false, candidates, indexes: new Map(), problems };
}

/** A folder of memory files, or a file that `export` wrote. */
function readOwnKind(path: string, host: string | null): ImportSource {
  if (isFolder(path)) {
    const { candidates, problems } = readMemoryDirectory(path);
    const index = readSourceIndex(path);
    const indexes = new Map<MemoryScope, string>(index === null ? [] : [['project', index]]);
    return { path, host, isExport: false, candidates, indexes, problems };
  }
  const parsed = parseExport(readFileSync(path));
  switch (parsed.kind) {
    case 'export': {
      const candidates = parsed.files.filter((file) => !file.index).map((file) => ({ ...file, from: path }));
      const indexes = parsed.files
        .filter((file) => file.index)
        .map((file) => [file.scope, Buffer.from(file.bytes).toString('utf8')] as const);
      return { path, host, isExport: true, candidates, indexes: new Map(indexes), problems: [] };
    }
    case 'damaged':
      throw new ReverieError({
        code: 'damaged',
        message: `${path}:${parsed.line}: ${parsed.problem}; nothing was imported`,
        fix: 'Export it again, or copy it again if the copy was cut off.',
      });
    case 'not-an-export':
      throw new ReverieError({
        code: 'usage',
        message: `${path} is neither a folder of memories nor a file that \`reverie export\` wrote`,
        fix: `Give the folder itself, or one of ${IMPORT_SOURCE_NAMES.join(', ')} before it.`,
      });
  }
}

export function claudeCodeFolder(place: Place, request: Pick<PlaceOptions, 'env'>): string {
  const { userHome, projectRoot } = place;
  const found = findClaudeCodeMemory({ userHome, env: request.env ?? process.env, projectRoot });
  if ('found' in found) return found.found;
  throw new ReverieError({
    code: 'not-found',
    message: `Claude Code has no memory of ${projectRoot}; looked in ${found.looked.join(', ')}`,
    fix: 'Run it in the project, or give the folder: reverie import <dir>.',
  });
}

/** The source may be anybody's: no link is followed, and no more is read than any one memory may hold. */
function readSourceIndex(directory: string): string | null {
  const folder = openFolder(realpathSync(directory));
  try {
    return folder?.read(INDEX_FILE, IMPORT_LIMITS.fileBytes)?.toString('utf8') ?? null;
  } catch {
    return null;
  } finally {
    folder?.close();
  }
}

function meant(path: string): string {
  const hint = didYouMean(basename(path), IMPORT_SOURCE_NAMES);
  return hint === '' ? '' : ` D${hint.slice(1)}`;
}

function isFolder(path: string): boolean {
  try {
    const stats = statSync(path);
    if (stats.isDirectory() || stats.isFile()) return stats.isDirectory();
    throw new ReverieError({ code: 'refused', message: `${path} is neither a folder nor a regular file` });
  } catch (error) {
    if (error instanceof ReverieError) throw error;
    throw new ReverieError({
      code: errnoOf(error) === 'ENOENT' ? 'not-found' : 'storage',
      message:
        errnoOf(error) === 'ENOENT' ? `There is no file or folder ${path}` : `Cannot read ${path}: ${String(error)}`,
      fix: isAbsolute(path)
        ? `Check the path, or name a program: ${inWords(IMPORT_SOURCE_NAMES, 'or')}.${meant(path)}`
        : 'Give the absolute path.',
    });
  }
}
