/** Which folders of the user's PATH a sandbox shows, and which stay away. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { findToolchains } from './toolchains.ts';

function makeHome() {
  const home = temporaryFolder('home');
  const make = (name: string) => {
    mkdirSync(join(home, name), { recursive: true });
    return join(home, name);
  };
  const look = (...path: string[]) =>
    findToolchains({ path: path.join(':'), home, rustupHome: join(home, '.rustup'), worked: [join(home, 'project')] });
  return { home, make, look };
}

describe('toolchains', () => {
  it('keeps the system’s folders, and nothing that is relative, empty, gone or in the project', () => {
    const { make, look } = makeHome();
    const project = make('project/node_modules/.bin');
    expect(look('', '.', 'bin', '/usr/bin', '/no/such', project, '/bin/', '/usr/bin')).toEqual({
      ...{ path: '/usr/bin:/bin', folders: [], hidden: [] },
    });
    expect(look('', '.').path).toBe('/usr/local/bin:/usr/bin:/bin');
  });

  it('never shows the home folder, what holds it, or a place of keys', () => {
    const { home, make, look } = makeHome();
    expect(look(home, join(home, '..'), '/', make('.ssh'), make('.aws/bin'), '/tmp', '/proc').folders).toEqual([]);
  });

  it('shows what is beside a folder of programs, but no data and no credentials', () => {
    const { home, make, look } = makeHome();
    const programs = make('.local/bin');
    const library = make('.local/lib');
    make('.local/share/keyrings');
    expect(look(programs).folders).toEqual([programs, library]);
    const cargo = make('.cargo/bin');
    writeFileSync(join(home, '.cargo/credentials.toml'), '');
    const toolchains = make('.rustup/toolchains');
    expect(look(cargo).folders).toEqual([cargo, toolchains]);
    expect(look(make('bin')).folders).toEqual([join(home, 'bin')]);
  });

  it('hides secrets beside scripts of one’s own, at any depth, and beside programs', () => {
    const { make, look } = makeHome();
    const [scripts, programs] = [make('scripts'), make('.tool/bin')];
    make('scripts/deep');
    const secrets = [join(scripts, '.env'), join(scripts, 'deep/server.key'), join(programs, 'id_rsa')];
    for (const path of [...secrets, join(scripts, 'deploy'), join(make('.tool/lib'), 'sample.pem')])
      writeFileSync(path, '');
    expect([...look(scripts, programs).hidden].sort()).toEqual([...secrets].sort());
  });

  it('shows the whole installation of a version manager, and what links lead to', () => {
    const { home, make, look } = makeHome();
    const node = make('.nvm/versions/node/v20/bin');
    expect(look(node).folders).toContain(join(home, '.nvm/versions/node/v20'));
    expect(look(make('.pyenv/shims')).folders).toContain(join(home, '.pyenv'));
    const links = make('links');
    writeFileSync(join(node, 'node'), '');
    writeFileSync(join(make('apps'), 'single'), '');
    writeFileSync(join(make('.ssh'), 'key'), '');
    symlinkSync(join(node, 'node'), join(links, 'node'));
    symlinkSync(join(home, 'apps/single'), join(links, 'single'));
    symlinkSync(join(home, '.ssh/key'), join(links, 'key'));
    symlinkSync(home, join(links, 'home'));
    expect(look(links).folders).toEqual([links, join(home, '.nvm/versions/node/v20'), join(home, 'apps/single')]);
  });
});
