/** Loads the hook from its one file, with the code that an earlier hook compiled: a fifth of what a host waits for. */

import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';
import { Script } from 'node:vm';

export interface HookProgram {
  readonly runHookProcess: typeof import('./hook-process.ts').runHookProcess;
  /** Leaves the compiled code for the next hook, if there was none of use. */
  keepCode(): void;
}

/** On any doubt the module itself, as it stands in the package. */
export async function loadHookProgram(
  file: string,
  target: Pick<NodeJS.Process, 'argv' | 'env'>,
): Promise<HookProgram> {
  try {
    return compileWithCache<Pick<HookProgram, 'runHookProcess'>>(file, codeFileOf(target));
  } catch {
    const { runHookProcess } = await import('./hook-process.ts');
    return { runHookProcess, keepCode: () => undefined };
  }
}

/** One for each event, since each runs other functions, and only what ran is compiled. */
function codeFileOf({ argv, env }: Pick<NodeJS.Process, 'argv' | 'env'>): string | null {
  const words = argv.slice(3);
  const event = words[1] ?? '';
  const at = words.indexOf('--home');
  const home = at === -1 ? env.REVERIE_HOME?.trim() || join(env.HOME ?? '', '.reverie') : (words[at + 1] ?? '');
  return isAbsolute(home) && /^[A-Za-z]{1,40}$/.test(event) ? join(home, 'cache', 'code', `hook-${event}.bin`) : null;
}

export function compileWithCache<Exports>(file: string, codeFile: string | null): Exports & { keepCode(): void } {
  const source = readFileSync(file, 'utf8');
  const cachedData = codeFile === null ? null : readCode(codeFile, source);
  const script = new Script(`(function (exports, require, module, __filename, importModule) {${source}\n})`, {
    filename: file,
    ...(cachedData === null ? {} : { cachedData }),
  });
  const module = { exports: {} as Exports };
  const importModule = (name: string) => import(name);
  script.runInThisContext()(module.exports, createRequire(file), module, file, importModule);
  const isOfUse = cachedData !== null && script.cachedDataRejected === false;
  return {
    ...module.exports,
    keepCode() {
      if (codeFile !== null && !isOfUse) writeCode(codeFile, { source, code: script.createCachedData() });
    },
  };
}

const DIGEST_BYTES = 32;
/** Far above what any version compiles to. */
const MOST_CODE_BYTES = 8_388_608;

/** The engine trusts cached code blindly, whatever happened to the file: so it is ours, whole, and made from this source. */
function readCode(path: string, source: string): Buffer | null {
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
    const code = bytes.subarray(DIGEST_BYTES);
    return digestOf(source, code).equals(bytes.subarray(0, DIGEST_BYTES)) ? code : null;
  } finally {
    closeSync(descriptor);
  }
}

/** Never throws: the next hook compiles for itself then. */
function writeCode(path: string, { source, code }: { source: string; code: Buffer }): void {
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.concat([digestOf(source, code), code]), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch {}
}

function digestOf(source: string, code: Buffer): Buffer {
  const { version, arch } = process;
  return createHash('sha256').update(`${version} ${arch}\n`).update(source).update(code).digest();
}
