import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { homeLayout, projectLayout } from '../../disk/home.ts';
import { thisProcess } from '../../disk/process-identity.ts';
import { reattachProject } from '../../memory/transfer/attach.ts';
import { importMemories } from '../../memory/transfer/import-memories.ts';
import { openMemory } from '../../session/open-memory.ts';
import type { PlaceOptions } from '../../settings/place.ts';
import { projectSlug } from '../../settings/project.ts';
import { setTrust } from '../../settings/trust-project.ts';
import { clearDreamCopies, examine } from './doctor.ts';

/** Assembled here, so that no scanner takes this file for a leak. */
const SECRET = ['AKIA', 'Q3EGRZ7L', 'N5XWTB2M'].join('');

let root: string;
let home: string;
let project: string;

beforeEach(() => {
  root = temporaryFolder('doctor');
  [home, project] = [join(root, 'home'), join(root, 'project')];
  fs.mkdirSync(project);
});

const options = (more: Partial<PlaceOptions> = {}): PlaceOptions => ({
  cwd: project,
  home,
  env: { HOME: root, PATH: process.env.PATH },
  ...more,
});
const layout = (at = project) => projectLayout(home, projectSlug(at));

async function save(name: string, more: Partial<PlaceOptions> = {}): Promise<void> {
  const memory = await openMemory(options(more));
  await memory.save({ type: 'project', name, description: `About ${name}`, body: `Body of ${name}` });
  await memory.close();
}

function write(file: string, text: string): void {
  fs.writeFileSync(join(layout().memory, file), text, { mode: 0o600 });
}

const memoryText = (more = '') => `---\nname: N\ndescription: D\ntype: project\n${more}---\nBody.\n`;

describe('the home', () => {
  it('may be missing, as long as it can be created', async () => {
    expect(await examine(options({ home: join(root, 'not', 'yet', 'there') }))).toEqual([]);
  });

  it.each<[string, (at: string) => string]>([
    ['a file', (at) => at],
    ['below a file', (at) => join(at, 'deep', 'home')],
  ])('is an error when it is %s', async (_, homeOf) => {
    const file = join(root, 'a-file');
    fs.writeFileSync(file, '');
    const findings = await examine(options({ home: homeOf(file) }));
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ severity: 'error', fix: expect.stringContaining('REVERIE_HOME') });
    expect(findings[0]!.fix).toContain(file);
  });

  it('is an error when it is a link to nothing', async () => {
    fs.symlinkSync(join(root, 'nowhere'), home);
    expect(await examine(options())).toMatchObject([{ severity: 'error', where: home }]);
  });

  it.skipIf(process.getuid?.() === 0)('is an error when it cannot be written to', async () => {
    fs.mkdirSync(home, { mode: 0o500 });
    expect(await examine(options())).toMatchObject([{ severity: 'error', where: home }]);
  });
});

describe('what was in order', () => {
  it('is not read again by status, until it changes', async () => {
    await save('Ports');
    write('project_other.md', memoryText());
    const long = new Date(Date.now() - 60_000);
    const others = async () => (await examine(options(), { trustsLast: true })).map(({ where }) => where);
    expect(await others()).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await examine(options());
    const caches = fs.readdirSync(homeLayout(home).cacheIndex).map((name) => join(homeLayout(home).cacheIndex, name));
    const examined = caches.map((folder) => join(folder, 'examined.json')).filter((file) => fs.existsSync(file));
    expect(Object.keys(JSON.parse(fs.readFileSync(examined[0]!, 'utf8')).files)).toHaveLength(2);
    write('project_other.md', memoryText().replace('Body.', SECRET));
    fs.utimesSync(join(layout().memory, 'project_other.md'), long, long);
    expect(await others()).toEqual([join(layout().memory, 'project_other.md')]);
  });

  it('nor is a folder that has not changed looked through again: what was found there is said once more', async () => {
    await save('Ports');
    write('project_other.md', memoryText().replace('Body.', SECRET));
    let scanned = 0;
    const look = () => examine(options(), { trustsLast: true, onScanned: () => scanned++ });
    await look();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const found = await look();
    expect(found).toMatchObject([{ severity: 'error', where: join(layout().memory, 'project_other.md') }]);
    scanned = 0;
    expect(await look()).toEqual(found);
    expect(scanned).toBe(0);
    fs.rmSync(join(layout().memory, 'project_other.md'));
    expect(await look()).toEqual([]);
  });
});

describe('records in the home', () => {
  it.each([['{'], ['[]'], ['{"projects": "all"}'], ['']])(
    'a list of trusted projects that reads %j is reported, and left as it is',
    async (text) => {
      const { trustFile } = homeLayout(home);
      fs.mkdirSync(home);
      fs.writeFileSync(trustFile, text);
      const told = { severity: 'warning', where: trustFile, fix: expect.stringContaining(`rm -r ${trustFile}`) };
      expect(await examine(options())).toMatchObject([told]);
      const fix = expect.stringContaining(trustFile);
      await expect(setTrust({ ...options(), trusted: true })).rejects.toMatchObject({ code: 'damaged', fix });
      expect(fs.readFileSync(trustFile, 'utf8')).toBe(text);
    },
  );

  it.each([['{}'], ['\uFEFF{"projects": ["/other"], "more": 1}']])(
    'one that reads %j is kept and added to',
    async (text) => {
      const { trustFile } = homeLayout(home);
      fs.mkdirSync(home);
      fs.writeFileSync(trustFile, text);
      await setTrust({ ...options(), trusted: true });
      const before = JSON.parse(text.replace('\uFEFF', ''));
      const after = { ...before, projects: [...(before.projects ?? []), project] };
      expect(JSON.parse(fs.readFileSync(trustFile, 'utf8'))).toEqual(after);
      expect(await examine(options())).toEqual([]);
    },
  );

  it('a damaged record of the project is reported, and fixed as it says', async () => {
    await save('One');
    const { recordFile } = layout();
    fs.writeFileSync(recordFile, '{"root": ');
    const [finding, ...others] = await examine(options());
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ severity: 'warning', where: recordFile });
    expect(finding!.fix).toContain(`rm -r ${recordFile}`);
    fs.rmSync(recordFile);
    await save('Two');
    expect(JSON.parse(fs.readFileSync(recordFile, 'utf8'))).toMatchObject({ root: project });
    expect(await examine(options())).toEqual([]);
  });
});

describe('a broken part', () => {
  it.each([
    ['MEMORY.md'],
    ['.reverie/journal/changes.jsonl'],
    ['.reverie/journal/contents'],
    ['.reverie/lock'],
    ['.reverie'],
  ])('%s of the wrong kind is one error, and the memories are still checked', async (part) => {
    await save('One');
    write('odd.md', memoryText().replace('type: project', 'type: nonsense'));
    const where = join(layout().memory, part);
    const isFile = fs.statSync(where).isFile();
    fs.rmSync(where, { recursive: true });
    if (isFile) fs.mkdirSync(where);
    else fs.writeFileSync(where, '');
    const findings = await examine(options());
    const errors = findings.filter(({ severity }) => severity === 'error');
    expect(errors).toEqual([
      { severity: 'error', what: expect.stringContaining('belongs'), where, fix: expect.stringContaining('Move it') },
    ]);
    expect(findings).toContainEqual(expect.objectContaining({ what: expect.stringContaining('"nonsense"') }));
  });

  it('a folder that must not be one is an error, not a crash', async () => {
    const findings = await examine(options({ directory: '/' }));
    expect(findings).toMatchObject([{ severity: 'error', fix: expect.stringMatching(/./) }]);
  });
});

describe('the current writer', () => {
  const holdLock = (record: object) => {
    const lock = join(layout().memory, '.reverie', 'lock');
    const newest = Math.max(...fs.readdirSync(lock).map(Number));
    fs.writeFileSync(join(lock, String(newest + 1)), JSON.stringify({ token: 't', at: Date.now(), ...record }));
  };

  it('is shown while the process lives', async () => {
    await save('One');
    holdLock(thisProcess());
    const writing = { severity: 'note', what: `Process ${process.pid} is writing here` };
    expect(await examine(options())).toMatchObject([writing]);
  });

  it('is not shown once it is gone', async () => {
    await save('One');
    holdLock({ ...thisProcess(), started: '1' });
    expect(await examine(options())).toEqual([]);
  });
});

describe('memories', () => {
  it('a secret in an index line is reported, and no purge is advised', async () => {
    await save('One');
    fs.appendFileSync(join(layout().memory, 'MEMORY.md'), `\nThe key is ${SECRET}\n`);
    const errors = (await examine(options())).filter(({ severity }) => severity === 'error');
    expect(errors).toMatchObject([{ where: join(layout().memory, 'MEMORY.md') }]);
    expect(errors[0]!.fix).not.toContain('purge');
    expect(errors[0]!.what).not.toContain(SECRET);
  });

  it('commands pass a file that begins with a dash so that it is not an option', async () => {
    await save('One');
    write('-odd.md', `key ${SECRET}\n`);
    const fixes = (await examine(options())).map(({ fix }) => fix);
    expect(fixes).toContain('reverie memory edit -- -odd.md');
    expect(fixes).toContainEqual(expect.stringMatching(/reverie memory purge -- -odd\.md$/));
  });

  it.each([
    ['project_one.md', true],
    ['project_one', true],
    ['project:project_one', true],
    ['gone.md', false],
  ])('superseded by %s is in order: %s', async (successor, isInOrder) => {
    await save('One');
    write('old.md', memoryText(`superseded_by: ${successor}\n`));
    const findings = await examine(options());
    if (isInOrder) expect(findings).toEqual([]);
    else {
      expect(findings).toMatchObject([
        { severity: 'warning', where: `${join(layout().memory, 'old.md')}:5`, fix: expect.stringContaining('old.md') },
      ]);
    }
  });
});

describe('copies of killed dreams', () => {
  const HOUR_MS = 3_600_000;
  const GONE = { ...thisProcess(), started: '1' };
  const STRANGER = { ...thisProcess(), host: 'another-host' };
  const copies = () => join(home, 'cache', 'dreams');
  function put(name: string, owner: unknown, ageMs = 0): string {
    const place = join(copies(), name);
    fs.mkdirSync(join(place, 'memory'), { recursive: true });
    fs.writeFileSync(join(place, 'memory', 'a.md'), memoryText());
    if (owner !== null) fs.writeFileSync(join(place, 'owner.json'), JSON.stringify(owner));
    const at = new Date(Date.now() - ageMs);
    fs.utimesSync(place, at, at);
    return place;
  }

  it.each<[string, unknown, number, boolean]>([
    ['whose process is gone', GONE, 0, true],
    ['whose process lives', thisProcess(), 0, false],
    ['whose process lives, though it was stopped for hours', thisProcess(), 5 * HOUR_MS, false],
    ['of another machine, of late', STRANGER, 0, false],
    ['of another machine, longer ago than a dream takes', STRANGER, 5 * HOUR_MS, true],
    ['that nobody signed, of late', null, 0, false],
    ['that nobody signed, longer ago than a dream takes', null, 5 * HOUR_MS, true],
  ])('%s', async (_, owner, ageMs, isLeft) => {
    const place = put('d1', owner, ageMs);
    const finding = { severity: 'warning', where: place, fix: 'reverie doctor --clear-copies' };
    expect(await examine(options())).toMatchObject(isLeft ? [finding] : []);
    expect(await clearDreamCopies(options())).toEqual(isLeft ? [place] : []);
    expect(fs.existsSync(place)).toBe(!isLeft);
    expect(await examine(options())).toEqual([]);
  });

  it('are reported together, and a link among them is not followed', async () => {
    const outside = join(root, 'outside');
    fs.mkdirSync(join(outside, 'memory'), { recursive: true });
    fs.writeFileSync(join(outside, 'owner.json'), JSON.stringify(GONE));
    const places = [put('d1', GONE), put('d2', GONE)];
    fs.symlinkSync(outside, join(copies(), 'd3'));
    const what = 'Killed dreams left 2 copies of memories behind; the next dream would clear them away';
    expect(await examine(options())).toMatchObject([{ what, where: copies() }]);
    expect(await clearDreamCopies(options())).toEqual(places);
    expect(fs.readdirSync(outside).toSorted()).toEqual(['memory', 'owner.json']);
  });
});

describe('a moved repository', () => {
  const moved = () => join(root, 'moved');
  function commit(): void {
    const git = (...words: string[]) => execFileSync('git', ['-C', project, ...words], { stdio: 'ignore' });
    git('init', '-q');
    git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-q', '--allow-empty', '-m', 'root');
  }
  async function moveAfterSave(): Promise<void> {
    commit();
    await save('Old');
    fs.renameSync(project, moved());
  }

  it('is advised to re-attach while the new place is empty', async () => {
    await moveAfterSave();
    const slug = projectSlug(project);
    expect(await examine(options({ cwd: moved() }))).toMatchObject([{ fix: `reverie doctor --reattach ${slug}` }]);
    await reattachProject({ ...options({ cwd: moved() }), slug });
    expect(await examine(options({ cwd: moved() }))).toEqual([]);
  });

  it.each([
    ['without git', () => undefined],
    ['whose first commit came after its first memory', commit],
  ])('%s finds its memory again as well', async (_name, afterwards) => {
    await save('Old');
    afterwards();
    await save('Newer');
    fs.renameSync(project, moved());
    const slug = projectSlug(project);
    expect(await examine(options({ cwd: moved() }))).toMatchObject([{ fix: `reverie doctor --reattach ${slug}` }]);
    await reattachProject({ ...options({ cwd: moved() }), slug });
    expect(await examine(options({ cwd: moved() }))).toEqual([]);
  });

  it('is known by a commit that came after its first memory, also where its folder is another', async () => {
    await save('Old');
    commit();
    await save('Newer');
    fs.cpSync(project, moved(), { recursive: true });
    fs.rmSync(project, { recursive: true });
    const fix = `reverie doctor --reattach ${projectSlug(project)}`;
    expect(await examine(options({ cwd: moved() }))).toMatchObject([{ fix }]);
  });

  it('is advised to import and remove when the new place has memories, and that works', async () => {
    await moveAfterSave();
    await save('New', { cwd: moved() });
    const { folder, memory } = layout();
    const [finding, ...others] = await examine(options({ cwd: moved() }));
    expect(others).toEqual([]);
    expect(finding!.fix.split('\n')).toEqual([`reverie import ${memory}`, `rm -r ${folder}`]);
    await importMemories({ ...options({ cwd: moved() }), source: memory });
    fs.rmSync(folder, { recursive: true });
    expect(await examine(options({ cwd: moved() }))).toEqual([]);
    const opened = await openMemory(options({ cwd: moved() }));
    expect((await opened.list()).map(({ file }) => file)).toEqual(['project_new.md', 'project_old.md']);
    await opened.close();
  });
});
