import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createFolder, type Folder, openFolder } from './folder.ts';

let place: string;

beforeEach(() => {
  place = temporaryFolder('folder');
});

async function put(folder: Folder, name: string, text: string): Promise<void> {
  folder.moveIn({ from: folder, name: await folder.stage(Buffer.from(text)) }, name, 'replace');
}

describe('a folder held by its descriptor', () => {
  it('makes folders and files for their owner alone, whatever the umask', async () => {
    const umask = process.platform === 'linux' ? 0 : null;
    const script = `import { createFolder } from ${JSON.stringify(new URL('../../dist/disk/folder.js', import.meta.url).href)};
      process.umask(${umask});
      const folder = createFolder(process.argv[1]);
      folder.moveIn({ from: folder, name: await folder.stage(Buffer.from('x')) }, 'a.md', 'replace');`;
    const target = join(place, 'deep', 'memory');
    execFileSync(process.execPath, ['--input-type=module', '-e', script, target]);
    const mode = (path: string) => fs.statSync(path).mode & 0o777;
    expect([mode(join(place, 'deep')), mode(target), mode(join(target, 'a.md'))]).toEqual([0o700, 0o700, 0o600]);
  });

  it('replaces a file whole and leaves nothing beside it', async () => {
    const folder = createFolder(join(place, 'm'));
    await put(folder, 'a.md', 'one');
    await put(folder, 'a.md', 'two');
    expect(folder.read('a.md')?.toString()).toBe('two');
    expect(folder.entries().map((entry) => entry.name)).toEqual(['a.md']);
    folder.close();
  });

  it('never creates over a file that is there', async () => {
    const folder = createFolder(join(place, 'm'));
    await put(folder, 'a.md', 'one');
    const name = await folder.stage(Buffer.from('two'));
    expect(folder.moveIn({ from: folder, name }, 'a.md', 'create')).toBe(false);
    expect(folder.read('a.md')?.toString()).toBe('one');
    folder.close();
  });

  it('keeps to the folder it opened when a parent is swapped for a link', async () => {
    const folder = createFolder(join(place, 'parent', 'memory'));
    fs.mkdirSync(join(place, 'outside', 'memory'), { recursive: true });
    fs.renameSync(join(place, 'parent'), join(place, 'moved'));
    fs.symlinkSync(join(place, 'outside'), join(place, 'parent'));
    await put(folder, 'a.md', 'mine');
    expect(fs.readdirSync(join(place, 'outside', 'memory'))).toEqual([]);
    expect(fs.readFileSync(join(place, 'moved', 'memory', 'a.md'), 'utf8')).toBe('mine');
    folder.close();
  });

  it('refuses links, pipes and folders in place of a file', () => {
    const folder = createFolder(join(place, 'm'));
    fs.writeFileSync(join(place, 'secret'), 'secret');
    fs.symlinkSync(join(place, 'secret'), join(place, 'm', 'link.md'));
    fs.mkdirSync(join(place, 'm', 'dir.md'));
    execFileSync('mkfifo', [join(place, 'm', 'pipe.md')]);
    expect(() => folder.read('link.md')).toThrow('is a link');
    expect(() => folder.read('dir.md')).toThrow('not a regular file');
    expect(() => folder.read('pipe.md')).toThrow('not a regular file');
    fs.symlinkSync(place, join(place, 'm', 'sub'));
    expect(() => folder.sub('sub')).toThrow('link or not a folder');
    folder.close();
  });

  it('is null when it is not there, and refuses a link in its own place', () => {
    expect(openFolder(join(place, 'none'))).toBeNull();
    fs.symlinkSync(place, join(place, 'link'));
    expect(() => openFolder(join(place, 'link'))).toThrow('link or not a folder');
  });
});
