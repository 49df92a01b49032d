/** Real scripts in a real sandbox: what they see, what they cannot reach, and that nothing of them stays. */

import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  hashOfTree,
  listenForVisitors,
  makeSandboxPlace,
  NOBODY,
  type RunAs,
  runSandboxed,
  type SandboxPlace,
} from '../../../test/support/sandbox-place.ts';
import { SANDBOX_BOUNDS } from './bounds.ts';
import { bubblewrap } from './bubblewrap.ts';
import { findSandbox } from './find-sandbox.ts';
import { chooseProcessBound } from './process-bound.ts';
import type { Sandbox, SandboxPolicy } from './sandbox.ts';

const found = await findSandbox();
const isRoot = process.getuid?.() === 0;
/** As another user processes are bounded in another way. */
const asNobody = (): Sandbox =>
  bubblewrap({
    program: '/usr/bin/bwrap',
    forbidsNamespaces: true,
    isRoot: false,
    processes: chooseProcessBound({ isRoot: false, release: release() }),
  });
const users: readonly (readonly [string, RunAs | undefined])[] = [
  ['this user', undefined],
  ...(isRoot ? [['another user', NOBODY] as const] : []),
];
const why = found.sandbox === null ? found.why : '';

describe.skipIf(found.sandbox === null || found.sandbox.kind !== 'bubblewrap')(`bubblewrap ${why}`, () => {
  // They wait more than they work.
  describe.each(users)('as %s', { concurrent: true }, (_, as) => {
    const sandbox = as === undefined ? found.sandbox! : asNobody();
    const run = async (
      script: string,
      place: SandboxPlace,
      changed: Partial<SandboxPolicy> = {},
      timeoutMs = 20_000,
    ) => {
      const policy = { ...place.policy, ...changed };
      const ended = await runSandboxed(`echo STARTED; ${script}`, { sandbox, as, timeoutMs, policy });
      // What never ran harms nobody, and shows nothing.
      expect(ended.output).toMatch(/^STARTED\n/);
      return { ...ended, output: ended.output.slice('STARTED\n'.length) };
    };

    it('runs what people look around with', async () => {
      const place = makeSandboxPlace(as);
      const script = `
        pwd; ls src; cat README.md; sed -n 1p src/main.ts; find . -name '*.ts' | wc -l; seq 3 | tail -1; du -s src >/dev/null && echo du
        date >/dev/null && echo date; node -e 'console.log("node", require("os").userInfo().username !== "")'; echo hi >/dev/stderr
        cat <(echo substituted); echo there > "$TMPDIR/x" && cat "$TMPDIR/x"; echo home > ~/y && cat ~/y; id -un >/dev/null && echo named`;
      const { output, code } = await run(script, place);
      expect(code, output).toBe(0);
      const words = [
        'main.ts',
        '# A project',
        'export const',
        'du',
        'date',
        'node true',
        'substituted',
        'there',
        'home',
      ];
      for (const word of [place.project, ...words, 'named']) expect(output).toContain(word);
    });

    it('reads a repository with git, and runs nothing of it', async () => {
      const place = makeSandboxPlace(as);
      const git = `git -c user.name=a -c user.email=a@b`;
      const prepared = `git init -q . && git add README.md && ${git} commit -qm first && git config core.fsmonitor '/bin/echo ${place.secret}; true'`;
      const writable = { writable: [place.project], denied: [] };
      const made = await run(prepared, place, writable);
      expect(made.code, made.output).toBe(0);
      const { output, code } = await run('git status --short && git log --oneline && git diff', place);
      expect(code, output).toBe(0);
      expect(output).toContain('?? src/');
      expect(output).toContain('first');
      expect(output).not.toContain(place.secret);
    });

    it('reads nothing outside, changes nothing, and knows neither home nor environment', async () => {
      const place = makeSandboxPlace(as);
      const before = hashOfTree(place.base);
      const script = `
        cat ${place.outside}/secret.txt ~/.ssh/id_rsa ~/.bashrc /proc/1/root${place.outside}/secret.txt /proc/self/cwd/../../../outside/secret.txt
        cat /proc/*/environ | tr '\\0' '\\n'; env; set; ls -laR ~ ${place.base}; ls; declare -F; cat /etc/shadow /proc/1/cmdline
        touch ${place.outside}/x ${place.project}/x ~/../x /usr/x /etc/x /x; rm -rf ${place.base}; echo x > README.md; chmod 777 README.md
        mv README.md y; ln README.md z; ln -s a b; mkdir c; truncate -s 0 src/main.ts; echo x > /proc/sys/kernel/core_pattern
        mount -o remount,rw ${place.project}; umount ${place.project}; unshare -Urm true; nsenter -t 1 -m ls; chroot / ls; mknod d c 1 3`;
      const { output } = await run(script, place);
      expect(output).not.toContain(place.secret);
      expect(hashOfTree(place.base)).toBe(before);
    });

    it('changes no device, and writes to those it has', async () => {
      const place = makeSandboxPlace(as);
      // As they are already: what fails here must not harm whoever runs the tests.
      const script = `for device in null zero full random urandom tty; do chmod 666 /dev/$device && echo CHANGED; done
        chown 0:0 /dev/null && echo CHANGED; echo x > /dev/null && echo written; cat /proc/sys/kernel/printk_ratelimit_burst > /tmp/burst; cat /tmp/burst > /proc/sys/kernel/printk_ratelimit_burst && echo CHANGED
        [ -w /proc/sysrq-trigger ] && echo CHANGED; head -c 3 /dev/zero | wc -c`;
      const { output } = await run(script, place);
      expect(output).not.toContain('CHANGED');
      expect(output).toContain('written');
      expect(output).toMatch(/^3$/m);
    });

    it('has no network', async () => {
      const place = makeSandboxPlace(as);
      const canary = await listenForVisitors();
      const script = `
        (echo hi > /dev/tcp/127.0.0.1/${canary.port}) && echo CONNECTED
        node -e 'require("net").connect(${canary.port},"127.0.0.1").on("connect",()=>console.log("CONNECTED")).on("error",()=>{})'
        perl -MSocket -e 'print "VSOCK\\n" if socket(my $s, 40, SOCK_STREAM, 0); print "UNIX\\n" if socket(my $u, AF_UNIX, SOCK_STREAM, 0)'
        perl -e 'print "KEYRING\\n" if syscall(${process.arch === 'x64' ? 250 : 219}, 0, -3, 0) > 0'`;
      const { output } = await run(script, place);
      canary.close();
      expect(output).not.toMatch(/CONNECTED|VSOCK|KEYRING/);
      if (existsSync('/usr/bin/perl')) expect(output).toContain('UNIX');
      expect(canary.visitors()).toBe(0);
    });

    it('sees no process but its own', async () => {
      const place = makeSandboxPlace(as);
      const other = spawn('/bin/sleep', ['30'], { env: { CANARY: place.secret }, ...(as ?? {}) });
      const { output } = await run(`cat /proc/*/environ; kill -9 ${other.pid}; kill -9 -1; ls /proc`, place);
      expect(output).not.toContain(place.secret);
      expect(other.exitCode).toBeNull();
      expect(output.split('\n')).not.toContain(String(other.pid));
      other.kill('SIGKILL');
    });

    it('hides a denied file under every name', async () => {
      const place = makeSandboxPlace(as);
      const { project } = place;
      linkSync(join(project, '.env'), join(project, 'src/copy.txt'));
      linkSync(join(project, 'private/deep/key.txt'), join(project, 'src/key-copy.txt'));
      linkSync(join(place.outside, 'secret.txt'), join(project, 'src/outside-copy.txt'));
      symlinkSync('../.env', join(project, 'src/link'));
      symlinkSync(project, join(place.base, 'door'));
      symlinkSync(join(place.outside, 'folder'), join(project, 'way-out'));
      const denied = [...place.policy.denied, join(place.outside, 'secret.txt'), join(project, 'not-yet')];
      const script = `
        cat .env private/deep/key.txt src/* way-out/other.txt ./src/../.env ${place.base}/door/.env /proc/self/cwd/.env
        grep -r canary . ; find ${place.base} -name '*.env' -exec cat {} + ; tar cf - . ; node -e 'console.log(require("fs").readFileSync(".env","utf8"))'
        cp .env /tmp/a; mv .env /tmp/b; ln .env src/c; cat /tmp/a /tmp/b src/c; chmod 777 .env private; ls -la private; umount .env; cat .env`;
      for (const writable of [[], [project]]) {
        const readable = writable.length === 0 ? [project, join(project, 'src')] : [];
        const { output } = await run(script, place, { denied, writable, readable });
        expect(output).toContain('A project');
        expect(output).not.toContain(place.secret);
      }
      expect(readFileSync(join(project, '.env'), 'utf8')).toContain(place.secret);
    });

    it('keeps denied files and the folders around them where they are', async () => {
      const place = makeSandboxPlace(as);
      const { project } = place;
      const script = `rm -f .env; mv .env a; echo x > .env; mv private b; mv private/deep c; rm -rf private`;
      const denied = [join(project, '.env'), join(project, 'private/deep/key.txt')];
      await run(script, place, { denied, writable: [project], readable: [] });
      for (const path of denied) expect(readFileSync(path, 'utf8')).toContain(place.secret);
      expect(existsSync(join(project, 'src'))).toBe(true);
    });

    it('keeps what is missing from being made although a command beside it ends', async () => {
      const place = makeSandboxPlace(as);
      const settings = join(place.project, '.reverie/settings.json');
      const policy = { writable: [place.project], readable: [], protected: [settings] };
      const make = `for n in 1 2 3 4 5 6 7 8; do sleep 0.2; mkdir -p .reverie; echo evil > .reverie/settings.json; done`;
      const first = run('touch started; sleep 0.6', place, policy);
      await Promise.all([first, run(make, place, policy)]);
      expect(existsSync(join(place.project, 'started'))).toBe(true);
      expect(existsSync(join(place.project, '.reverie'))).toBe(false);
    });

    it('lets a writable project change, but for what is protected', async () => {
      const place = makeSandboxPlace(as);
      const { project } = place;
      const made = await run(
        'git init -q . && rm -rf .git/hooks && mkdir .reverie && echo "{}" > .reverie/settings.json',
        place,
        {
          writable: [project],
        },
      );
      expect(made.code, made.output).toBe(0);
      linkSync(join(project, '.git/config'), join(project, 'config-copy'));
      const config = readFileSync(join(project, '.git/config'), 'utf8');
      const names = [
        '.git/hooks',
        '.git/config',
        '.reverie/settings.json',
        '.reverie/settings.local.json',
        '.claude/settings.json',
      ];
      const policy = { writable: [project], readable: [], protected: names.map((name) => join(project, name)) };
      const script = `
        echo new > src/new.ts && git add src/new.ts && echo added
        git config core.pager evil; echo x >> .git/config; rm -f .git/config; mv .git/config x; echo x > config-copy; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit
        mv .git other; rm -rf .git; mkdir .git; echo evil > .reverie/settings.json; echo evil > .reverie/settings.local.json; mv .reverie z; mkdir .reverie
        mkdir -p .claude; echo evil > .claude/settings.json; rmdir .claude; mv .claude q; ln -s /tmp .claude
        echo x > ../outside.txt; rm -rf ${place.outside}`;
      const { output } = await run(script, place, policy);
      expect(output).toContain('added');
      expect(readFileSync(join(project, 'src/new.ts'), 'utf8')).toBe('new\n');
      expect(readFileSync(join(project, '.git/config'), 'utf8')).toBe(config);
      expect(existsSync(join(project, '.git/hooks'))).toBe(false);
      expect(readdirSync(join(project, '.reverie'))).toEqual(['settings.json']);
      expect(readFileSync(join(project, '.reverie/settings.json'), 'utf8')).toBe('{}\n');
      expect(existsSync(join(project, '.claude'))).toBe(false);
      expect(existsSync(join(place.outside, 'secret.txt'))).toBe(true);
      expect(existsSync(join(project, '../outside.txt'))).toBe(false);
    });

    it('shows a folder that is given through a link, and follows none that leads out of the project', async () => {
      const place = makeSandboxPlace(as);
      const door = join(place.base, 'door');
      symlinkSync(place.project, door);
      const through = await run('pwd -P; cat README.md', place, { cwd: door, readable: [door] });
      expect(through.output).toContain('# A project');
      const named = await run(`cat ${door}/README.md`, place, { cwd: door, readable: [door] });
      expect(named.output).toContain('# A project');
      symlinkSync(place.outside, join(place.project, 'memory'));
      const readable = [place.project, join(place.project, 'memory')];
      const { output } = await run('cat memory/secret.txt', place, { readable, denied: [] });
      expect(output).not.toContain(place.secret);
    });

    it('runs a Node out of the home folder, and nothing out of the project', async () => {
      const place = makeSandboxPlace(as);
      const prefix = join(place.home, '.nvm/versions/node/v0/bin');
      const [modules, links] = [join(place.project, 'node_modules/.bin'), join(place.home, 'bin')];
      for (const folder of [prefix, modules, links]) mkdirSync(folder, { recursive: true });
      copyFileSync(process.execPath, join(prefix, 'mynode'));
      symlinkSync(join(prefix, 'mynode'), join(links, 'linked'));
      writeFileSync(join(modules, 'evil'), '#!/bin/sh\necho EVIL\n', { mode: 0o755 });
      const PATH = `:${modules}:.:${links}:${place.home}:${join(place.home, '.ssh')}:/usr/bin:/bin`;
      const environment = { ...place.policy.environment, PATH };
      const { output } = await run(`echo $PATH; mynode -p 6*7; linked -p 6*8; evil; cat ~/.ssh/id_rsa`, place, {
        environment: { ...environment, PATH: `${PATH}:${prefix}` },
      });
      expect(output.split('\n', 1)).toEqual([`${links}:/usr/bin:/bin:${prefix}`]);
      expect(output).toContain('42');
      expect(output).toContain('48');
      expect(output).not.toContain('EVIL');
      expect(output).not.toContain(place.secret);
    });

    // By itself: it starts as many processes as its user may have.
    it.sequential('ends with all that it started, and has a bounded number of processes and bytes', {
      timeout: 60_000,
    }, async () => {
      const place = makeSandboxPlace(as);
      const mark = `9${place.secret.replace(/\D/g, '').slice(0, 6)}`;
      await run(`(setsid sleep ${mark} &) ; nohup sleep ${mark} & disown; true`, place);
      await run(`setsid sleep ${mark} & trap '' TERM; sleep ${mark}`, place, {}, 500);
      await wait(200);
      expect(commandLines()).not.toContain(mark);
      const bomb = await run(`node -e '${MANY_PROCESSES}'`, place, {}, 15_000);
      expect(Number(/^\d+$/m.exec(bomb.output)?.[0])).toBeGreaterThan(50);
      expect(Number(/^\d+$/m.exec(bomb.output)?.[0])).toBeLessThan(SANDBOX_BOUNDS.processes);
      const full = await run(
        'head -c 600000000 /dev/zero > /tmp/big; stat -c %s /tmp/big; echo x > /dev/y; echo x > /y',
        place,
      );
      expect(Number(/^\d+$/m.exec(full.output)?.[0])).toBeLessThan(SANDBOX_BOUNDS.scratchBytes + 1);
      expect(statSync('/tmp').isDirectory()).toBe(true);
    });
  });

  it('has only the three standard descriptors, whatever the process was started with, and no terminal', async () => {
    const place = makeSandboxPlace();
    const script =
      'echo /proc/1/fd/* /proc/$$/fd/*; (echo x > /dev/tty) 2>/dev/null || echo no-terminal; ls /proc/*/fd/*/';
    const { program, args, environment } = found.sandbox!.start(script, place.policy);
    // An open folder would be a way out.
    const words = ['-c', 'exec 7<"$0" 250<"$0"; exec "$@"', place.outside, program, ...args];
    const { stdout } = spawnSync('/bin/bash', words, {
      env: environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [descriptors, ...more] = stdout.trim().split('\n');
    expect(descriptors?.replace(/\/proc\/\d+\/fd\//g, '')).toMatch(/^0 1 2( \d)? 0 1 2( 3)?$/);
    expect(more).toContain('no-terminal');
    expect(stdout).not.toContain('secret.txt');
  });

  it('refuses what it cannot hold', () => {
    const place = makeSandboxPlace();
    const start = (changed: Partial<SandboxPolicy>) => () => found.sandbox!.start(':', { ...place.policy, ...changed });
    expect(start({ cwd: place.outside })).toThrow('not among the folders');
    expect(start({ denied: [place.home] })).toThrow('cannot run without it');
    expect(start({ denied: ['/'] })).toThrow('cannot run without it');
    expect(start({ readable: ['/'] })).toThrow('not among the folders');
    const missing = { writable: [place.project], protected: [join(place.project, '.mcp.json')] };
    expect(start(missing)).toThrow('does not exist');
    symlinkSync(place.outside, join(place.project, '.reverie'));
    const linked = { writable: [place.project], protected: [join(place.project, '.reverie/settings.json')] };
    expect(start(linked)).toThrow('a link');
    rmSync(join(place.project, '.reverie'));
  });
});

/** Says how many could be started. */
const MANY_PROCESSES = `
  let started = 0;
  for (let count = 0; count < ${SANDBOX_BOUNDS.processes + 50}; count += 1) {
    const child = require("child_process").spawn("/bin/sleep", ["9"], { stdio: "ignore" });
    child.on("error", () => {});
    if (child.pid !== undefined) started += 1;
  }
  console.log(started);
  process.exit();`;

function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      } catch {
        return '';
      }
    })
    .join('\n');
}
