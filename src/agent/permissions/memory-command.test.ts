/** Shell lines and memory by table: what may only be written with Write and Edit, and what is left alone. */

import { describe, expect, it } from 'vitest';
import { PERMISSION_MODES, type PermissionMode } from '../permission.ts';
import { type CommandVerdict, checkCommand } from '../read-only-shell/check-command.ts';
import { decidePermission } from './decide-permission.ts';
import { parseRule } from './rule.ts';
import { loadShellGrammar } from './shell-commands.ts';

await loadShellGrammar();

const MEMORY = '/home/u/.reverie/projects/p/memory';
const GLOBAL = '/home/u/.reverie/memory';
const LINKS: Readonly<Record<string, string>> = {
  '/code/project/link': MEMORY,
  '/code/project/link/x.md': `${MEMORY}/x.md`,
};

interface Case {
  readonly mode?: PermissionMode;
  readonly cwd?: string;
  readonly memoryFolders?: readonly string[];
}

function decide(command: string, { mode = 'bypass', cwd = '/code/project', memoryFolders }: Case = {}) {
  const allowed = parseRule('Bash');
  if ('wrong' in allowed) throw new Error(allowed.wrong);
  return decidePermission({
    call: { name: 'Bash', input: { command } },
    isReadOnly: false,
    mode,
    rules: { allow: [{ rule: allowed, from: 'test' }], ask: [], deny: [] },
    place: {
      cwd,
      roots: ['/code/project'],
      userHome: '/home/u',
      home: '/home/u/.reverie',
      settingsFiles: [],
      memoryFolders: memoryFolders ?? [MEMORY, GLOBAL],
      readableFolders: [],
      additionalDirectories: [],
    },
    canAsk: true,
    realPath: (path) => LINKS[path] ?? path,
    checkReadOnly: (line): CommandVerdict => checkCommand(line, { cwd, roots: ['/code/project', MEMORY, GLOBAL] }),
  });
}

const WRITES = [
  `echo x > ${MEMORY}/x.md`,
  `echo x >> ${MEMORY}/x.md`,
  `echo x >| ${GLOBAL}/x.md`,
  'echo x > ~/.reverie/memory/x.md',
  'echo x > $HOME/.reverie/memory/x.md',
  `echo x > "\${HOME}/.reverie/projects/p/memory/x.md"`,
  'echo x > $REVERIE_HOME/memory/x.md',
  `echo x > "\${REVERIE_HOME:-$HOME/.reverie}/memory/x.md"`,
  'echo x > ~/.reverie//projects/./p/memory/x.md',
  'echo x > ~/.reverie/projects/q/../p/memory/x.md',
  'echo x > ~/.rev*/memory/x.md',
  'echo x > ~/{.reverie,other}/memory/x.md',
  `echo x > /home/u/.rev"eri"e/memory/x.md`,
  String.raw`echo x > $'\x2fhome/u/.reverie/memory/x.md'`,
  'echo x > ~/.Reverie/Memory/x.md',
  `echo x | tee ${MEMORY}/x.md`,
  `echo x | sudo tee -a ${MEMORY}/x.md > /dev/null`,
  `cp notes.md ${MEMORY}/`,
  `mv notes.md ${MEMORY}/x.md`,
  `ln -sf /tmp/x ${MEMORY}/x.md`,
  `install -m 644 notes.md ${MEMORY}/x.md`,
  `dd if=notes.md of=${MEMORY}/x.md`,
  `sed -i s/never/always/ ${MEMORY}/x.md`,
  `perl -pi -e s/a/b/ ${MEMORY}/x.md`,
  `sort -o ${MEMORY}/x.md notes.md`,
  `curl -o${MEMORY}/x.md https://example.org`,
  `git -C ${MEMORY} checkout .`,
  `python3 -c "open('${MEMORY}/x.md','w').write('x')"`,
  `python3 -c "import os; open(os.path.expanduser('~/.reverie/memory/x.md'),'w')"`,
  `node -e 'require("fs").writeFileSync(process.env.HOME + "/.reverie/memory/x.md", "x")'`,
  `python3 - <<'EOF'\nopen('${MEMORY}/x.md','w').write('x')\nEOF`,
  `cat > ${MEMORY}/x.md <<EOF\nx\nEOF`,
  `bash -c "echo x > ${MEMORY}/x.md"`,
  `eval "echo x > ${MEMORY}/x.md"`,
  `M=${MEMORY}; echo x > $M/x.md`,
  'H=/home/u; R=$H/.reverie; echo x > "$R/memory/x.md"',
  'export R=/home/u/.reverie && echo x > $R/memory/x.md',
  `cd ${MEMORY} && echo x > x.md`,
  'cd ~/.reverie/memory; touch x.md',
  `(cd ${MEMORY} && npm test)`,
  `ls ${MEMORY}/*.md | xargs sed -i s/a/b/`,
  `find ${MEMORY} -name '*.md' -exec sed -i s/a/b/ {} +`,
  `find ${MEMORY} -name '*.md' -delete`,
  `for f in ${MEMORY}/*.md; do sed -i s/a/b/ "$f"; done`,
  `echo ${MEMORY}/x.md | while read f; do echo y > "$f"; done`,
  `PATH=/tmp/own cat ${MEMORY}/x.md`,
  `cat ${MEMORY}/x.md > ${MEMORY}/y.md`,
  'echo x > link/x.md',
  'cp notes.md link',
  'tar xf notes.tar -C ~/.reverie',
  'cp -r notes/. ~/.reverie/projects/p',
  'rm -rf ~/.reverie',
  `rm -rf ${MEMORY}`,
  `rm -r ${MEMORY}/old.md`,
  `rm ${MEMORY}/.reverie/journal/changes.jsonl`,
  `rm ${MEMORY}/.reverie/journal/index-as-left.md`,
  `echo 'x > ${MEMORY}/x.md`,
];

describe('a line that may change memory', () => {
  it.each(WRITES)('%s', (command) => {
    for (const mode of PERMISSION_MODES) expect(decide(command, { mode }).verdict).toBe('deny');
  });

  it('is denied with what to do instead, and why', () => {
    const { reason } = decide(`echo x > ${MEMORY}/x.md`);
    expect(reason).toContain(MEMORY);
    expect(reason).toMatch(/Write and Edit.*what the user said/);
  });

  it.each(['npm test', 'touch x.md', 'git status', 'cd sub && touch x.md', `cd ${GLOBAL} && make`])(
    'stands in it: %s',
    (command) => {
      for (const mode of PERMISSION_MODES) expect(decide(command, { mode, cwd: `${MEMORY}/sub` }).verdict).toBe('deny');
      expect(decide('npm test', { cwd: MEMORY }).reason).toContain('leave it with `cd`');
    },
  );

  it.each([
    'reverie memory save --type feedback --name x --description x --body "Always push."',
    'npx --yes reverie memory save --name x',
    'node_modules/.bin/reverie --quiet memory edit x.md',
    'env A=b reverie dream approve',
    'sh -c "reverie memory save --name x"',
  ])('is the user’s own command: %s', (command) => {
    for (const mode of PERMISSION_MODES) expect(decide(command, { mode }).verdict).toBe('deny');
    expect(decide(command).reason).toContain('for the user to run');
  });
});

describe('a line that does not', () => {
  it.each([
    `cat ${MEMORY}/x.md`,
    `ls -la ${MEMORY} 2>/dev/null`,
    `grep -rn mocks ${MEMORY} | head -5`,
    `cd ${MEMORY} && ls`,
    `cd ${MEMORY}`,
    `echo "it is in ${MEMORY}"`,
    `rm ${MEMORY}/feedback_x.md`,
    `rm -f -- '${MEMORY}/feedback_x.md' ~/.reverie/memory/user_y.md`,
    `cd ${MEMORY} && rm feedback_x.md`,
    `rm ${MEMORY}/*.md`,
    `echo x > ${MEMORY}-old/x.md`,
    'echo x > /home/u/notes/memory/x.md',
    'npm test && git commit -m "Keep projects in memory"',
    'cp notes.md ~/',
    'cp -r src /home/u/.reverie-backup',
    'rm -rf build',
    'reverie memory list && reverie recall "memory save"',
    'reverie status',
  ])('%s', (command) => {
    expect(decide(command)).toMatchObject({ verdict: 'allow' });
  });

  it('leaves the folder again', () => {
    expect(decide('cd /code/project', { cwd: MEMORY }).verdict).toBe('allow');
    expect(decide('cat x.md', { cwd: MEMORY }).verdict).toBe('allow');
  });
});

describe('a memory folder in the project', () => {
  const inProject = { memoryFolders: ['/code/project/memory'] };
  it.each([
    'echo x > memory/x.md',
    'for f in memory/*.md; do sed -i s/a/b/ "$f"; done',
    `python3 -c "open('memory/x.md', 'w')"`,
    'cd memory && touch x.md',
  ])('is memory: %s', (command) => {
    expect(decide(command, inProject).verdict).toBe('deny');
  });
  it.each(['npm test', 'echo x > src/memory/x.ts', 'git commit -am "memory: say why"'])('is not: %s', (command) => {
    expect(decide(command, inProject).verdict).toBe('allow');
  });
});
