/** Verdicts by table: what each mode lets run, what rules change about it, and what is protected from everybody. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are meant for a shell.

import { describe, expect, it } from 'vitest';
import type { PermissionMode } from '../permission.ts';
import { decidePermission, type PermissionFacts } from './decide-permission.ts';
import { parseRule, type RuleSet } from './rule.ts';
import { loadShellGrammar } from './shell-commands.ts';

await loadShellGrammar();

type Rules = Partial<Record<keyof RuleSet, readonly string[]>>;

function ruleSet(rules: Rules): RuleSet {
  const read = (texts: readonly string[] = []) =>
    texts.map((text) => {
      const rule = parseRule(text);
      if ('wrong' in rule) throw new Error(`${text}: ${rule.wrong}`);
      return { rule, from: 'test' };
    });
  return { allow: read(rules.allow), ask: read(rules.ask), deny: read(rules.deny) };
}

interface Case {
  readonly mode?: PermissionMode;
  readonly rules?: Rules;
  readonly isReadOnly?: boolean;
  readonly links?: Readonly<Record<string, string>>;
  readonly canAsk?: boolean;
  readonly roots?: readonly string[];
  readonly cwd?: string;
  readonly fileCwd?: string;
  readonly advice?: PermissionFacts['advice'];
}

const READ_ONLY = /^ *(?:ls|cat|head|grep|wc)\b[^>$`;&]*$/;

function decide(name: string, input: Readonly<Record<string, unknown>>, facts: Case = {}) {
  return decidePermission({
    call: { name, input },
    isReadOnly: facts.isReadOnly ?? ['Read', 'Grep', 'Glob'].includes(name),
    mode: facts.mode ?? 'ask',
    rules: ruleSet(facts.rules ?? {}),
    place: {
      cwd: facts.cwd ?? '/code/project',
      fileCwd: facts.fileCwd,
      roots: facts.roots ?? ['/code/project'],
      userHome: '/home/u',
      home: '/home/u/.reverie',
      settingsFiles: ['/etc/reverie/settings.json', '/code/flags.json'],
      memoryFolders: ['/home/u/.reverie/memory', '/home/u/.reverie/projects/p/memory'],
      readableFolders: ['/home/u/.reverie/projects/p/session'],
      additionalDirectories: ['~/library', '/opt/shared'],
    },
    canAsk: facts.canAsk ?? true,
    realPath: (path) => facts.links?.[path] ?? path,
    // Stands for the gate: a few programs, no redirection, nothing outside.
    checkReadOnly: (command) => ({
      verdict: command.split('|').every((stage) => READ_ONLY.test(stage)) ? 'allow' : 'deny',
      reason: '',
    }),
    ...(facts.advice === undefined ? {} : { advice: facts.advice }),
  });
}

const bash = (command: string, facts?: Case) => decide('Bash', { command }, facts).verdict;
const read = (path: string, facts?: Case) => decide('Read', { file_path: path }, facts).verdict;
const edit = (path: string, facts?: Case) => decide('Edit', { file_path: path }, facts).verdict;

describe('the modes', () => {
  it.each<readonly [PermissionMode, string, string, string, string]>([
    // mode, reading, editing, `mkdir`, `npm test`
    ['ask', 'allow', 'ask', 'ask', 'ask'],
    ['accept-edits', 'allow', 'allow', 'allow', 'ask'],
    ['plan', 'allow', 'deny', 'deny', 'deny'],
    ['bypass', 'allow', 'allow', 'allow', 'allow'],
  ])('%s', (mode, reading, editing, making, testing) => {
    expect(read('src/a.ts', { mode })).toBe(reading);
    expect(bash('ls src | head', { mode })).toBe(reading);
    expect(edit('src/a.ts', { mode })).toBe(editing);
    expect(bash('mkdir -p src/new && touch src/new/a.ts', { mode })).toBe(making);
    expect(bash('npm test', { mode })).toBe(testing);
  });

  it.each([
    ['mv a b -t /etc'],
    ['cp a ../b'],
    ['cp -r a b'],
    ['touch $x'],
    ['mkdir a && npm test'],
    ['touch a > b'],
    ['cp .env env.txt'],
    ['mkdir .git/hooks'],
    ['touch .npmrc'],
    ['cp a /home/u/.bashrc'],
    ['mkdir'],
  ])('accept-edits asks about %s', (command) => {
    expect(bash(command, { mode: 'accept-edits' })).toBe('ask');
  });

  it('lets the memory be written, but not its journal, and not in plan mode', () => {
    const memory = '/home/u/.reverie/projects/p/memory';
    expect(decide('Write', { file_path: `${memory}/user_x.md` }).verdict).toBe('allow');
    expect(decide('Write', { file_path: `${memory}/.reverie/journal/changes.jsonl` }).verdict).toBe('ask');
    expect(decide('Write', { file_path: `${memory}/x.md` }, { mode: 'plan' }).verdict).toBe('deny');
    expect(decide('Write', { file_path: `${memory}/x.md` }, { links: { [`${memory}/x.md`]: '/etc/x' } }).verdict).toBe(
      'ask',
    );
  });
});

describe('reading', () => {
  it.each([
    ['src/a.ts', 'allow'],
    ['/code/project-two/a.ts', 'ask'],
    ['../other/a.ts', 'ask'],
    ['/home/u/.reverie/memory/user_a.md', 'allow'],
    ['/home/u/.reverie/projects/p/session/tool-results/t.txt', 'allow'],
    ['/home/u/.reverie/projects/q/memory/a.md', 'ask'],
    ['~/library/a.md', 'allow'],
    ['/opt/shared/a.md', 'allow'],
    ['/etc/passwd', 'ask'],
    ['.env', 'ask'],
    ['config/.env.production', 'ask'],
    ['.env.example', 'allow'],
    ['deploy/id_ed25519', 'ask'],
    ['deploy/id_ed25519.pub', 'allow'],
    ['certificates/server.pem', 'ask'],
  ])('%s: %s', (path, verdict) => {
    expect(read(path)).toBe(verdict);
  });

  it('goes by where a link leads', () => {
    expect(read('notes.md', { links: { '/code/project/notes.md': '/etc/shadow' } })).toBe('ask');
    expect(read('notes.md', { links: { '/code/project/notes.md': '/code/project/.env' } })).toBe('ask');
  });

  it('includes searches, and where their patterns lead', () => {
    expect(decide('Grep', { pattern: 'x' }).verdict).toBe('allow');
    expect(decide('Grep', { pattern: 'x', path: '/etc' }).verdict).toBe('ask');
    expect(decide('Grep', { pattern: 'x', glob: '.env*' }).verdict).toBe('ask');
    expect(decide('Glob', { pattern: '/etc/*' }).verdict).toBe('ask');
    expect(decide('Glob', { pattern: '../../**/*.key' }).verdict).toBe('ask');
    expect(decide('Glob', { pattern: '**/.env' }).verdict).toBe('allow');
  });

  it.each(['.{env,x}', '{.env}', '.en{v,w}', '.\\env', 'src/{a,.env}', '{a/.env,b}'])(
    'asks about a search whose pattern %s stands for secrets',
    (glob) => {
      expect(decide('Grep', { pattern: 'x', glob }).verdict).toBe('ask');
      expect(decide('Grep', { pattern: 'x', glob: '*.{ts,tsx}' }).verdict).toBe('allow');
    },
  );

  it('takes a path as the tools do: a file may be called $PWD, and a shell may be elsewhere', () => {
    const links = { '/code/project/$PWD/secret': '/etc/secret', '/code/project/$PWD': '/etc' };
    expect(read('$PWD/secret', { links })).toBe('ask');
    expect(edit('$PWD/secret', { links, mode: 'accept-edits' })).toBe('ask');
    expect(decide('Grep', { pattern: 'x', path: '$PWD' }, { links }).verdict).toBe('ask');
    expect(bash("cp a '$PWD/secret'", { links, mode: 'accept-edits' })).toBe('ask');
    const elsewhere = { fileCwd: '/code/project', cwd: '/code/project/sub', links: { '/code/project/a': '/etc/a' } };
    expect(read('a', elsewhere)).toBe('ask');
    expect(read('a', { ...elsewhere, fileCwd: '/code/project/sub' })).toBe('allow');
  });

  it.each(['echo $TOKEN', 'echo ~/.ssh/*', 'pwd $TOKEN', 'cd -', 'cd ~', 'echo a && cat ~/notes.txt'])(
    'by the shell asks about what is expanded: %s',
    (line) => {
      expect(bash(line)).toBe('ask');
      expect(bash('echo done && cat notes.txt')).toBe('allow');
    },
  );

  it('by the shell asks about secrets too', () => {
    expect(bash('cat .env')).toBe('ask');
    expect(bash('cat .en?')).toBe('ask');
    expect(bash('cat src/a.ts')).toBe('allow');
    expect(bash('npm test && cat .env', { rules: { allow: ['Bash(npm test)'] } })).toBe('ask');
  });
});

describe('rules that allow', () => {
  const allow = ['Bash(npm test:*)', 'Bash(git status)', 'Edit(src/**)', 'Read(//etc/hosts)', 'mcp__files'];

  it.each([
    ['npm test', 'allow'],
    ['npm test -- --watch', 'allow'],
    ['npm testing', 'ask'],
    ['npm', 'ask'],
    ['git status', 'allow'],
    ['git status -s', 'ask'],
    ['git status && npm test', 'allow'],
    ['git status | head', 'allow'],
    ['cd src && npm test', 'allow'],
    ['cd /etc && npm test', 'ask'],
    ['timeout 60 npm test', 'allow'],
    ['timeout -k 5 60 npm test', 'ask'],
    ['CI=1 npm test 2>&1', 'allow'],
    ['PATH=/tmp npm test', 'ask'],
    ['PATH=/tmp; npm test', 'ask'],
    ['NODE_OPTIONS=x npm test', 'ask'],
    ['npm test; rm -rf x', 'ask'],
    ['npm test $(rm x)', 'ask'],
    ['npm test `rm x`', 'ask'],
    ['npm test <(rm x)', 'ask'],
    ['npm test > package.json', 'ask'],
    ['npm test > /dev/null', 'allow'],
    ['npm $x', 'ask'],
    ['$x test', 'ask'],
    ['./npm test', 'ask'],
    ['env npm test', 'ask'],
    ["npm test 'a", 'ask'],
    ['npm test\rrm', 'ask'],
    ['npm() { rm x; }; npm test', 'ask'],
    ["''{npm,x} test", 'ask'],
    ["npm test ${x#'a'}", 'ask'],
    [`npm test "a\${x#'"'}"; rm x #}"`, 'ask'],
    ['npm test $x', 'ask'],
    ['npm test {a,b}', 'ask'],
    ['npm test *.ts', 'allow'],
    ['npm t*', 'ask'],
    ["npm test '$x' \\$x", 'allow'],
    ['LINES="a[$(rm x)]" npm test', 'ask'],
    ['CI[$(rm x)]=1 npm test', 'ask'],
    ['CI=$x npm test', 'ask'],
    ['CI=a[1] npm test', 'ask'],
    ['npm test x[$(rm x)]', 'ask'],
    ['npm test < package.json', 'ask'],
    ['npm test <<< a', 'ask'],
    ['npm test <<X\na\nX', 'ask'],
    ['npm test < /dev/null > /dev/null 2>&1', 'allow'],
    ['npm test >& out', 'ask'],
    ['for PATH in /tmp; do npm test; done', 'ask'],
    ['if npm test; then git status; fi', 'allow'],
    ['case $x in a) npm test;; esac', 'ask'],
    ['(( 1 )) && npm test', 'ask'],
    ['npm test "a$[b" c', 'ask'],
    ['echo done', 'allow'],
    ['', 'ask'],
  ])('%j: %s', (command, verdict) => {
    expect(bash(command, { rules: { allow } })).toBe(verdict);
  });

  it('for tools and files cover what they name, by given and by real path', () => {
    const rules = { allow };
    expect(edit('src/a.ts', { rules })).toBe('allow');
    expect(decide('Write', { file_path: 'src/a.ts' }, { rules }).verdict).toBe('allow');
    expect(edit('lib/a.ts', { rules })).toBe('ask');
    expect(edit('src/a.ts', { rules, links: { '/code/project/src/a.ts': '/code/project/lib/a.ts' } })).toBe('ask');
    expect(read('/etc/hosts', { rules })).toBe('allow');
    expect(read('/etc/passwd', { rules })).toBe('ask');
    expect(decide('mcp__files__get', {}, { rules }).verdict).toBe('allow');
    expect(decide('mcp__files_two__get', {}, { rules }).verdict).toBe('ask');
  });

  it('are meant from the project, and from another work tree, not from a folder within', () => {
    const rules = { allow };
    expect(edit('sub/src/a.ts', { rules, roots: ['/code/project', '/code/project/sub'] })).toBe('ask');
    expect(edit('/trees/x/src/a.ts', { rules, roots: ['/code/project', '/trees/x'] })).toBe('allow');
  });

  it.each([
    ['https://example.com/a', 'allow'],
    ['https://EXAMPLE.com./a', 'allow'],
    ['https://a.example.com/', 'ask'],
    ['https://example.com.evil.org/', 'ask'],
    ['https://example.com@evil.org/', 'ask'],
    ['file://example.com/', 'ask'],
    ['not an address', 'ask'],
  ])('for a domain: %s: %s', (url, verdict) => {
    expect(decide('WebFetch', { url }, { rules: { allow: ['WebFetch(domain:example.com)'] } }).verdict).toBe(verdict);
  });

  it.each([
    ["printf -v 'a[$(rm x)]' y"],
    ["printf '-va[`rm x`]' y"],
    ["test -v 'a[$(rm x)]'"],
    ["[ -v 'a[$(rm x)]' ]"],
    ["timeout 5 test -v 'a[$(rm x)]'"],
    ["read 'a[$(rm x)]'"],
  ])('do not cover what the shell runs in a subscript: %s', (command) => {
    const rules = { allow: ['Bash(printf:*)', 'Bash(test:*)', 'Bash([:*)', 'Bash(read:*)'] };
    expect(bash(command, { rules })).toBe('ask');
    expect(bash("printf '[%s]' y && test -f x && [ -n y ]", { rules })).toBe('allow');
  });

  it('for all of Bash still need a line that can be read', () => {
    const rules = { allow: ['Bash'] };
    expect(bash('curl x | tee y && [[ -f z ]]', { rules })).toBe('allow');
    expect(bash("curl 'x", { rules })).toBe('ask');
  });
});

describe('rules that deny', () => {
  const rules = {
    deny: ['Bash(rm:*)', 'Bash(git push:*)', 'Read(secrets/**)', 'Edit(vendor/**)'],
    allow: ['Bash', 'Edit'],
  };

  it.each([
    ['rm x'],
    ['/bin/rm x'],
    ['RM x'],
    ["r'm' x"],
    ['ls; rm x'],
    ['ls && (cd a; rm x)'],
    ['echo $(rm x)'],
    ['env A=b rm x'],
    ['sudo -u root rm x'],
    ['timeout 5 rm x'],
    ['timeout -k 1 5 rm x'],
    ['setarch x86_64 rm x'],
    ['setarch -R rm x'],
    ['linux64 rm x'],
    ['setpriv --no-new-privs rm x'],
    ['prlimit --cpu=5 rm x'],
    ['choom -n 0 -- rm x'],
    ['flock lock rm x'],
    ["flock lock -c 'rm x'"],
    ["sg users -c 'rm x'"],
    ['dbus-run-session -- rm x'],
    ['nice -n 5 rm x'],
    ['xargs -0 -n 1 rm'],
    ['find . -name x -exec rm {} ;'],
    ['bash -c "rm x"'],
    ['bash -lc "cd a && rm x"'],
    ['sudo sh -e -c "rm x"'],
    ['eval "r"m x'],
    ['env -S "rm x"'],
    ['su -c "rm x" root'],
    ['watch -n 1 rm x'],
    ['x=rm; $x y'],
    ['$(echo rm) x'],
    ["''{rm,x}"],
    [`echo "a\${x#'"'}"; rm x #}"`],
    ["echo ${x#'$('} $(rm x)"],
    ['LINES="$(rm x)" npm test'],
    ['a[$(rm x)]=1'],
    ['((rm x) )'],
    ["eval 'A=b rm x'"],
    ["env 'A=b' rm x"],
    ['echo "rm x" | sh'],
    ["rm 'x"],
    ['command rm x'],
    ['exec -a y rm x'],
    ['if true; then rm x; fi'],
    ['! rm x'],
    ['cat <<X | sh\nrm x\nX'],
    ['git push'],
    ['git -C /elsewhere push origin'],
    ['git --no-pager -c a=b push'],
    ['cat secrets/a'],
    ['cat < secrets/a'],
    ['cd secrets && cat a'],
    ['cat ./x/../secrets/a'],
    ['cat $PWD/secrets/a'],
    ['echo x > vendor/a'],
    ['tee vendor/a'],
    ['dd of=vendor/a'],
    ["sed -i '' vendor/a"],
  ])('%j', (command) => {
    for (const mode of ['ask', 'accept-edits', 'plan', 'bypass'] as const)
      expect(bash(command, { rules, mode })).toBe('deny');
  });

  it.each([
    ['rmdir x'],
    ['git pull'],
    ['git commit -m push'],
    ['echo rm'],
    ['grep -r rm src'],
    ['cat vendor/a'],
    ['node vendor/a.js'],
    ['sed -n 1p vendor/a'],
  ])('not %j', (command) => {
    expect(bash(command, { rules, mode: 'bypass' })).toBe('allow');
  });

  it('hold behind wrappers without end', () => {
    for (const wrapper of ['sudo -u ', 'env --a=env ', "env 'A=b env' ", 'xargs '])
      expect(bash(`${wrapper.repeat(200)}rm x`, { rules, mode: 'bypass' })).toBe('deny');
  });

  it('ask, where nobody can tell what would run', () => {
    expect(bash('$x y', { rules, mode: 'bypass' })).toBe('ask');
    expect(bash('git $x', { rules, mode: 'bypass' })).toBe('ask');
    expect(bash('echo cm0= | base64 -d | sh', { rules, mode: 'bypass' })).toBe('ask');
    expect(bash('$x y', { mode: 'bypass' })).toBe('allow');
  });

  it('hold for files by either path, and for every tool that would show or change them', () => {
    expect(read('secrets/a', { rules })).toBe('deny');
    expect(read('Secrets/a', { rules, mode: 'bypass' })).toBe('deny');
    expect(edit('secrets/a', { rules })).toBe('deny');
    expect(decide('Grep', { pattern: 'x', path: 'secrets' }, { rules }).verdict).toBe('deny');
    expect(read('link', { rules, links: { '/code/project/link': '/code/project/secrets/a' } })).toBe('deny');
    expect(decide('Write', { file_path: 'vendor/a' }, { rules }).verdict).toBe('deny');
  });

  it('hold for domains below, skills and servers', () => {
    const denied = { deny: ['WebFetch(domain:example.com)', 'Skill(deploy)', 'mcp__mail__*'] };
    expect(decide('WebFetch', { url: 'https://a.example.com' }, { rules: denied, mode: 'bypass' }).verdict).toBe(
      'deny',
    );
    expect(decide('Skill', { skill: 'deploy' }, { rules: denied, mode: 'bypass' }).verdict).toBe('deny');
    expect(decide('mcp__mail__send', {}, { rules: denied, mode: 'bypass' }).verdict).toBe('deny');
  });
});

it('rules that ask come before the mode and before rules that allow', () => {
  const rules = { ask: ['Bash(git push:*)'], allow: ['Bash'] };
  expect(bash('git push', { rules, mode: 'bypass' })).toBe('ask');
  expect(bash('git pull', { rules })).toBe('allow');
});

describe('protected places', () => {
  it.each([
    ['.git/hooks/pre-commit'],
    ['.git/config'],
    ['sub/.git/config'],
    ['.claude/settings.json'],
    ['.reverie/skills/x/SKILL.md'],
    ['.husky/pre-push'],
    ['.vscode/tasks.json'],
    ['.npmrc'],
    ['.GIT/config'],
    ['~/.bashrc'],
    ['~/.ssh/authorized_keys'],
    ['~/.config/systemd/user/x.service'],
  ])('%s asks in every mode but bypass, whatever is allowed', (path) => {
    const rules = { allow: ['Edit', 'Bash'] };
    for (const mode of ['ask', 'accept-edits'] as const) {
      expect(edit(path, { mode, rules })).toBe('ask');
      expect(bash(`echo x >> ${path}`, { mode, rules })).toBe('ask');
    }
    expect(edit(path, { mode: 'bypass' })).toBe('allow');
  });

  it.each([
    ['.reverie/settings.json'],
    ['.reverie/settings.local.json'],
    ['~/.reverie/settings.json'],
    ['~/.reverie/trusted.json'],
    ['/etc/reverie/settings.json'],
    ['/code/flags.json'],
  ])('%s asks even in bypass: it holds the rules that bypass promises to keep', (path) => {
    expect(edit(path, { mode: 'bypass' })).toBe('ask');
    expect(bash(`tee ${path}`, { mode: 'bypass' })).toBe('ask');
  });

  it('are told by what is below the work tree, not by where that lies', () => {
    const roots = ['/code/project', '/code/project/.claude/worktrees/x'];
    const file = '/code/project/.claude/worktrees/x/src/a.ts';
    expect(edit(file, { mode: 'accept-edits', roots })).toBe('allow');
    expect(edit(file, { mode: 'accept-edits' })).toBe('ask');
    expect(edit('/code/project/.git/hooks/x', { mode: 'accept-edits', roots: ['/code/project/.git'] })).toBe('ask');
  });

  it('are met through links that lie where a file is copied to', () => {
    const links = { '/code/project/sub/keys': '/home/u/.ssh/authorized_keys' };
    expect(bash('cp evil/keys sub', { mode: 'accept-edits', links })).toBe('ask');
    expect(bash('cp evil/other sub', { mode: 'accept-edits', links })).toBe('allow');
  });

  it('are met through links, too', () => {
    expect(edit('x', { mode: 'accept-edits', links: { '/code/project/x': '/code/project/.git/config' } })).toBe('ask');
  });
});

describe('a hook’s advice', () => {
  it('spares a question, but outweighs neither rules nor protection nor plan mode', () => {
    const advice = { verdict: 'allow', reason: 'fine' } as const;
    expect(bash('npm test', { advice })).toBe('allow');
    expect(bash('npm test', { advice, mode: 'plan' })).toBe('deny');
    expect(bash('npm test', { advice, rules: { deny: ['Bash(npm:*)'] } })).toBe('deny');
    expect(bash('npm test', { advice, rules: { ask: ['Bash(npm:*)'] } })).toBe('ask');
    expect(edit('.git/config', { advice })).toBe('ask');
  });

  it('denies and asks in every mode', () => {
    expect(bash('ls', { advice: { verdict: 'deny', reason: 'no' }, mode: 'bypass' })).toBe('deny');
    expect(bash('ls', { advice: { verdict: 'ask', reason: 'look' }, mode: 'bypass' })).toBe('ask');
  });
});

it('without anybody to ask, a question is a denial that says the way out', () => {
  expect(decide('Bash', { command: 'npm test' }, { canAsk: false })).toEqual({
    verdict: 'deny',
    reason: expect.stringMatching(/npm test.*permissions\.allow.*mode/),
    isCoverable: true,
  });
  expect(decide('Edit', { file_path: '.git/config' }, { canAsk: false })).toMatchObject({
    verdict: 'deny',
    reason: expect.stringMatching(/Only the user/),
  });
  expect(bash('ls', { canAsk: false })).toBe('allow');
});
