/** Loads the work of a hook from its one file, with the code that an earlier hook compiled: a fifth of what a host waits for. */

import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';
import { Script } from 'node:vm';
import type { HookCode, HookWork } from './process.ts';
import { HOOK_REACHES } from './run/event.ts';

/** What was compiled before is used where it can be. */
export function loadHookWork(file: string, target: Pick<NodeJS.Process, 'argv' | 'env'>): HookWork {
  return compileWithCache<typeof import('./work.ts')>(file, codeFileOf(target));
}

/** One for each event, since each runs other functions, and only what ran is compiled. */
function codeFileOf({ argv, env }: Pick<NodeJS.Process, 'argv' | 'env'>): string | null {
  const words = argv.slice(3);
  const event = words[1] ?? '';
  const at = words.indexOf('--home');
  const home = at === -1 ? env.REVERIE_HOME?.trim() || join(env.HOME ?? '', '.reverie') : (words[at + 1] ?? '');
  return isAbsolute(home) && /^[A-Za-z]{1,40}$/.test(event) ? join(home, 'cache', 'code', `hook-${event}.bin`) : null;
}

export function compileWithCache<Exports>(file: string, codeFile: string | null): Exports & HookCode {
  // The build leaves only ASCII in it: nothing to decode.
  const source = readFileSync(file, 'latin1');
  const kept = codeFile === null ? null : readCode(codeFile, source);
  const script = new Script(`(function (exports, require, module, __filename, importModule) {${source}\n})`, {
    filename: file,
    ...(kept === null ? {} : { cachedData: kept.code }),
  });
  const module = { exports: {} as Exports };
  const importModule = (name: string) => import(name);
  script.runInThisContext()(module.exports, lazyRequire(createRequire(file)), module, file, importModule);
  const keptReach = kept === null || script.cachedDataRejected ? 0 : kept.reach;
  return {
    ...module.exports,
    // Only functions that ran are compiled: code of a hook that went further replaces what is there.
    keepCode(reached) {
      const reach = HOOK_REACHES.indexOf(reached);
      if (codeFile !== null && reach > keptReach)
        writeCode(codeFile, source, { reach, code: script.createCachedData() });
    },
  };
}

/** Modules of Node that take long to load and that few hooks use. */
const RARE_MODULES = new Set(['node:child_process', 'node:fs/promises', 'node:zlib']);

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

const DIGEST_BYTES = 32;
/** Far above what any version compiles to. */
const MOST_CODE_BYTES = 8_388_608;

/** The engine trusts cached code blindly, whatever happened to the file: so it is ours, whole, and made from this source. */
function readCode(path: string, source: string): KeptCode | null {
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
    const bytes = readFileSync(descriptor);
    const kept = { reach: bytes[DIGEST_BYTES] ?? 0, code: bytes.subarray(DIGEST_BYTES + 1) };
    return digestOf(source, kept).equals(bytes.subarray(0, DIGEST_BYTES)) ? kept : null;
  } finally {
    closeSync(descriptor);
  }
}

/** Never throws: the next hook compiles for itself then. */
function writeCode(path: string, source: string, kept: KeptCode): void {
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.concat([digestOf(source, kept), Buffer.of(kept.reach), kept.code]), {
      mode: 0o600,
      flag: 'wx',
    });
    renameSync(temporary, path);
  } catch {}
}

function digestOf(source: string, { reach, code }: KeptCode): Buffer {
  const { version, arch } = process;
  return createHash('sha256').update(`${version} ${arch} ${reach}\n`).update(source).update(code).digest();
}
