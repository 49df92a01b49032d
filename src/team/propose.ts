/** Puts what was shared on a branch of its own, ready for a pull request; the user's work tree, branch and staged files stay as they are. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCommitId } from '../disk/git/git.ts';
import { writeGit } from '../disk/git/write-git.ts';
import { TEAM_FOLDER } from '../disk/home.ts';
import { ReverieError } from '../errors.ts';
import { parseMemoryFile } from '../memory/files/memory-file.ts';
import { checkTeamText } from './check-text.ts';
import { findShared } from './find-shared.ts';
import { readTeamFolder, readTeamText, type TeamFile } from './read-folder.ts';

export interface Proposed {
  readonly branch: string;
  readonly commit: string;
  readonly files: readonly string[];
  /** For the pull request. */
  readonly description: string;
}

/** `references`: ids, files or titles of shared memories. */
export async function proposeTeam(workTree: string, references: readonly string[]): Promise<Proposed> {
  const { files, removed } = readTeamFolder(workTree);
  const present = files.filter(({ id }) => !removed.has(id));
  const chosen = references.map((reference) => {
    const found = findShared(reference, { workTree, files: present });
    if (found !== undefined) return found;
    const fix = 'Share it first: reverie memory share FILE';
    throw new ReverieError({ code: 'not-found', message: `The team's memory has no ${reference}`, fix });
  });
  for (const { file } of chosen) await refuseProblems(workTree, file);
  const branch = `reverie/team-${chosen[0]!.id.replace(/[^a-z0-9-]/gi, '-')}`;
  const description = chosen.map((each) => describe(workTree, each)).join('\n\n');
  const commit = commitOn(workTree, { branch, files: chosen, message: messageOf(workTree, chosen, description) });
  return { branch, commit, files: chosen.map(({ file }) => file), description };
}

async function refuseProblems(workTree: string, file: string): Promise<void> {
  const problems = await checkTeamText(file, Buffer.from(readTeamText(workTree, file) ?? ''));
  const [first] = problems;
  if (first === undefined) return;
  throw new ReverieError({ code: 'refused', message: `${file} ${first.problem}`, fix: first.fix });
}

function messageOf(workTree: string, chosen: readonly TeamFile[], description: string): string {
  const name = parseMemoryFile(Buffer.from(readTeamText(workTree, chosen[0]!.file) ?? '')).meta.name ?? chosen[0]!.file;
  const more = chosen.length === 1 ? '' : ` and ${chosen.length - 1} more`;
  return `Team memory: ${name}${more}\n\n${description}`;
}

/** What a reviewer needs: what it says, whose words it rests on, and what it corrects. */
function describe(workTree: string, { file, supersedes }: TeamFile): string {
  const { meta, body, quotes, type } = parseMemoryFile(Buffer.from(readTeamText(workTree, file) ?? ''));
  return [
    `${meta.name ?? file} (${type ?? 'untyped'})`,
    ...(meta.description === undefined ? [] : [meta.description]),
    '',
    body,
    ...quotes.map(({ text, at }) => `\nIn their words${at === null ? '' : `, ${at.slice(0, 10)}`}: "${text}"`),
    ...(supersedes.length === 0 ? [] : [`\nIt corrects: ${supersedes.join(', ')}`]),
  ].join('\n');
}

function commitOn(
  workTree: string,
  { branch, files, message }: { branch: string; files: readonly TeamFile[]; message: string },
): string {
  const folder = mkdtempSync(join(tmpdir(), 'reverie-team-'));
  const place = { cwd: workTree, indexFile: join(folder, 'index') };
  const ask = (command: Parameters<typeof writeGit>[0], words: readonly string[]) => {
    const answer = writeGit(command, words, place);
    if (answer !== null) return answer;
    const fix = 'Commit it yourself: git add .reverie/team-memory && git commit';
    throw new ReverieError({ code: 'refused', message: `Git refused to make the branch ${branch} (${command})`, fix });
  };
  try {
    const head = ask('rev-parse', ['--verify', 'HEAD']);
    ask('read-tree', [head]);
    for (const { file } of files) {
      const path = `${TEAM_FOLDER}/${file}`;
      const blob = ask('hash-object', ['-w', '--no-filters', '--', path]);
      ask('update-index', ['--add', '--cacheinfo', `100644,${blob},${path}`]);
    }
    const commit = ask('commit-tree', [ask('write-tree', []), '-p', head, '-m', message]);
    if (!isCommitId(commit)) throw new ReverieError({ code: 'refused', message: 'Git made no commit' });
    // Only where there is none of this name: nobody's branch is moved.
    ask('update-ref', [`refs/heads/${branch}`, commit, '0'.repeat(commit.length)]);
    return commit;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
