/** Code that was compiled before is used when it is whole and ours; whatever else lies there, the program runs. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { compileWithCache, loadHookWork } from './program.ts';

let root: string;
let file: string;
let codeFile: string;

beforeEach(() => {
  root = temporaryFolder('hook-program');
  file = join(root, 'program.cjs');
  codeFile = join(root, 'cache', 'code.bin');
  write('one');
});

function write(word: string): void {
  const body = `exports.say = () => '${word} ' + require('node:path').basename(__filename);`;
  writeFileSync(file, `${body} exports.load = () => importModule('node:os');`);
}

const compile = (path: string | null = codeFile) =>
  compileWithCache<{ say(): string; load(): Promise<object> }>(file, path);

/** Whether the code that lies there was taken: then nothing is written in its place. */
function isTaken(): boolean {
  const before = readFileSync(codeFile);
  const marked = `${statSync(codeFile).ino}`;
  const program = compile();
  expect(program.say()).toBe('one program.cjs');
  program.keepCode('answer');
  return `${statSync(codeFile).ino}` === marked && readFileSync(codeFile).equals(before);
}

function keep(): void {
  const program = compile();
  program.say();
  program.keepCode('answer');
}

describe('compiled code', () => {
  it('is kept when asked for, for its owner alone, and taken the next time', () => {
    expect(compile().say()).toBe('one program.cjs');
    expect(existsSync(codeFile)).toBe(false);
    keep();
    expect(statSync(codeFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(codeFile))).toEqual(['code.bin']);
    expect(isTaken()).toBe(true);
  });

  it('of another source is not taken, even of the same length', () => {
    keep();
    write('two');
    expect(compile().say()).toBe('two program.cjs');
    keep();
    write('one');
    expect(isTaken()).toBe(false);
    expect(isTaken()).toBe(true);
  });

  it('that is damaged anywhere is not taken, and replaced', () => {
    keep();
    const whole = readFileSync(codeFile);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, change, isCut) => {
        const damaged = Buffer.from(isCut ? whole.subarray(0, at) : whole);
        if (!isCut) damaged[at] = damaged[at]! ^ change;
        writeFileSync(codeFile, damaged);
        expect(isTaken()).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  it('of a hook that went further replaces what is there, and is not replaced by less', () => {
    const written = (reach: Parameters<ReturnType<typeof compile>['keepCode']>[0]) => {
      const before = statSync(codeFile, { throwIfNoEntry: false })?.ino;
      compile().keepCode(reach);
      return statSync(codeFile, { throwIfNoEntry: false })?.ino !== before;
    };
    const reaches = ['nothing', 'silence', 'nothing', 'silence', 'answer', 'silence', 'answer'] as const;
    expect(reaches.map(written)).toEqual([false, true, false, false, true, false, false]);
  });

  it('behind a link is not taken', () => {
    keep();
    const elsewhere = join(root, 'elsewhere.bin');
    renameSync(codeFile, elsewhere);
    symlinkSync(elsewhere, codeFile);
    expect(isTaken()).toBe(false);
  });

  it('that cannot be kept is no trouble', () => {
    writeFileSync(dirname(codeFile), 'a file where a folder should be');
    expect(keep).not.toThrow();
    rmSync(dirname(codeFile));
    mkdirSync(codeFile, { recursive: true });
    expect(keep).not.toThrow();
    expect(compile(null).say()).toBe('one program.cjs');
    compile(null).keepCode('answer');
    expect(readdirSync(root).sort()).toEqual(['cache', 'program.cjs']);
    chmodSync(codeFile, 0o700);
  });

  it('of a part is kept beside it, once the part was asked for', () => {
    writeFileSync(join(root, 'more.cjs'), "exports.word = 'more'; exports.back = () => require('./program.cjs').name;");
    writeFileSync(
      file,
      "exports.name = 'first'; exports.say = () => require('./more.cjs').word + require('./more.cjs').back();",
    );
    const quiet = compile();
    quiet.keepCode('answer');
    expect(readdirSync(dirname(codeFile))).toEqual(['code.bin']);
    for (const isKept of [false, true]) {
      const program = compile();
      expect(program.say()).toBe('morefirst');
      program.keepCode('answer');
      const part = join(dirname(codeFile), 'code-more.bin');
      expect(readdirSync(dirname(codeFile)).sort()).toEqual(['code-more.bin', 'code.bin']);
      if (!isKept) writeFileSync(part, readFileSync(part).subarray(1));
    }
    // What was cut short above was compiled again, and replaced.
    expect(readFileSync(join(dirname(codeFile), 'code-more.bin'), 'latin1').slice(0, 9)).toBe('(function');
  });

  it('can import packages, fresh and cached', async () => {
    keep();
    for (const path of [null, codeFile]) expect(await compile(path).load()).toHaveProperty('homedir');
  });
});

describe('the work of a hook', () => {
  const load = (words: readonly string[], path: string) =>
    loadHookWork(path, { argv: ['node', 'main.js', 'hook', ...words], env: { HOME: root } });

  it('keeps its code in the home, one for each event, and never outside', () => {
    writeFileSync(file, 'exports.runHook = () => undefined;');
    const home = join(root, 'home');
    const calls = [
      ['claude-code', 'Stop'],
      ['claude-code', 'Stop', '--home', home],
      ['claude-code', '../../Stop', '--home', home],
      ['claude-code', 'x'.repeat(41), '--home', home],
      ['claude-code', 'PreCompact', '--home', 'relative'],
      ['claude-code'],
    ];
    for (const words of calls) load(words, file).keepCode('answer');
    expect(readdirSync(root).sort()).toEqual(['.reverie', 'home', 'program.cjs']);
    for (const folder of ['.reverie', 'home']) {
      expect(readdirSync(join(root, folder, 'cache', 'code'))).toEqual(['hook-Stop.bin']);
    }
  });
});
