/** The words that bubblewrap is started with, and the environment, for given policies. */

import { existsSync, linkSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { bubblewrap } from './bubblewrap.ts';
import type { SandboxPolicy } from './sandbox.ts';

const sandbox = bubblewrap({
  program: '/usr/bin/bwrap',
  forbidsNamespaces: true,
  isRoot: false,
  processes: { kind: 'limit' },
});

function makePlace() {
  const base = temporaryFolder('sandbox');
  const project = join(base, 'project');
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(join(project, '.env'), 'KEY=1');
  const policy: SandboxPolicy = {
    ...{ cwd: project, readable: [project], writable: [], protected: [], denied: [] },
    environment: { PATH: '/usr/bin:/bin', HOME: join(base, 'home') },
  };
  return { base, project, policy };
}

function startOf(policy: SandboxPolicy) {
  const { program, args, environment, ended } = sandbox.start('echo hi', policy);
  return { program, args, environment, ended, line: ` ${args.join(' ')} ` };
}

describe('bubblewrap', () => {
  it('leaves nothing shared, and drops every right', () => {
    const { program, line, args } = startOf(makePlace().policy);
    expect(program).toBe('/bin/bash');
    expect(args).toContain('/usr/bin/bwrap');
    expect(line).toContain(' --unshare-all --unshare-user --disable-userns ');
    expect(line).toContain(' --new-session --die-with-parent --cap-drop ALL ');
    expect(line).toContain(' --remount-ro /proc --remount-ro /dev --remount-ro / ');
    expect(line).not.toContain('--share-net');
    expect(args.at(-1)).toBe('echo hi');
  });

  it('shows the project read-only, and writable where the policy says so', () => {
    const { project, policy } = makePlace();
    expect(startOf(policy).line).toContain(` --ro-bind ${project} ${project} `);
    expect(startOf({ ...policy, readable: [], writable: [project] }).line).toContain(` --bind ${project} ${project} `);
  });

  it('never shows a folder that holds the system', () => {
    const { policy } = makePlace();
    const { line } = startOf({
      ...policy,
      readable: [...policy.readable, '/', '/usr', '/proc', '/proc/1', '/no/such/folder'],
    });
    expect(line).not.toContain(' --ro-bind / / ');
    expect(line).not.toContain(' --ro-bind /proc ');
    expect(line).not.toContain('/no/such');
  });

  it('puts masks on every name of a denied file, above all else', () => {
    const { project, policy } = makePlace();
    mkdirSync(join(project, 'keys'));
    linkSync(join(project, '.env'), join(project, 'src/copy'));
    symlinkSync('../.env', join(project, 'src/link'));
    const denied = ['.env', 'keys', 'keys/inside', 'not-there', 'src/link'].map((name) => join(project, name));
    const { line } = startOf({ ...policy, denied });
    const masks = ['.env', 'src/copy'].map((name) => ` --ro-bind /dev/null ${join(project, name)} `);
    for (const mask of [...masks, ` --perms 0000 --tmpfs ${project}/keys --remount-ro ${project}/keys `]) {
      expect(line.indexOf(mask)).toBeGreaterThan(line.indexOf(` --ro-bind ${project} `));
    }
    expect(line).not.toContain('not-there');
    expect(line).not.toContain('keys/inside');
    expect(line).not.toContain(`${project}/src/link`);
  });

  it('holds what is protected, the folders around it, and what is not there yet', () => {
    const { project, policy } = makePlace();
    mkdirSync(join(project, '.git'));
    mkdirSync(join(project, '.reverie'));
    writeFileSync(join(project, '.git/config'), '');
    const names = ['.git/config', '.git/hooks', '.reverie/settings.json', '.other/settings.json', 'src'];
    const { line, ended } = startOf({
      ...policy,
      ...{ readable: [], writable: [project], protected: names.map((name) => join(project, name)) },
    });
    const at = (kind: string, name: string) => line.indexOf(` --${kind} ${join(project, name)} `);
    expect(at('bind', '.git')).toBeGreaterThan(-1);
    for (const name of ['.git/config', '.git/hooks', '.reverie', '.other', 'src']) {
      expect(at('ro-bind', name), name).toBeGreaterThan(at('bind', '.git'));
    }
    const made = ['.git/hooks', '.other'].map((name) => join(project, name));
    expect(made.map((folder) => existsSync(folder))).toEqual([true, true]);
    ended();
    expect(made.map((folder) => existsSync(folder))).toEqual([false, false]);
  });

  it('keeps a missing folder from being made until the last sandbox has ended', () => {
    const { project, policy } = makePlace();
    const folder = join(project, '.reverie');
    const editing = { ...policy, readable: [], writable: [project], protected: [join(folder, 'settings.json')] };
    const [one, other] = [startOf(editing), startOf({ ...editing, protected: [...editing.protected, folder] })];
    one.ended();
    one.ended();
    expect(existsSync(folder)).toBe(true);
    expect(other.line).toContain(` --ro-bind ${folder} ${folder} `);
    other.ended();
    expect(existsSync(folder)).toBe(false);
  });

  it('removes what a killed session left, and no folder that was there before', () => {
    const { project, policy } = makePlace();
    const editing = (...names: string[]) => ({
      ...{ ...policy, readable: [], writable: [project] },
      protected: names.map((name) => join(project, name, 'settings.json')),
    });
    const left = startOf(editing('.left'));
    const [hold] = readdirSync(join(project, '.left'));
    renameSync(join(project, '.left', hold!), join(project, '.left', hold!.replace(/-\d+-\w+-/, '-4194399-1-')));
    left.ended();
    expect(existsSync(join(project, '.left'))).toBe(false);
    mkdirSync(join(project, '.empty'));
    startOf(editing('.empty')).ended();
    expect(readdirSync(join(project, '.empty'))).toEqual([]);
  });

  it('holds and hides by the real path what was given through a link', () => {
    const { base, project, policy } = makePlace();
    mkdirSync(join(project, '.git'));
    writeFileSync(join(project, '.git/config'), '');
    symlinkSync(project, join(base, 'door'));
    const given = (name: string) => join(base, 'door', name);
    const { line } = startOf({
      ...{ ...policy, cwd: given('.'), readable: [], writable: [given('.')] },
      ...{ protected: [given('.git/config')], denied: [given('.env')] },
    });
    expect(line).toContain(` --bind ${project} ${project} `);
    expect(line).toContain(` --symlink ${project} ${join(base, 'door')} `);
    expect(line).toContain(` --ro-bind ${project}/.git/config ${project}/.git/config `);
    expect(line).toContain(` --ro-bind /dev/null ${project}/.env `);
  });

  it('follows no link from one of its folders to elsewhere', () => {
    const { base, project, policy } = makePlace();
    mkdirSync(join(base, 'elsewhere'));
    symlinkSync(join(base, 'elsewhere'), join(project, 'link'));
    const link = join(project, 'link');
    expect(startOf({ ...policy, readable: [project, link] }).line).not.toContain('elsewhere');
    expect(startOf({ ...policy, writable: [link] }).line).not.toContain('elsewhere');
  });

  it('has a home folder of its own, at its usual path unless that is worked in', () => {
    const { base, project, policy } = makePlace();
    const home = join(base, 'home');
    mkdirSync(home);
    const usual = startOf(policy);
    expect(usual.environment.HOME).toBe(home);
    expect(usual.line).toContain(` --dir ${home} `);
    const inside = startOf({ ...policy, environment: { ...policy.environment, HOME: project } });
    expect(inside.environment.HOME).toBe('/tmp/home');
    expect(inside.line).toContain(' --dir /tmp/home ');
    expect(startOf({ ...policy, environment: {} }).environment.HOME).toBe('/tmp/home');
  });

  it('passes nothing of the environment but what is on the list, and only plain values', () => {
    const { policy } = makePlace();
    const kept = { LANG: 'de_DE.UTF-8', TERM: 'xterm-256color', TZ: 'Europe/Berlin', LC_TIME: 'C', USER: 'ada' };
    const dropped = {
      ...{ ANTHROPIC_API_KEY: 'k', LC_SECRET: 'k', BASH_ENV: '/x', ENV: '/x', 'BASH_FUNC_ls%%': '() { :; }', IFS: 'x' },
      ...{
        LD_PRELOAD: '/x',
        NODE_OPTIONS: '-r x',
        PYTHONSTARTUP: '/x',
        GIT_DIR: '/x',
        GIT_SSH_COMMAND: 'x',
        PS4: '$(x)',
      },
      ...{ LC_ALL: '() { :; }', LANGUAGE: 'a b', COLUMNS: `1${'0'.repeat(100)}`, SHELLOPTS: 'xtrace', PERL5OPT: '-Mx' },
    };
    const { environment } = startOf({ ...policy, environment: { ...policy.environment, ...kept, ...dropped } });
    expect(environment).toMatchObject(kept);
    expect(Object.keys(environment).filter((name) => Object.hasOwn(dropped, name))).toEqual([]);
    expect(environment).toMatchObject({ GIT_CONFIG_KEY_1: 'core.fsmonitor', GIT_CONFIG_VALUE_1: 'false' });
    expect(environment).toMatchObject({ GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', PAGER: 'cat' });
  });

  it('takes devices from root, and counts its processes in a control group, since no limit holds for it', () => {
    const facts = { program: '/usr/bin/bwrap', forbidsNamespaces: false, isRoot: true } as const;
    const join = () => '/sys/fs/cgroup/x/tasks';
    const { program, args } = bubblewrap({ ...facts, processes: { kind: 'group', join } }).start(
      ':',
      makePlace().policy,
    );
    expect([program, args[0], args[1]]).toEqual(['/usr/bin/unshare', '--mount', '/bin/bash']);
    expect(args.slice(6, 8)).toEqual([join(), '/usr/bin/bwrap']);
    expect(args[5]).toContain('bind,ro /dev /dev || exit 1');
    expect(args).not.toContain('--disable-userns');
    const ungrouped = bubblewrap({ ...facts, processes: { kind: 'none' } }).start(':', makePlace().policy);
    expect(ungrouped.args[6]).toBe('');
  });
});
