/** What the project shows by itself: the paths, identifiers and commits that a memory names, looked up there. */

import type { ProjectLists, ProjectView } from './write.ts';

const PATH =
  /(?<![\w@:/.-])(?:[\w.@-]+\/)+[\w.@-]*\w|(?<![\w/@.-])[\w-]+\.[a-z]{1,5}(?![\w/])|(?<![\w/])(?:Makefile|Dockerfile)(?!\w)/g;
const IDENTIFIER =
  /(?<![\w./-])(?:[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}|[a-z]+(?:_[a-z0-9]+)+|[A-Z]+(?:_[A-Z0-9]+)+)(?![\w/-])/g;
const COMMIT = /(?<![\w-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w-])/g;

/** What looks like the hash of a commit. */
export function commitsIn(text: string): readonly string[] {
  return text.match(COMMIT) ?? [];
}

/** Null where it names nothing that is there. */
export function shownByProject(
  text: string,
  project: ProjectView | ProjectLists,
): 'derivable-code' | 'derivable-git' | null {
  const view = 'hasPath' in project ? project : viewOf(project);
  if (commitsIn(text).some((hash) => view.hasCommit?.(hash) === true)) return 'derivable-git';
  const isThere =
    (text.match(PATH) ?? []).some((path) => view.hasPath(path)) ||
    (text.match(IDENTIFIER) ?? []).some((name) => view.hasIdentifier(name));
  return isThere ? 'derivable-code' : null;
}

function viewOf({ files = [], identifiers = [], commits = [] }: ProjectLists): ProjectView {
  return {
    hasPath: (path) =>
      files.some(
        (file) => file === path || file.endsWith(`/${path}`) || file.startsWith(`${path.replace(/\/$/, '')}/`),
      ),
    hasIdentifier: (name) => identifiers.includes(name),
    hasCommit: (hash) => commits.some((commit) => commit.startsWith(hash)),
  };
}
