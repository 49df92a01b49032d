/** The profile that sandbox-exec is given. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { seatbelt } from './seatbelt.ts';

describe('seatbelt', () => {
  it('denies all but what the policy names', () => {
    const project = temporaryFolder('seat"belt');
    mkdirSync(join(project, '.git'));
    writeFileSync(join(project, '.env'), '');
    const { program, args, environment } = seatbelt('/usr/bin/sandbox-exec').start('echo hi', {
      ...{ cwd: project, readable: [project], writable: [project], denied: [join(project, '.env')] },
      ...{ protected: [join(project, '.git/config')], environment: { PATH: '/usr/bin:/bin', API_KEY: 'k' } },
    });
    const profile = args[1]!.split('\n');
    const quoted = (path: string) => JSON.stringify(path);
    expect(program).toBe('/usr/bin/sandbox-exec');
    expect(profile.slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
    expect(profile).toContain(`(allow file-write* (subpath ${quoted(project)}))`);
    const kept = ['.git/config', '.env'].map((name) => `(subpath ${quoted(join(project, name))})`).join(' ');
    expect(profile).toContain(`(deny file-write* ${kept})`);
    expect(profile).toContain(`(deny file-write-unlink (literal ${quoted(join(project, '.git'))}))`);
    expect(profile.slice(-2)).toEqual([
      `(deny file-read* (subpath ${quoted(join(project, '.env'))}))`,
      '(deny network*)',
    ]);
    expect(environment).toMatchObject({ HOME: '/var/empty', PATH: '/usr/bin:/bin' });
    expect(environment.API_KEY).toBeUndefined();
  });
});
