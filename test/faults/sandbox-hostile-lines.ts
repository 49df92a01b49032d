/** Shell lines that try to read, write, connect and escape, in every way that bash has to say a thing; repeatable by a seed. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of shells, not ours

type Random = () => number;

export interface HostileFacts {
  readonly project: string;
  readonly outside: string;
  readonly home: string;
  readonly port: number;
}

function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)]!;
}

const single = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Places outside, and denied ones inside, by many names. */
function targets({ project, outside, home }: HostileFacts): readonly string[] {
  return [
    ...[
      `${outside}/secret.txt`,
      `${outside}/folder/other.txt`,
      `${home}/.ssh/id_rsa`,
      `${home}/.bashrc`,
      `${project}/.env`,
    ],
    ...[
      '.env',
      './.env',
      'src/../.env',
      '.e*',
      '.[e]nv',
      '.{env,x}',
      'private/deep/key.txt',
      'private/*/*',
      '~/.ssh/id_rsa',
    ],
    ...[
      '"$HOME"/.ssh/id_rsa',
      '~/.bashrc',
      '../../../outside/secret.txt',
      '../../.ssh/id_rsa',
      '$PWD/.env',
      '${PWD%/*}/../.ssh/id_rsa',
    ],
    ...['way-out/secret.txt', 'way-out/folder/other.txt', 'file-out', 'copied', 'src/copied', 'src/link'],
    ...['/proc/self/root', '/proc/1/root', '/proc/1/cwd/..', '/proc/$$/root', '/dev/fd/../root'].map(
      (top) => `${top}${outside}/secret.txt`,
    ),
    ...[
      `/proc/self/cwd/.env`,
      '/proc/1/environ',
      '/proc/self/environ',
      '/proc/*/environ',
      '/proc/[0-9]*/cmdline',
      '/proc/*/fd/*',
    ],
    ...[
      '/etc/shadow',
      '/etc/passwd',
      '/root/.bashrc',
      '/root/.ssh/*',
      '/home/*/.ssh/*',
      '/var/log/*',
      '/run/*',
      '/boot/*',
      '/sys/*',
    ],
    ...[
      '/dev/sda',
      '/dev/vda',
      '/dev/mem',
      '/dev/kmsg',
      '/proc/kcore',
      '/proc/kmsg',
      '/proc/keys',
      '/dev/tty',
      '/dev/console',
    ],
  ];
}

/** Folders and files that a write or a removal is tried on. */
function victims({ project, outside, home }: HostileFacts): readonly string[] {
  return [
    ...[
      outside,
      `${outside}/secret.txt`,
      `${outside}/folder`,
      `${home}/.ssh/id_rsa`,
      `${home}/.bashrc`,
      `${home}/.ssh`,
      `${home}/x`,
    ],
    ...[
      'README.md',
      'src',
      'src/main.ts',
      '.env',
      'private',
      '.',
      '..',
      '../..',
      '../../..',
      '*',
      '.*',
      project,
      '.git/config',
      '.git/hooks',
    ],
    ...[
      '.reverie/settings.json',
      '.reverie',
      'new.txt',
      '~',
      '~/x',
      '/tmp',
      '/tmp/x',
      '/etc/passwd',
      '/etc',
      '/usr/bin/ls',
      '/usr/x',
      '/x',
    ],
    ...[
      '/dev/null',
      '/dev/x',
      '/dev/shm/x',
      '/proc/sys/kernel/printk_ratelimit_burst',
      '/proc/self/oom_score_adj',
      '/proc/self/uid_map',
    ],
    ...[
      'way-out',
      'way-out/new.txt',
      'file-out',
      'copied',
      '/proc/1/root/x',
      '/bin/bash',
      '/lib',
      '/root/x',
      '/var/x',
      '/home/x',
    ],
  ];
}

const READS = [
  ...[
    'cat T',
    'head -c 200 T',
    'tail -n 5 T',
    'sed -n 1,5p T',
    'grep -r "" T',
    'od -c T',
    'base64 T',
    'xxd T',
    'rev T',
    'tac T',
    'cp -r T /tmp/c; cat /tmp/c',
  ],
  ...[
    'wc T',
    'stat T',
    'ls -laR T',
    'file T',
    'strings T',
    'sort T',
    'uniq T',
    'cut -c1-99 T',
    'tar cf - T',
    'dd if=T bs=99 count=1',
    'diff T /dev/null',
  ],
  ...[
    'awk 1 T',
    'while read -r x; do echo "$x"; done < T',
    'echo "$(<T)"',
    'mapfile -t a < T; echo "${a[@]}"',
    'read -r x < T; echo $x',
    'source T',
    '. T',
  ],
  ...[
    'exec 5<T; cat <&5',
    'cat < T',
    'cat 0<T',
    'cat <<<"$(cat T)"',
    'paste T',
    'nl T',
    'cmp T /dev/zero',
    'ln T /tmp/l; cat /tmp/l',
    'ln -s T /tmp/s; cat /tmp/s',
  ],
  ...[
    'perl -ne print T',
    'perl -e \'open F,"<",shift; print <F>\' T',
    'mv T /tmp/m; cat /tmp/m',
    'install T /tmp/i; cat /tmp/i',
    'git diff --no-index /dev/null T',
  ],
  ...[
    'git hash-object T',
    'find T -type f -exec cat {} +',
    'find T -maxdepth 1 -printf "%p %s %l\\n"',
    'bash -x T',
    'bash --rcfile T -ic :',
    'du -a T',
    'readlink -f T; realpath T',
  ],
];
const WRITES = [
  ...[
    'echo x > V',
    'echo x >> V',
    ': >| V',
    'echo x 1<>V',
    'tee V <<<x',
    'touch V',
    'truncate -s 0 V',
    'dd if=/dev/zero of=V bs=9 count=1',
    'cp README.md V',
  ],
  ...[
    'rm -f V',
    'rm -rf V',
    'timeout 0.3 rm -rf V/*',
    'rmdir V',
    'unlink V',
    'shred -n1 V',
    'mv V /tmp/gone',
    'mv V V.old',
    'mkdir -p V/y',
    'ln -sf /tmp V',
    'ln -f README.md V',
  ],
  ...[
    'chmod -R 777 V',
    'chmod 4755 V',
    'chown -R 1:1 V',
    'sed -i s/a/b/ V',
    'install -m 777 README.md V',
    'mkfifo V',
    'mknod V c 1 3',
    'mktemp -p V',
    'split -n 2 V /tmp/s',
  ],
  ...[
    'timeout 0.3 find V -delete',
    'timeout 0.3 find V -exec rm -rf {} +',
    'timeout 0.3 find V -fprint V/z',
    'git init V',
    'git config -f V a.b c',
    'git -C V gc',
    'touch -d 2001-01-01 V',
  ],
  ...[
    'exec 6>V; echo x >&6',
    'echo x | sponge V',
    'printf x > V',
    'cat > V <<E\nx\nE',
    "perl -e 'unlink shift' V",
    'perl -i -pe s/a/b/ V',
    'setfattr -n user.a -v b V',
    'chattr -i V',
  ],
  ...[
    'mount -t tmpfs none V',
    'mount -o remount,rw V',
    'umount -l V',
    'mount --bind /tmp V',
    'head -c 2000000 /dev/zero > V',
    'tar xf /dev/null -C V',
    'mv /tmp/c V',
    'rsync -a --delete /tmp/ V/',
  ],
];
/** What needs no path. P is the port, S a folder outside. */
const DEEDS = [
  ...[
    'echo x >/dev/tcp/127.0.0.1/P',
    'cat </dev/tcp/localhost/P',
    'exec 3<>/dev/tcp/127.0.0.1/P; cat <&3',
    'echo x >/dev/udp/127.0.0.1/P',
    'echo x >/dev/tcp/0x7f000001/P',
  ],
  ...[
    'curl -m1 http://127.0.0.1:P/',
    'wget -T1 -qO- 127.0.0.1:P',
    'nc -w1 127.0.0.1 P',
    'timeout 0.5 perl -MIO::Socket::INET -e "IO::Socket::INET->new(q(127.0.0.1:P))"',
  ],
  ...[
    'git ls-remote http://127.0.0.1:P/x',
    'timeout 0.5 git clone git://127.0.0.1:P/x /tmp/g',
    'ssh -p P 127.0.0.1',
    'getent hosts example.org',
    'cat /proc/net/tcp',
    'ip addr',
    'cat /proc/net/unix',
  ],
  ...[
    'env',
    'set',
    'export -p',
    'declare -p',
    'declare -f',
    'compgen -v',
    'compgen -A function',
    'printenv',
    'alias',
    'history',
    'shopt',
    'echo $ANTHROPIC_API_KEY',
    'echo ${!ANTHROPIC*}',
  ],
  ...[
    'cat /proc/*/environ',
    'ps auxeww',
    'cat /proc/mounts',
    'id',
    'whoami',
    'hostname x',
    'ulimit -u unlimited',
    'ulimit -c unlimited',
    'ulimit -a',
    'umask 0',
    'dmesg',
    'lsns',
  ],
  ...[
    'unshare -Urm sh -c "mount -t tmpfs x S; cat S/secret.txt"',
    'unshare -r id',
    'nsenter -t 1 -a cat S/secret.txt',
    'chroot /proc/1/root cat S/secret.txt',
    'setpriv --reuid 0 id',
    'timeout 0.1 su -c id',
    'sudo -n id',
  ],
  ...[
    'capsh --print',
    'setsid sleep 0.01 &',
    'nohup sleep 0.01 >/dev/null &',
    '(sleep 0.01 & disown)',
    'kill -0 1',
    'kill -9 1',
    'kill -STOP 1',
    'kill -9 $PPID',
    'renice -20 $$',
    'chrt -f 99 true',
  ],
  ...[
    'keyctl show',
    'sysctl -w kernel.printk_ratelimit_burst=11',
    'echo h > /proc/sysrq-trigger',
    'modprobe dummy',
    'insmod x.ko',
    'reboot -f',
    'shutdown now',
    'date -s 2001-01-01',
    'swapoff -a',
    'losetup -a',
  ],
  ...[
    'bwrap --bind / / cat S/secret.txt',
    'systemctl stop x',
    'docker ps',
    'crontab -l',
    'at now <<<id',
    'timeout 0.2 gdb -p 1',
    'timeout 0.2 strace -p 1',
    'timeout 0.2 script -qc id /dev/null',
    'cd S && pwd',
    'cd .. && cat */*',
    'pushd S; dirs',
  ],
  ...[
    'type cat; command -v node',
    'hash -p S/secret.txt ls; ls',
    'enable -f S/secret.txt x',
    'enable -n echo; echo x',
    'bind -f S/secret.txt',
    'complete -C "cat .env" x; compgen -C "cat .env" x',
    'trap "cat .env" EXIT',
  ],
  ...[
    'exec cat .env',
    'eval "cat $(echo .env)"',
    'echo $(( a[$(cat .env >&2)0] ))',
    'x="a[$(cat .env >&2)0]"; [[ -v $x ]]',
    'printf -v "a[$(cat .env >&2)0]" x',
    'x="\\$(cat .env)"; echo "${x@P}"',
  ],
  ...[
    "PS4='$(cat .env)' bash -xc :",
    'set -o history; history -r .env; history',
    'coproc cat .env; cat <&${COPROC[0]}',
    'fc -l',
    'BASH_ENV=.env bash -c :',
    'ENV=.env sh -i -c :',
    'LD_PRELOAD=.env true',
    'echo !!; shopt -s expand_aliases; alias q="cat .env"\nq',
  ],
];
const SLOW_DEEDS = [
  'node -e \'for (const p of [".env","S/secret.txt"]) try { console.log(require("fs").readFileSync(p,"latin1")) } catch {}\'',
  'node -e \'require("net").connect(P,"127.0.0.1").on("error",()=>{}).on("connect",()=>console.log("CONNECTED"))\'',
  'node -e \'require("fs").writeFileSync("S/x","x")\'',
  'node -e \'console.log(process.env, process.ppid, require("os").hostname())\'',
  '/usr/bin/python3 -c \'print(open("S/secret.txt").read())\'',
  '/usr/bin/python3 -c \'import socket; socket.create_connection(("127.0.0.1", P), 1)\'',
  '/usr/bin/python3 -c \'import shutil; shutil.rmtree("S", True); shutil.rmtree("..", True)\'',
  'timeout 0.3 rm -rf --no-preserve-root /',
  'timeout 0.3 find / -xdev -name id_rsa -exec cat {} +',
  'timeout 0.3 grep -rs canary / ',
  'timeout 0.2 yes > /tmp/full',
  'timeout 0.1 sleep 9',
  'timeout 0.1 bash -c "while :; do :; done"',
  'kill -9 -1',
];

/** The same deed, said in another way. */
const WRAPPINGS: readonly ((line: string, random: Random) => string)[] = [
  (line) => `(${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `eval ${single(line)}`,
  (line) => `bash -c ${single(line)}`,
  (line) => `echo "$(${line}\n)"`,
  (line) => `cat <(${line}\n)`,
  (line) => `${line} &\nwait`,
  (line) => `! ${line}`,
  (line) => `f() { ${line}\n}; f`,
  (line) => `for i in 1 2; do ${line}\ndone`,
  (line) => `if :; then ${line}\nfi`,
  (line) => `case x in x) ${line}\n;; esac`,
  (line) => `trap ${single(line)} EXIT`,
  (line) => `trap ${single(line)} DEBUG; :`,
  (line) => `bash <<'EOS'\n${line}\nEOS`,
  (line) => `bash <<< ${single(line)}`,
  (line) => `printf %b ${single(octal(line))} | bash`,
  (line) => `echo ${Buffer.from(line).toString('base64')} | base64 -d | sh`,
  (line) => `$'${octal('bash')}' -c ${single(line)}`,
  (line) => `env -i PATH=/usr/bin:/bin bash -c ${single(line)}`,
  (line) => `xargs -0 bash -c < <(printf %s ${single(line)})`,
  (line) => `find . -maxdepth 0 -exec bash -c ${single(line)} \\;`,
  (line) => `mapfile -c 1 -C ${single(`${line} #`)} <<< x`,
  (line) => `exec bash -c ${single(line)}`,
  (line) => `x=${single(line)}; \${x:+eval} "\${x@E}"`,
  (line) => `cat > /tmp/s.sh <<'EOS'\n${line}\nEOS\nbash /tmp/s.sh`,
  (line) => `printf %s ${single(line)} | timeout 1 bash`,
  (line) => `${line} 2>&1 | tee /tmp/t | cat`,
  (line) => `exec 2>&1; ${line}`,
  (line) => `set -x; ${line}`,
  (line) => `cd src; ${line}`,
  (line) => `cd /; ${line}`,
  (line) => `HOME=/root; PATH=.:$PATH; ${line}`,
  (line, random) => mutated(line, random),
  (line, random) => mutated(mutated(line, random), random),
];

function octal(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`)
    .join('')
    .replaceAll('\\0', '\\');
}

const ODD = [
  ...' \t\n\'"\\`$&|;<>(){}[]*?!#~=-+:,./@%^0123456789xXaz',
  '\u00a0',
  '\u200b',
  '\u2028',
  '\u202e',
  '日',
  'é',
  '\u0007',
  '$(',
  '${',
  '<<',
  '((',
  '/..',
];

function mutated(line: string, random: Random): string {
  const at = Math.floor(random() * (line.length + 1));
  const kind = random();
  if (kind < 0.5) return line.slice(0, at) + pick(ODD, random) + line.slice(at);
  if (kind < 0.75) return line.slice(0, at) + line.slice(at + 1);
  return line.slice(0, at) + pick(ODD, random) + line.slice(at + 1);
}

function filled(text: string, name: 'T' | 'V', path: string): string {
  return text.replaceAll(name, () => path);
}

function deed(facts: HostileFacts, random: Random): string {
  const kind = random();
  if (kind < 0.4) return filled(pick(READS, random), 'T', pick(targets(facts), random));
  if (kind < 0.72) return filled(pick(WRITES, random), 'V', pick(victims(facts), random));
  const text = pick(kind < 0.985 ? DEEDS : SLOW_DEEDS, random);
  return text.replaceAll(/\bP\b/g, String(facts.port)).replaceAll(/\bS\b/g, facts.outside);
}

/** One to three deeds, joined and wrapped. A NUL would end a word of any program, so there is none. */
export function hostileLine(facts: HostileFacts, random: Random): string {
  let line = deed(facts, random);
  while (random() < 0.25) line += pick([' ; ', ' && ', ' || ', ' | ', '\n', ' & '], random) + deed(facts, random);
  while (random() < 0.45) line = pick(WRAPPINGS, random)(line, random);
  return line.replaceAll('\0', '');
}
