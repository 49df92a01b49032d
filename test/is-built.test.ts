/** When a start may do without a build: only where nothing that dist/ is made of was touched since. */

import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBuilt, markBuilt } from '../scripts/is-built.mjs';

const LONG_AGO = new Date('2024-01-01T00:00:00Z');
const BUILD = new Date('2025-01-01T00:00:00Z');
let root: string;

const at = (...names: string[]) => join(root, ...names);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'reverie-built-'));
  for (const folder of ['src/lib', 'scripts', 'dist']) mkdirSync(at(folder), { recursive: true });
  for (const file of ['src/main.ts', 'src/lib/part.ts', 'scripts/build.mjs', 'package.json'])
    writeFileSync(at(file), '');
  for (const each of [
    'src/main.ts',
    'src/lib/part.ts',
    'scripts/build.mjs',
    'package.json',
    'src/lib',
    'src',
    'scripts',
  ]) {
    utimesSync(at(each), LONG_AGO, LONG_AGO);
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('dist/', () => {
  it('is of these sources until one is touched', () => {
    expect(isBuilt(root)).toBe(false);
    markBuilt(root, BUILD);
    expect(isBuilt(root)).toBe(true);
  });

  it.each<[string, () => void]>([
    ['written', () => writeFileSync(at('src/lib/part.ts'), 'x')],
    ['written while the build ran', () => utimesSync(at('src/main.ts'), BUILD, BUILD)],
    ['removed', () => rmSync(at('src/lib/part.ts'))],
    ['renamed', () => renameSync(at('src/lib/part.ts'), at('src/lib/other.ts'))],
    ['added', () => writeFileSync(at('src/lib/new.ts'), '')],
    ['a way to build', () => writeFileSync(at('package.json'), '{}')],
  ])('is not once a source was %s', (_, touch) => {
    markBuilt(root, BUILD);
    touch();
    expect(isBuilt(root)).toBe(false);
  });

  it('is not where a build was cut off', () => {
    markBuilt(root, BUILD);
    rmSync(at('dist'), { recursive: true });
    mkdirSync(at('dist'));
    expect(isBuilt(root)).toBe(false);
  });
});
