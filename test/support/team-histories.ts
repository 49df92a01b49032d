/** Clones of one repository whose team memories are changed at random, and merged in every way that git knows, without any driver. */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { TEAM_FOLDER } from '../../src/disk/home.ts';
import { newTeamId, teamFileName, teamIdOf, tombstoneText } from '../../src/team/layout.ts';
import { writeNew } from '../../src/team/share.ts';

export type Step =
  | { readonly do: 'add' }
  | {
      readonly do: 'append' | 'extend' | 'replace' | 'correct' | 'rename' | 'remove' | 'git-rm' | 'retitle';
      readonly target: number;
    };

export type Way = 'merge' | 'squash' | 'rebase' | 'cherry-pick';

export interface Round {
  /** What each clone does before they are brought together. */
  readonly steps: readonly (readonly Step[])[];
  readonly way: Way;
  /** Whether the other clones begin the next round from the merged state, or go on where they were. */
  readonly isReset: boolean;
}

const target = fc.nat({ max: 9 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: 'add' } as const) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('append' as const), target }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('extend' as const), target }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace' as const), target }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('correct' as const), target }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rename' as const), target }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), target }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('git-rm' as const), target }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retitle' as const), target }) },
);

export function rounds(clones: number): fc.Arbitrary<readonly Round[]> {
  const round = fc.record({
    steps: fc.array(fc.array(step, { maxLength: 4 }), { minLength: clones, maxLength: clones }),
    way: fc.constantFrom<Way>('merge', 'squash', 'rebase', 'cherry-pick'),
    isReset: fc.boolean(),
  });
  return fc.array(round, { minLength: 1, maxLength: 2 });
}

export interface History {
  /** The clone that everything was brought to. */
  readonly workTree: string;
  /** Every sentence that must still be there, by the id of the memory it was written to. */
  readonly sentences: ReadonlyMap<string, string>;
  readonly ids: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  /** Deleted by hand: what was in them then is gone by their user's will, and may be. */
  readonly deleted: ReadonlySet<string>;
  /** Given a name without an id, by hand: known by that name from then on, or by both. */
  readonly retitled: ReadonlySet<string>;
  /** Files that git could not merge by itself, and what two sides had changed. */
  readonly conflicts: readonly { readonly file: string; readonly isSharedEdit: boolean }[];
}

const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_EDITOR: 'true',
  ...{ GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@example.org' },
  ...{ GIT_COMMITTER_NAME: 'Ann', GIT_COMMITTER_EMAIL: 'ann@example.org' },
};

export function git(cwd: string, ...words: string[]): { readonly isDone: boolean; readonly output: string } {
  const answer = spawnSync('git', words, { cwd, env: ENVIRONMENT, encoding: 'utf8' });
  return { isDone: answer.status === 0, output: `${answer.stdout}${answer.stderr}` };
}

function must(cwd: string, ...words: string[]): string {
  const { isDone, output } = git(cwd, ...words);
  if (!isDone) throw new Error(`git ${words.join(' ')}: ${output}`);
  return output;
}

export function runHistory(folder: string, history: readonly Round[]): History {
  const count = history[0]!.steps.length;
  const sentences = new Map<string, string>();
  const ids = new Set<string>();
  const removed = new Set<string>();
  const deleted = new Set<string>();
  const retitled = new Set<string>();
  /** The id that a file had before somebody took it out of its name. */
  const original = new Map<string, string>();
  let next = 0;

  const sentenceFor = (id: string) => {
    next += 1;
    const sentence = `Sentence number ${next} of ${id} holds.`;
    sentences.set(sentence, id);
    return sentence;
  };
  const add = (tree: string, supersedes?: string) => {
    const id = newTeamId();
    ids.add(id);
    const name = `Memory ${ids.size}`;
    const more = supersedes === undefined ? '' : `supersedes: ${supersedes}\n`;
    const header = `---\nname: ${name}\ndescription: About ${id}\ntype: project\n${more}---\n`;
    writeNew(
      tree,
      teamFileName({ type: 'project', name, id }),
      `${header}\n${sentenceFor(id)}\n\n${sentenceFor(id)}\n`,
    );
  };

  const first = join(folder, 'clone-0');
  must(folder, 'init', '-q', '-b', 'main', first);
  for (let at = 0; at < 3; at += 1) add(first);
  commit(first);
  const clones = [first];
  for (let at = 1; at < count; at += 1) {
    const clone = join(folder, `clone-${at}`);
    must(folder, 'clone', '-q', first, clone);
    clones.push(clone);
  }

  /** Ids that each clone edited in place or renamed since they were last together. */
  let edited = clones.map(() => new Set<string>());
  const act = (clone: number, each: Step) => {
    const tree = clones[clone]!;
    if (each.do === 'add') return add(tree);
    const files = memoryFiles(tree);
    const file = files[each.target % Math.max(1, files.length)];
    if (file === undefined) return;
    const id = original.get(file) ?? teamIdOf(file);
    const path = join(tree, TEAM_FOLDER, file);
    const text = readFileSync(path, 'utf8');
    if (each.do === 'correct') return add(tree, id);
    if (each.do === 'remove') {
      removed.add(id);
      const known = teamIdOf(file);
      removed.add(known);
      return writeNew(tree, `removed/${known}`, tombstoneText(known));
    }
    if (each.do === 'git-rm') {
      deleted.add(id);
      edited[clone]!.add(id);
      return rmSync(path);
    }
    edited[clone]!.add(id);
    if (each.do === 'retitle') {
      next += 1;
      retitled.add(id);
      const name = `by hand ${next}.md`;
      original.set(name, id);
      return renameSync(path, join(tree, TEAM_FOLDER, name));
    }
    if (each.do === 'append') return writeFileSync(path, `${text}\n${sentenceFor(id)}\n`);
    if (each.do === 'rename') {
      next += 1;
      return renameSync(path, join(tree, TEAM_FOLDER, `project_renamed-${next}-${id}.md`));
    }
    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.startsWith('Sentence'));
    if (at < 0) return;
    if (each.do === 'extend') lines[at] = `${lines[at]} ${sentenceFor(id)}`;
    else {
      for (const gone of lines[at]!.match(/Sentence number \d+ of \w+ holds\./g) ?? []) sentences.delete(gone);
      lines[at] = sentenceFor(id);
    }
    writeFileSync(path, lines.join('\n'));
  };

  const conflicts: { file: string; isSharedEdit: boolean }[] = [];
  let isDiverged = false;
  for (const { steps, way, isReset } of history) {
    for (const [clone, list] of steps.entries()) {
      for (const each of list) act(clone, each);
      commit(clones[clone]!);
    }
    for (const clone of clones.slice(1)) {
      for (const file of bringTogether(first, clone, way)) {
        const id = teamIdOf(file.split('/').at(-1)!);
        const sides = edited.filter((set) => set.has(id)).length;
        // Branches that go on behind a squash or a rebase meet their own edits again.
        // Git takes a file that was deleted and a new one like it for one that was renamed.
        const isByHand = deleted.size + retitled.size > 0;
        conflicts.push({ file, isSharedEdit: sides > 1 || isDiverged || isByHand });
      }
    }
    if (isReset) {
      for (const clone of clones.slice(1)) {
        must(clone, 'fetch', '-q', first, 'main');
        must(clone, 'reset', '-q', '--hard', 'FETCH_HEAD');
      }
      edited = clones.map(() => new Set());
    } else isDiverged = true;
  }
  return { workTree: first, sentences, ids, removed, deleted, retitled, conflicts };
}

export function memoryFiles(tree: string): readonly string[] {
  return readdirSync(join(tree, TEAM_FOLDER))
    .filter((name) => name.endsWith('.md'))
    .sort();
}

function commit(tree: string): void {
  must(tree, 'add', '-A');
  git(tree, 'commit', '-q', '-m', 'Change team memory');
}

/** Brings what a clone has to the first one. Where git stops, the files are committed as it left them, markers and all. */
function bringTogether(into: string, from: string, way: Way): readonly string[] {
  must(into, 'fetch', '-q', from, 'main');
  const conflicts: string[] = [];
  const unmerged = () => {
    const files = must(into, 'diff', '--name-only', '--diff-filter=U').split('\n').filter(Boolean);
    conflicts.push(...files);
    must(into, 'add', '-A');
  };
  if (way === 'merge' || way === 'squash') {
    const words = way === 'squash' ? ['--squash'] : ['--no-edit'];
    if (!git(into, 'merge', '-q', ...words, 'FETCH_HEAD').isDone) unmerged();
    git(into, 'commit', '-q', '--no-edit', '-m', 'Bring together');
    return conflicts;
  }
  if (way === 'rebase') {
    must(into, 'branch', '-f', 'theirs', 'FETCH_HEAD');
    must(into, 'checkout', '-q', 'theirs');
    continueUntilDone(into, 'rebase', git(into, 'rebase', '-q', 'main').isDone, unmerged);
    must(into, 'checkout', '-q', '-B', 'main');
    return conflicts;
  }
  const commits = must(into, 'rev-list', '--reverse', '--no-merges', 'main..FETCH_HEAD').split('\n').filter(Boolean);
  if (commits.length === 0) return conflicts;
  const isDone = git(into, 'cherry-pick', '--keep-redundant-commits', ...commits).isDone;
  continueUntilDone(into, 'cherry-pick', isDone, unmerged);
  return conflicts;
}

function continueUntilDone(
  tree: string,
  command: 'rebase' | 'cherry-pick',
  isDone: boolean,
  unmerged: () => void,
): void {
  let done = isDone;
  for (let at = 0; at < 50 && !done; at += 1) {
    unmerged();
    done = git(tree, command, '--continue').isDone;
    // A commit that brings nothing new stops a cherry-pick.
    if (!done && git(tree, 'diff', '--cached', '--quiet').isDone && git(tree, 'diff', '--quiet').isDone) {
      done = git(tree, command, '--skip').isDone;
    }
  }
  if (!done) throw new Error(`${command} never ended: ${git(tree, 'status').output}`);
}
