/** Loads the work of a hook from its files, with the code that an earlier hook compiled: a fifth of what a host waits for. */

import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { Script } from 'node:vm';
import type { HookCode, HookWork } from './process.ts';
import { HOOK_REACHES } from './run/event.ts';

/** What was compiled before is used where it can be. `load`: for modules of Node, where one is at hand already. */
export function loadHookWork(
  file: string,
  target: Pick<NodeJS.Process, 'argv' | 'env'>,
  load?: NodeJS.Require,
): HookWork {
  return compileWithCache<typeof import('./work.ts')>(file, codeFileOf(target), load);
}

/** One for each event, since each runs other functions, and only what ran is compiled. */
function codeFileOf({ argv, env }: Pick<NodeJS.Process, 'argv' | 'env'>): string | null {
  const words = argv.slice(3);
  const event = words[1] ?? '';
  const at = words.indexOf('--home');
  const home = at === -1 ? env.REVERIE_HOME?.trim() || join(env.HOME ?? '', '.reverie') : (words[at + 1] ?? '');
  return isAbsolute(home) && /^[A-Za-z]{1,40}$/.test(event) ? join(home, 'cache', 'code', `hook-${event}.bin`) : null;
}

const BEFORE = '(function (exports, require, module, __filename, importModule) {';
const AFTER = '\n})';

/** Parts that the program asks for by `./NAME.cjs` lie beside it, and have their code beside the program's. */
export function compileWithCache<Exports>(
  file: string,
  codeFile: string | null,
  load: NodeJS.Require = createRequire(file),
): Exports & HookCode {
  const parts = new Map<string, CompiledPart>();
  const fromNode = lazyRequire(load);
  const part = (name: string): CompiledPart => {
    const known = parts.get(name);
    if (known !== undefined) return known;
    const isFirst = name === basename(file);
    const code = isFirst || codeFile === null ? codeFile : codeFile.replace(/\.bin$/, `-${basename(name, '.cjs')}.bin`);
    const compiled = compilePart(join(dirname(file), name), code);
    // Before it runs, since parts may ask for each other.
    parts.set(name, compiled);
    compiled.run((wanted) => (wanted.startsWith('./') ? part(wanted.slice(2)).exports : fromNode(wanted)));
    return compiled;
  };
  return {
    ...(part(basename(file)).exports as Exports),
    keepCode(reached) {
      for (const { keepCode } of parts.values()) keepCode(reached);
    },
  };
}

interface CompiledPart extends HookCode {
  readonly exports: unknown;
  run(load: (name: string) => unknown): void;
}

function compilePart(file: string, codeFile: string | null): CompiledPart {
  const wrapped = readWrapped(file);
  const kept = codeFile === null ? null : readCode(codeFile, wrapped);
  // The build leaves only ASCII in it: nothing to decode.
  const script = new Script(wrapped.toString('latin1'), {
    filename: file,
    ...(kept === null ? {} : { cachedData: kept.code }),
  });
  const keptReach = kept === null || script.cachedDataRejected ? 0 : kept.reach;
  const module = { exports: {} };
  const importModule = (name: string) => import(name);
  return {
    exports: module.exports,
    run: (load) => script.runInThisContext()(module.exports, load, module, file, importModule),
    // Only functions that ran are compiled: code of a hook that went further replaces what is there.
    keepCode(reached) {
      const reach = HOOK_REACHES.indexOf(reached);
      if (codeFile !== null && reach > keptReach)
        writeCode(codeFile, wrapped, { reach, code: script.createCachedData() });
    },
  };
}

/** Modules of Node that take long to load and that few hooks use. */
const RARE_MODULES = new Set([
  'node:child_process',
  'node:crypto',
  'node:fs/promises',
  'node:module',
  'node:net',
  'node:timers/promises',
  'node:url',
  'node:worker_threads',
  'node:zlib',
]);

/** A rare module is loaded when something of it is first asked for. */
function lazyRequire(load: NodeJS.Require): (name: string) => unknown {
  return (name) => {
    if (!RARE_MODULES.has(name)) return load(name) as unknown;
    return new Proxy({}, { get: (_target, key) => (load(name) as Record<PropertyKey, unknown>)[key] });
  };
}

interface KeptCode {
  /** How far the hook went that it comes from, as a place among the reaches. */
  readonly reach: number;
  readonly code: Buffer;
}

/** Far above what any version compiles to. */
const MOST_CODE_BYTES = 16_777_216;

/** As a function of what a module is given. */
function readWrapped(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const wrapped = Buffer.allocUnsafeSlow(BEFORE.length + size + AFTER.length);
    wrapped.write(BEFORE, 0, 'latin1');
    for (let at = 0; at < size; ) {
      const count = readSync(descriptor, wrapped, BEFORE.length + at, size - at, at);
      if (count === 0) throw new Error(`${file} became shorter while it was read`);
      at += count;
    }
    wrapped.write(AFTER, BEFORE.length + size, 'latin1');
    return wrapped;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The engine trusts cached code blindly, whatever happened to the file: so it is ours, whole, and made from this source. The file holds the
 * source once and the code twice: to compare bytes takes a fraction of what a checksum takes, and loads nothing.
 */
function readCode(path: string, source: Buffer): KeptCode | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return null;
  }
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile() || facts.size > MOST_CODE_BYTES) return null;
    if (process.getuid !== undefined && facts.uid !== process.getuid()) return null;
    return keptIn(readFileSync(descriptor), source);
  } finally {
    closeSync(descriptor);
  }
}

function keptIn(bytes: Buffer, source: Buffer): KeptCode | null {
  const half = (bytes.length - source.length) / 2;
  if (half <= 0 || !Number.isInteger(half) || source.compare(bytes, 0, source.length) !== 0) return null;
  const first = bytes.subarray(source.length, source.length + half);
  if (!first.equals(bytes.subarray(source.length + half))) return null;
  const head = Buffer.from(headOf());
  if (!first.subarray(0, head.length).equals(head)) return null;
  return { reach: first[head.length] ?? 0, code: first.subarray(head.length + 1) };
}

/** What else the code depends on. */
function headOf(): string {
  return `${process.version} ${process.arch}\n`;
}

/** Never throws: the next hook compiles for itself then. */
function writeCode(path: string, source: Buffer, { reach, code }: KeptCode): void {
  const temporary = `${path}.${process.pid}`;
  const half = Buffer.concat([Buffer.from(headOf()), Buffer.of(reach), code]);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.concat([source, half, half]), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch {}
}
