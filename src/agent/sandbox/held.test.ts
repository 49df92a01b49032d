import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { heldMounts } from './held.ts';

it('holds other names of what is held, but not of objects of git, which clones share', () => {
  const project = temporaryFolder('held');
  mkdirSync(join(project, '.git/objects/aa'), { recursive: true });
  writeFileSync(join(project, '.git/config'), '');
  writeFileSync(join(project, '.git/objects/aa/bb'), '');
  linkSync(join(project, '.git/config'), join(project, 'config-copy'));
  linkSync(join(project, '.git/objects/aa/bb'), join(project, 'object-copy'));
  const { mounts } = heldMounts({ protected: [join(project, '.git')], absent: [] }, [project]);
  const fixed = mounts.filter(({ kind }) => kind === 'read-only').map(({ path }) => path.slice(project.length + 1));
  expect(fixed.filter((path) => !path.startsWith('.git/'))).toEqual(['.git', 'config-copy']);
});
