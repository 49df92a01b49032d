/** Which programs are found, and which PATH is handed on, whatever a project puts in the way. */

import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { findProgram, startProgram, trustedEnvironment, userEnvironment } from './programs.ts';

let root: string;
const at = (...names: string[]) => join(root, ...names);

function put(path: string, mode = 0o755): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), '#!/bin/sh\n');
  chmodSync(at(path), mode);
}

beforeAll(() => {
  root = realpathSync(temporaryFolder('programs'));
  for (const folder of ['outer/.git', 'outer/project/.git', 'user']) {
    for (const name of ['objects', 'refs']) mkdirSync(at(folder, name), { recursive: true });
    writeFileSync(at(folder, 'HEAD'), 'ref: refs/heads/main\n');
  }
  for (const path of ['outer/bin/tool', 'outer/project/bin/tool', 'outer/project/sub/tool', 'elsewhere/bin/tool'])
    put(path);
  put('elsewhere/node_modules/.bin/tool');
  put('plain/tool', 0o644);
  mkdirSync(at('linked'));
  symlinkSync(at('outer/project/bin/tool'), at('linked/tool'));
  symlinkSync(at('outer/project/bin'), at('link-to-bin'));
});

const search = (path: string | undefined, cwd = 'outer/project/sub') => ({
  cwd: at(cwd),
  environment: { PATH: path, HOME: at('user') },
});

describe('a program', () => {
  it.each<readonly [string, () => string]>([
    ['in the folder it works in', () => at('outer/project/sub')],
    ['by a relative entry', () => '.:bin:node_modules/.bin'],
    ['by an empty entry', () => ':'],
    ['in the repository', () => at('outer/project/bin')],
    ['in a repository around it', () => at('outer/bin')],
    ['through a link to a folder of the repository', () => at('link-to-bin')],
    ['through a link to a file of the repository', () => at('linked')],
    ['among the programs of a package', () => `${at('elsewhere/node_modules/.bin')}/`],
    ['that may not be run', () => at('plain')],
  ])('%s is not found', (_, path) => {
    expect(findProgram('tool', search(path()))).toBeNull();
    expect(findProgram('tool', search(`${path()}:${at('elsewhere/bin')}`))).toBe(at('elsewhere/bin/tool'));
  });

  it('named by its path is taken unless it lies in the project', () => {
    expect(findProgram(at('elsewhere/bin/tool'), search(''))).toBe(at('elsewhere/bin/tool'));
    expect(findProgram('./tool', search(''))).toBeNull();
    expect(findProgram(at('outer/project/bin/tool'), search(''))).toBeNull();
  });

  it('of the user’s own is found where the home folder is the place of work', () => {
    put('user/.local/bin/own');
    expect(findProgram('own', search(at('user/.local/bin'), 'user'))).toBe(at('user/.local/bin/own'));
  });

  it('is never started by its name alone', () => {
    expect(() => startProgram('git', [], { cwd: root, environment: {}, stdio: 'ignore' })).toThrow('absolute');
  });
});

describe('the PATH handed on', () => {
  it('leads nowhere into the project before trust, and never to wherever a program works', () => {
    const path = ['.', '', 'bin', at('outer/project/bin'), '/usr/bin', at('elsewhere/node_modules/.bin')].join(':');
    expect(userEnvironment(search(path)).PATH).toBe('/usr/bin');
    const trusted = [at('outer/project/bin'), '/usr/bin', at('elsewhere/node_modules/.bin')].join(':');
    expect(trustedEnvironment({ PATH: path }).PATH).toBe(trusted);
  });

  it('is never empty, which would mean the current folder', () => {
    expect(userEnvironment(search('.')).PATH).toBe('/usr/local/bin:/usr/bin:/bin');
    expect(userEnvironment(search(undefined)).PATH).toBe('/usr/local/bin:/usr/bin:/bin');
  });
});
