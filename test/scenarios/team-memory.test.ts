/** Team memory through the real commands and real git: two clones of one repository, with a home each. */

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TEAM_FOLDER } from '../../src/disk/home.ts';
import { startContext } from '../../src/hooks/run/start.ts';
import { listResources } from '../../src/mcp/resources.ts';
import { openReadScopes } from '../../src/memory/read-scopes.ts';
import { setTrust } from '../../src/settings/trust-project.ts';
import { announceRules } from '../../src/team/announce.ts';
import { checkStaged, checkWorkTree } from '../../src/team/check-folder.ts';
import { installTeam } from '../../src/team/install.ts';
import { teamOpener } from '../../src/team/opener.ts';
import { proposeTeam } from '../../src/team/propose.ts';
import { repairTeam } from '../../src/team/repair.ts';
import { shareMemory, unshareMemory } from '../../src/team/share.ts';
import { runCommandHere } from '../support/command-here.ts';
import { FORMS } from '../support/made-up-secrets.ts';
import { isWhole } from '../support/property-runs.ts';
import { type Person, publish, twoPeople } from '../support/team-people.ts';

const LONG_MS = 120_000;

/** `reverie team status`, as this person sees it. */
async function statusFor({ tree, place }: Person): Promise<unknown> {
  const { home } = place();
  const environment = { PATH: process.env.PATH, HOME: join(home, '..'), REVERIE_HOME: home };
  return JSON.parse((await runCommandHere(['team', 'status', '--json'], { cwd: tree, environment })).stdout);
}

const NO_MOCKS = {
  type: 'feedback',
  name: 'No mocks',
  description: 'Integration tests use the real database',
  body: 'Use the real database in integration tests.',
  quote: [{ text: 'no mocks in integration tests, ever', at: '2026-01-31' }],
} as const;
const FREEZE = {
  type: 'project',
  name: 'Deploy day',
  description: 'Production deploys happen on Tuesdays',
  body: 'Deploys to production happen on Tuesdays.',
} as const;

describe('what one person shares', () => {
  it('reaches the other by git, as a colleague’s word', { timeout: LONG_MS }, async () => {
    const { ann, bob } = twoPeople();
    await ann.withMemory((memory) => memory.save(FREEZE));
    const shared = await ann.share('project_deploy-day.md');
    expect(shared.path).toMatch(/^\.reverie\/team-memory\/project_deploy-day-[a-z0-9]{8}\.md$/);
    // Her own is not listed twice.
    expect(await ann.withMemory(async (memory) => (await memory.list()).map(({ scope }) => scope))).toEqual([
      'project',
    ]);
    expect((await ann.share('project_deploy-day.md')).isKnown).toBe(true);
    publish(ann);
    bob.git('pull', '-q', 'origin', 'main');
    await bob.withMemory(async (memory) => memory.noticeOutsideEdits());
    await bob.withMemory(async (memory) => {
      const [entry] = await memory.list();
      expect(entry).toMatchObject({ scope: 'team', source: 'imported', origin: { author: 'ann' } });
      const [hit] = await memory.recall('when do we deploy to production?');
      expect(hit?.text).toContain('From the team: ann said it (commit ');
      expect(hit?.text).toContain('> Deploys to production happen on Tuesdays.');
      const { resources } = await listResources(memory, undefined);
      expect(resources.map(({ uri }) => uri)).toContain(`reverie://memory/team/${entry!.file}`);
      await expect(memory.forget(entry!.file, { scope: 'team' })).rejects.toThrow('not changed in place');
      await expect(memory.filesOf('team').write('project_x.md', 'x')).rejects.toThrow('not changed in place');
    });
    expect(existsSync(join(bob.tree, TEAM_FOLDER, 'MEMORY.md'))).toBe(false);
  });

  it('is a rule for others in a trusted project only, and announced once', { timeout: LONG_MS }, async () => {
    const { ann, bob } = twoPeople();
    await ann.withMemory((memory) => memory.save(NO_MOCKS));
    await ann.share('feedback_no-mocks.md');
    // For her it is her own word, whether or not she trusts the project.
    expect(await statusFor(ann)).toMatchObject({ isTrusted: false, sharedByYou: 1, waitingForTrust: 0 });
    publish(ann);
    bob.git('pull', '-q', 'origin', 'main');
    expect(await statusFor(bob)).toMatchObject({ sharedByYou: 0, waitingForTrust: 1 });
    expect(await bob.withMemory((memory) => memory.list())).toEqual([]);
    const [line, ...others] = await announceRules(bob.place());
    expect(line).toContain('“No mocks” (ann)');
    expect(line).toContain('reverie trust');
    expect(others).toEqual([]);
    expect(await announceRules(bob.place())).toEqual([]);
    const { home } = bob.place();
    await setTrust({ cwd: bob.tree, home, env: { HOME: join(home, '..') }, trusted: true });
    await bob.withMemory(async (memory) => {
      const [hit] = await memory.recall('should integration tests mock the database?');
      expect(hit?.text).toContain('Their words, 2026-01-31: "no mocks in integration tests, ever"');
    });
    const scopes = await openReadScopes(bob.place(), await teamOpener(bob.place()));
    expect(startContext(scopes, 20_000)).toContain('[No mocks]');
  });

  it('gives way to what this user says, is corrected by a new file and taken back by a tombstone', {
    timeout: LONG_MS,
  }, async () => {
    const { ann, bob } = twoPeople();
    await ann.withMemory((memory) => memory.save(FREEZE));
    const first = await ann.share('project_deploy-day.md');
    publish(ann);
    bob.git('pull', '-q', 'origin', 'main');
    await bob.withMemory(async (memory) => {
      await memory.save({
        ...FREEZE,
        name: 'Our deploy day',
        description: 'We deploy to production on Thursdays',
        body: 'Thursdays.',
      });
      const hits = await memory.recall('when do we deploy to production?', { only: 'certain' });
      expect(hits.map(({ scope }) => scope)).toEqual(['project', 'team']);
    });
    const correction = await bob.share('project_our-deploy-day.md', first.file);
    expect(correction.supersedes).toEqual([first.file]);
    publish(bob);
    ann.git('pull', '-q', 'origin', 'main');
    const seen = () =>
      ann.withMemory(async (memory) => (await memory.list()).map(({ scope, name }) => `${scope}: ${name}`));
    expect(await seen()).toEqual(['project: Deploy day', 'team: Our deploy day']);
    await unshareMemory(correction.id, bob.place());
    publish(bob);
    ann.git('pull', '-q', 'origin', 'main');
    expect(await seen()).toEqual(['project: Deploy day']);
  });

  it('is proposed on a branch, and nothing else moves', { timeout: LONG_MS }, async () => {
    const { ann } = twoPeople();
    await ann.withMemory((memory) => memory.save({ ...NO_MOCKS, type: 'project' }));
    const shared = await ann.share('project_no-mocks.md');
    ann.git('config', 'user.name', 'ann');
    ann.git('config', 'user.email', 'ann@example.org');
    const proposed = await proposeTeam(ann.tree, [shared.id]);
    expect(ann.git('show', '--stat', '--format=%B', proposed.branch)).toContain('no mocks in integration tests, ever');
    expect(ann.git('diff', '--name-only', `main..${proposed.branch}`).trim()).toBe(shared.path);
    expect(ann.git('status', '--porcelain').trim()).toBe(`?? ${shared.path}`);
  });

  it('is named by its title as well: to propose it, to correct it, and to take it back', {
    timeout: LONG_MS,
  }, async () => {
    const { ann, bob } = twoPeople();
    await ann.withMemory((memory) => memory.save(FREEZE));
    const { file, id } = await ann.share('project_deploy-day.md');
    publish(ann);
    expect((await proposeTeam(ann.tree, ['deploy DAY'])).files).toEqual([file]);
    await expect(proposeTeam(ann.tree, ['Lunch'])).rejects.toThrow("The team's memory has no Lunch");
    bob.git('pull', '-q', 'origin', 'main');
    await bob.withMemory((memory) => memory.save({ ...FREEZE, body: 'On Thursdays.' }));
    const own = await bob.withMemory((memory) => memory.get('project_deploy-day.md', { scope: 'project' }));
    const correction = await shareMemory(own, { place: bob.place(), supersedes: 'Deploy day' });
    expect(correction.supersedes).toEqual([file]);
    // What was corrected is not meant by its title any more.
    expect((await unshareMemory('Deploy day', ann.place())).file).toBe(file);
    expect((await unshareMemory('Deploy day', bob.place())).file).toBe(correction.file);
    expect((await unshareMemory(id, bob.place())).file).toBe(file);
  });
});

describe('what may not leave', () => {
  it('is refused at the share: secrets of every form, and everything about the user', {
    timeout: LONG_MS,
  }, async () => {
    const { ann } = twoPeople();
    await ann.withMemory((memory) => memory.save(FREEZE));
    const entry = await ann.withMemory((memory) => memory.get('project_deploy-day.md'));
    const plain = { ...entry };
    let refused = 0;
    for (const [, text] of FORMS) {
      const sharing = shareMemory({ ...plain, body: `It is kept so:\n${text}` }, { place: ann.place() });
      refused += await sharing.then(
        () => 0,
        () => 1,
      );
    }
    for (let at = 0; at < 1_000; at += 1) {
      const about = { ...plain, type: 'user', name: `About me ${at}`, file: `user_${at}.md` } as const;
      refused += await shareMemory(about, { place: ann.place() }).then(
        () => 0,
        () => 1,
      );
    }
    expect(FORMS.length).toBeGreaterThanOrEqual(110);
    expect(refused).toBe(FORMS.length + 1_000);
    const rude = { ...plain, body: 'Tom reviews late. He is lazy and careless.' };
    await expect(shareMemory(rude, { place: ann.place() })).rejects.toThrow('judges a person');
    const large = { ...plain, body: 'a word '.repeat(40_000) };
    await expect(shareMemory(large, { place: ann.place() })).rejects.toThrow('250000');
    expect(ann.git('status', '--porcelain')).toBe('');
  });

  it('is found by the check, in the work tree and in what is staged', { timeout: LONG_MS }, async () => {
    const { ann } = twoPeople();
    const put = (file: string, text: string) => writeFileSync(join(ann.tree, TEAM_FOLDER, file), text);
    put('user_me-aaaaaaaa.md', '---\nname: Me\ndescription: me\ntype: user\n---\n\nI am a DBA.\n');
    put('project_key-bbbbbbbb.md', `---\nname: Key\ndescription: key\ntype: project\n---\n\n${FORMS[0]![1]}\n`);
    put('project_fine-cccccccc.md', '---\nname: Fine\ndescription: fine\ntype: project\n---\n\nAll is well.\n');
    mkdirSync(join(ann.tree, TEAM_FOLDER, 'removed'));
    put('removed/dddddddd', 'something private, hidden where nobody looks');
    symlinkSync('/etc/passwd', join(ann.tree, TEAM_FOLDER, 'project_link-eeeeeeee.md'));
    const expected = ['project_key-bbbbbbbb.md', 'project_link-eeeeeeee.md', 'removed/dddddddd', 'user_me-aaaaaaaa.md'];
    const names = ({ problems }: { problems: readonly { file: string }[] }) =>
      problems.map(({ file }) => file).toSorted();
    expect(names(await checkWorkTree(ann.tree))).toEqual(expected);
    ann.git('add', '-A');
    rmSync(join(ann.tree, TEAM_FOLDER, 'project_key-bbbbbbbb.md'));
    expect(names(await checkStaged(ann.tree, undefined))).toEqual(expected);
  });

  it('leaves a hook of the user’s own alone', () => {
    const { ann } = twoPeople();
    const hook = join(ann.tree, '.git', 'hooks', 'pre-commit');
    mkdirSync(join(ann.tree, '.git', 'hooks'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\nexit 0\n');
    chmodSync(hook, 0o755);
    const facts = { workTree: ann.tree, program: [process.execPath, 'none'] };
    expect(installTeam(facts, { hook: true, driver: true })).toMatchObject({ hook: 'other', driver: 'installed' });
    expect(readFileSync(hook, 'utf8')).toBe('#!/bin/sh\nexit 0\n');
    rmSync(hook);
    expect(installTeam(facts, { hook: true, driver: false }).hook).toBe('installed');
    writeFileSync(join(ann.tree, TEAM_FOLDER, 'project_x-aaaaaaaa.md'), 'x');
    ann.git('add', '-A');
    // The program that the hook names is not there, and none is on the path: what cannot be checked is not committed.
    expect(ann.tryGit('commit', '-q', '-m', 'x').isDone).toBe(false);
  });
});

describe('the same memory, edited on two sides', () => {
  const conflict = async () => {
    const { ann, bob } = twoPeople();
    await ann.withMemory((memory) => memory.save(FREEZE));
    const { path } = await ann.share('project_deploy-day.md');
    publish(ann);
    bob.git('pull', '-q', 'origin', 'main');
    const edit = ({ tree }: Person, day: string) => {
      const text = readFileSync(join(tree, path), 'utf8');
      writeFileSync(join(tree, path), text.replace('on Tuesdays.\n', `on ${day}.\n`));
    };
    edit(ann, 'Mondays');
    publish(ann);
    edit(bob, 'Fridays');
    bob.git('commit', '-qam', 'Fridays');
    return { bob, path };
  };

  it('is read from both sides while git waits, and settled with who said what', { timeout: LONG_MS }, async () => {
    const { bob, path } = await conflict();
    bob.git('fetch', '-q', 'origin');
    expect(bob.tryGit('merge', '-q', 'origin/main').isDone).toBe(false);
    await bob.withMemory(async (memory) => {
      const [entry] = await memory.list();
      expect(entry?.body).toContain('Mondays');
      expect(entry?.body).toContain('Fridays');
      expect(entry?.body).not.toContain('<<<<<<<');
    });
    expect(repairTeam(bob.tree)).toHaveLength(1);
    const text = readFileSync(join(bob.tree, path), 'utf8');
    expect(text).toMatch(/Fridays\. \(bob, \d{4}-\d\d-\d\d\)/);
    expect(text).toMatch(/Mondays\. \(ann, \d{4}-\d\d-\d\d\)/);
    expect(text).not.toContain('Tuesdays.\n');
  });
});

describe('a memory that one side deleted by hand and the other changed', () => {
  const ways = ['merge', 'rebase', 'cherry-pick', 'squash'] as const;
  const all = ways.flatMap((way) => [[way, 'us'] as const, [way, 'them'] as const]);
  // Three of the eight for a quick answer.
  it.each(all.filter((_, at) => isWhole || at % 3 === 0))(
    'by %s, deleted by %s, stays readable and is told in one line',
    { timeout: LONG_MS },
    async (way, by) => {
      const { ann, bob } = twoPeople();
      await ann.withMemory((memory) => memory.save(FREEZE));
      const { path, file } = await ann.share('project_deploy-day.md');
      publish(ann);
      bob.git('pull', '-q', 'origin', 'main');
      const remove = ({ git }: Person) => {
        git('rm', '-q', path);
        git('commit', '-qm', 'Delete it');
      };
      const change = ({ tree, git }: Person) => {
        writeFileSync(join(tree, path), `${readFileSync(join(tree, path), 'utf8')}\nNever before ten.\n`);
        git('commit', '-qam', 'Change it');
      };
      for (const [who, act] of by === 'us'
        ? ([
            [bob, remove],
            [ann, change],
          ] as const)
        : ([
            [bob, change],
            [ann, remove],
          ] as const))
        act(who);
      ann.git('push', '-q', 'origin', 'HEAD:main');
      bob.git('fetch', '-q', 'origin');
      const words = {
        merge: ['merge'],
        rebase: ['rebase'],
        'cherry-pick': ['cherry-pick'],
        squash: ['merge', '--squash'],
      }[way];
      expect(bob.tryGit(...words, 'origin/main').isDone).toBe(false);
      expect(await statusFor(bob)).toMatchObject({ inConflict: [file] });
      expect(repairTeam(bob.tree)).toEqual([{ file, merged: [], isKept: true }]);
      const seen = async () => (await bob.withMemory((memory) => memory.list())).map(({ body }) => body);
      expect((await seen()).join()).toContain('Never before ten.');
      bob.git('add', '-A');
      const done =
        way === 'merge' || way === 'squash' ? ['commit', '-qm', 'Done'] : ['-c', 'core.editor=true', way, '--continue'];
      // Where ours stays as it was there is nothing to commit.
      bob.tryGit(...done);
      expect((await seen()).join()).toContain('Never before ten.');
      expect(await statusFor(bob)).toMatchObject({ inConflict: [] });
    },
  );
});
