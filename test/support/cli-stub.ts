/** A terminal and a memory for tests of the command line: what was printed can be read, what is listed is given. */

import type { MemoryScope } from '../../src/base/taxonomy.ts';
import { COMMANDS } from '../../src/cli/catalog.ts';
import type { CommandRow, Place } from '../../src/cli/command.ts';
import { execute } from '../../src/cli/execute.ts';
import { NO_PAINT, type Paint } from '../../src/cli/terminal/paint.ts';
import { onlyColours, plainText } from '../../src/cli/terminal/plain-text.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { ReverieError } from '../../src/errors.ts';
import type { LogEntry, Memory, MemoryEntry, Saved } from '../../src/memory/memory.ts';

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Methods of the memory that were called, with what they were given. */
  readonly calls: readonly (readonly [string, ...unknown[]])[];
}

export interface StubOptions {
  readonly memories?: readonly MemoryEntry[];
  readonly log?: readonly LogEntry[];
  readonly memory?: Partial<Memory>;
  readonly terminal?: Partial<Terminal>;
  readonly rows?: readonly CommandRow[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly now?: Date;
  /** A real memory in place of the stub. */
  readonly openMemory?: (place: Place) => Promise<Memory>;
}

export const MARKED_PAINT: Paint = {
  bold: (text) => `\u001b[1m${text}\u001b[22m`,
  dim: (text) => `\u001b[2m${text}\u001b[22m`,
  italic: (text) => `\u001b[3m${text}\u001b[23m`,
  strikethrough: (text) => `\u001b[9m${text}\u001b[29m`,
  inverse: (text) => `\u001b[7m${text}\u001b[27m`,
  red: (text) => `\u001b[31m${text}\u001b[39m`,
  green: (text) => `\u001b[32m${text}\u001b[39m`,
  yellow: (text) => `\u001b[33m${text}\u001b[39m`,
  cyan: (text) => `\u001b[36m${text}\u001b[39m`,
  magenta: (text) => `\u001b[35m${text}\u001b[39m`,
};

export async function runLine(argv: readonly string[], options: StubOptions = {}): Promise<Ran> {
  const printed = { stdout: '', stderr: '' };
  const calls: [string, ...unknown[]][] = [];
  const paint = options.terminal?.paint ?? NO_PAINT;
  const clean = paint === NO_PAINT ? plainText : onlyColours;
  const terminal: Terminal = {
    paint,
    isTerminal: false,
    isWatched: true,
    canAsk: false,
    width: undefined,
    input: 'none',
    interrupted: new AbortController().signal,
    write: (text) => {
      printed.stdout += clean(text);
    },
    writeExact: (text) => {
      printed.stdout += text;
    },
    writeError: (text) => {
      printed.stderr += clean(text);
    },
    status: () => {},
    flush: async () => {},
    readInput: async () => '',
    ask: async () => {
      throw new Error('nobody to ask');
    },
    askSecret: async () => {
      throw new Error('nobody to ask');
    },
    runProgram: async () => {
      throw new Error('no program to run');
    },
    atEnd: () => {},
    allowAfterInterruption: () => {},
    throwIfInterrupted: () => {},
    ...options.terminal,
  };
  const exitCode = await execute(argv, {
    rows: options.rows ?? COMMANDS,
    terminal,
    environment: options.environment ?? {},
    now: options.now ?? new Date('2025-11-15T12:00:00Z'),
    openMemory: async (place) => {
      if (options.openMemory !== undefined) return options.openMemory(place);
      calls.push(['openMemory', place]);
      return recording(stubMemory(options), calls);
    },
  });
  return { exitCode, ...printed, calls };
}

export function entryOf(file: string, fields: Partial<MemoryEntry> = {}): MemoryEntry {
  return {
    file,
    scope: 'project',
    path: `/memory/${file}`,
    name: file.replace(/\.md$/, ''),
    description: `about ${file}`,
    type: 'project',
    source: 'said',
    quote: [],
    origin: null,
    created: null,
    modified: '2025-11-12T12:00:00.000Z',
    pinned: false,
    supersededBy: null,
    refuted: null,
    warnings: [],
    body: `body of ${file}`,
    ...fields,
  };
}

function stubMemory(options: StubOptions): Memory {
  const memories = options.memories ?? [];
  const log = options.log ?? [];
  const saved = (file: string, scope?: MemoryScope): Saved => ({
    file,
    scope: scope ?? 'project',
    warnings: [],
    change: 'c-new',
  });
  const files: Memory['files'] = {
    unmarked: 'said',
    list: async () => [],
    read: async () => '',
    write: async (file) => saved(file),
    edit: async (file) => saved(file),
    remove: async (paths) => saved(paths[0] ?? ''),
    rename: async (_from, to) => saved(to),
    change: async (names) => saved(names[0] ?? ''),
  };
  return {
    enabled: true,
    offReason: null,
    folders: { project: '/memory' },
    save: async (request) => saved(`${request.type}_saved.md`, request.scope),
    update: async (file, _changes, change) => saved(file, change?.scope),
    replace: async (file, _text, change) => saved(file, change?.scope),
    pin: async (file, change) => saved(file, change?.scope),
    confirm: async (file, change) => saved(file, change?.scope),
    forget: async (file, change) => saved(file, change?.scope),
    purge: async (file, change) => ({ file, scope: change?.scope ?? 'project', records: 2, transcripts: [] }),
    list: async () => memories,
    rank: async () => memories,
    recall: async () => [],
    ready: async () => {},
    async get(file, wanted) {
      const found = memories.find((entry) => entry.file === file && entry.scope === (wanted?.scope ?? entry.scope));
      if (!found) throw new ReverieError({ code: 'not-found', message: `no ${file}` });
      return found;
    },
    log: async (wanted) => log.slice(0, wanted?.limit),
    diff: async () => [],
    undo: async () => log[0]!,
    files,
    filesOf: () => files,
    noticeOutsideEdits: async () => [],
    problems: () => [],
    close: async () => {},
    ...options.memory,
  };
}

function recording(memory: Memory, calls: [string, ...unknown[]][]): Memory {
  const recorded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(memory)) {
    if (typeof value !== 'function') recorded[name] = value;
    else {
      recorded[name] = (...given: unknown[]) => {
        calls.push([name, ...given]);
        return value.apply(memory, given);
      };
    }
  }
  return recorded as unknown as Memory;
}
