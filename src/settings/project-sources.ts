/** Which settings files of a project count: none before trust, and never a local one that is somebody else's. */

import { trackingByGit } from '../disk/git/git.ts';
import type { FileSource, SettingProblem, SourceValues } from './sources.ts';

interface ProjectFacts {
  readonly projectRoot: string;
  readonly trusted: boolean;
  readonly problems: SettingProblem[];
}

/** The local file, then the one for everybody. */
export function checkProjectSources(
  { local, project }: { readonly local: FileSource | null; readonly project: FileSource | null },
  { projectRoot, trusted, problems }: ProjectFacts,
): readonly (SourceValues | null)[] {
  // Without trust git need not be asked.
  return trusted ? [withLocalRules(local, projectRoot, problems), project] : untrusted([local, project], problems);
}

/** Tracked or not: an archive may bring along a file that git does not know. One line names both files. */
function untrusted(sources: readonly (SourceValues | null)[], problems: SettingProblem[]) {
  const first = sources.find((source) => (source?.values.size ?? 0) > 0);
  if (first != null) {
    problems.push({
      severity: 'note',
      origin: first.origin,
      file: first.file,
      line: null,
      problem: 'The settings of this project have no effect until you trust it, but for rules that deny or ask.',
      fix: 'Read them, then run: reverie trust',
    });
  }
  return sources.map((source) => source && { ...source, ignored: 'the project is not trusted' });
}

/** The local file speaks for this user alone; one that came with the repository, or from someone else, does not. */
function withLocalRules(
  source: FileSource | null,
  projectRoot: string,
  problems: SettingProblem[],
): SourceValues | null {
  if (source?.file == null) return null;
  const ignore = (ignored: string, fix: string): SourceValues => {
    problems.push({
      severity: 'warning',
      origin: 'local',
      file: source.file,
      line: null,
      problem: `The local settings are ignored: ${ignored}.`,
      fix,
    });
    return { ...source, ignored };
  };
  const user = process.getuid?.();
  if (user !== undefined && source.ownerId !== user && source.ownerId !== 0) {
    return ignore('the file belongs to another user', `If it is yours: chown "$(id -u)" "${source.file}"`);
  }
  const tracking = trackingByGit(projectRoot, source.file);
  if (tracking === 'tracked') {
    return ignore(
      'git tracks the file, so it may be someone else’s',
      `git rm --cached "${source.file}", and add it to .gitignore`,
    );
  }
  if (tracking === 'unknown') {
    return ignore('git could not say whether it tracks the file', `Make \`git -C "${projectRoot}" status\` work.`);
  }
  return source;
}
