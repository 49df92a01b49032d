/** A folder tree for the read-only shell: three folders that may be read, full of traps that lead to secrets beside them. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';

export interface ShellTree {
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly base: string;
  /** What no output may hold: text and the names of files that stand outside. */
  readonly secrets: readonly string[];
  /** Puts the tree's own paths into a line of the tables. */
  fill(command: string): string;
}

const SECRET_TEXT = 'unread-7f3a91';
const SECRET_NAME = 'unlisted-52c8e0';

export function makeShellTree(base: string): ShellTree {
  const [home, outside] = [`${base}/agent`, `${base}/outside`];
  const project = `${home}/proj`;
  for (const folder of ['proj/notes', 'proj/traps', 'proj/node_modules/x', 'mem', 'tx', 'proj-sibling']) {
    mkdirSync(`${home}/${folder}`, { recursive: true });
  }
  mkdirSync(outside);
  const secret = `SECRET ${SECRET_TEXT}\nfoo deploy ECONNRESET ${SECRET_TEXT}\n`;
  for (const file of [`${outside}/secret.txt`, `${outside}/${SECRET_NAME}.md`, `${home}/proj-sibling/secret.txt`]) {
    writeFileSync(file, secret);
  }
  writeFileSync(`${home}/proj-sibling/${SECRET_NAME}.md`, secret);
  const names = ['victim.txt', 'readme.md', '-delete', '-f', '.hidden', 'node_modules/x/readme.md'];
  const notes = [
    'a.md',
    'b.md',
    "it's.md",
    'a$b.md',
    '日本語.md',
    'café.md',
    'with space.md',
    '*.md',
    '-n.md',
    '.dot.md',
  ];
  for (const name of [...names, ...notes.map((note) => `notes/${note}`)]) {
    writeFileSync(`${project}/${name}`, `${name}\nfoo bar\nthe deploy process\nit's here\n`);
  }
  writeFileSync(`${home}/mem/feedback_a.md`, 'deploy on fridays\n');
  writeFileSync(`${home}/tx/one.jsonl`, '{"error":"ECONNRESET"}\n');
  const links = {
    'link-out': `${outside}/secret.txt`,
    dirlink: outside,
    'traps/two-steps': '../link-out',
    'traps/up': '../../../outside',
    'traps/loop': 'loop',
    'traps/to-root': '/',
    'traps/proc-link': '/proc/self',
    'traps/dangling-out': `${outside}/nothing`,
    'traps/to-notes': '../notes',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, `${project}/${name}`);
  for (const pipe of ['fifo', 'traps/fifo']) execFileSync('mkfifo', [`${project}/${pipe}`]);
  return {
    base,
    cwd: project,
    roots: ['proj', 'mem', 'tx'].map((name) => `${home}/${name}`),
    secrets: [SECRET_TEXT, SECRET_NAME],
    fill: (command) => command.replaceAll('<home>', home).replaceAll('<outside>', outside),
  };
}

/** Everything that a write would change: names, kinds, modes, times, links' targets and contents. */
export function factsOfTree(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = `${folder}/${name}`;
      const facts = lstatSync(path, { bigint: true });
      const own = [path, facts.mode, facts.size, facts.mtimeNs, facts.ctimeNs, facts.ino].join(' ');
      if (facts.isDirectory()) return [own, ...factsOfTree(path)];
      if (facts.isSymbolicLink()) return [`${own} ${readlinkSync(path)}`];
      return [facts.isFile() ? `${own} ${createHash('sha256').update(readFileSync(path)).digest('hex')}` : own];
    });
}
