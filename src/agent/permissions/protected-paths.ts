/** Places where a write can make other programs run something, or give the agent more rights: they need a person's word. */

import { isWithin } from '../../base/paths.ts';

export interface ProtectedPlace {
  readonly userHome: string;
  /** What the folders above the project are called says nothing about the files in it. */
  readonly roots: readonly string[];
  /** Reverie's own home folder. */
  readonly home: string;
  /** Settings files of every level, also those that do not exist yet. */
  readonly settingsFiles: readonly string[];
  readonly memoryFolders: readonly string[];
}

export interface Protection {
  readonly reason: string;
  /** Whether the agent could give itself rights there. Then even `bypass` asks: it promises that a deny holds. */
  readonly raisesRights: boolean;
}

const FOLDERS: ReadonlyMap<string, string> = new Map([
  ...['.husky', '.githooks', '.lefthook'].map((name) => [name, 'git runs hooks from there'] as const),
  ...['.reverie', '.claude', '.codex', '.gemini', '.cursor', '.opencode'].map(
    (name) => [name, 'agents take settings, hooks and instructions from there'] as const,
  ),
  ...['.vscode', '.idea', '.devcontainer', '.zed'].map((name) => [name, 'editors run tasks from there'] as const),
  ...['.ssh', '.gnupg', '.aws', '.azure', '.gcloud', '.kube', '.docker', '.password-store'].map(
    (name) => [name, 'keys and passwords are kept there'] as const,
  ),
  ...['.cargo', '.gem', '.bundle', '.mvn'].map((name) => [name, 'package managers run what is there'] as const),
]);

const FILES: ReadonlyMap<string, string> = new Map([
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.inputrc'].map(
    (name) => [name, 'shells run it at their start'] as const,
  ),
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.cshrc', '.tcshrc', '.login'].map(
    (name) => [name, 'shells run it at their start'] as const,
  ),
  ...['.xprofile', '.xinitrc', '.xsession', '.xsessionrc', '.pam_environment', '.envrc'].map(
    (name) => [name, 'it is run when somebody logs in or enters the folder'] as const,
  ),
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.pypirc', 'pip.conf', 'bunfig.toml', '.condarc'].map(
    (name) => [name, 'package managers obey it, and can be made to run code by it'] as const,
  ),
  ...['.gitconfig', '.gitmodules', '.gitattributes', '.ripgreprc', '.vimrc', '.exrc', '.tmux.conf', '.screenrc'].map(
    (name) => [name, 'other programs obey it, and can be made to run code by it'] as const,
  ),
  ...['.pre-commit-config.yaml', 'lefthook.yml', '.mcp.json', '.netrc', '.pgpass', '.git-credentials'].map(
    (name) => [name, 'other programs obey it, and can be made to run code by it'] as const,
  ),
]);

/** Below the user's home folder. */
const OBEYED_AT_HOME = [
  ...['.ssh', '.gnupg', '.aws', '.kube', '.docker', '.claude', '.codex', '.gemini', '.cursor'],
  ...['.config', '.local/bin', '.local/share/applications', '.local/share/systemd', 'bin'],
  ...['library/launchagents', 'library/preferences', 'library/application support'],
];

/** Null when nothing speaks against writing there but the ordinary rules. */
export function protectionOf(path: string, place: ProtectedPlace): Protection | null {
  const plain = fold(path);
  if (place.settingsFiles.some((file) => fold(file) === plain) || isReverieSettings(plain)) {
    return { reason: 'it holds Reverie’s own settings', raisesRights: true };
  }
  const memory = place.memoryFolders.find((folder) => isWithin(plain, fold(folder)));
  if (memory !== undefined) {
    const isJournal = plain.slice(fold(memory).length).split('/').includes('.reverie');
    return isJournal ? { reason: 'the memory’s own journal is there', raisesRights: false } : null;
  }
  if (isWithin(plain, fold(place.home)) && !isInOwnWorktree(plain, place)) {
    return { reason: 'Reverie keeps its records there', raisesRights: isDirectlyIn(plain, fold(place.home)) };
  }
  if (/\/\.(?:git|hg|svn)(?:\/|$)/.test(plain)) {
    return { reason: 'version control runs hooks and settings from there', raisesRights: false };
  }
  const reason = reasonOfParts(belowRoots(plain, place.roots).split('/')) ?? reasonAtHome(plain, fold(place.userHome));
  return reason === null ? null : { reason, raisesRights: false };
}

/** An agent that works in a work tree of its own works below Reverie's home. */
function isInOwnWorktree(plain: string, { home, roots }: ProtectedPlace): boolean {
  const all = `${fold(home)}/worktrees/`;
  return roots.some((root) => fold(root).startsWith(all) && isWithin(plain, fold(root)));
}

function isReverieSettings(plain: string): boolean {
  return (
    /\/\.reverie\/(?:settings(?:\.local)?\.json|trusted\.json)$/.test(plain) || /^\/etc\/reverie(?:\/|$)/.test(plain)
  );
}

function belowRoots(plain: string, roots: readonly string[]): string {
  const around = roots.map(fold).filter((each) => isWithin(plain, each));
  const innermost = around.toSorted((one, other) => other.length - one.length)[0] ?? '';
  return plain.slice(innermost.length);
}

function isDirectlyIn(path: string, folder: string): boolean {
  return !path.slice(folder.length + 1).includes('/');
}

function reasonOfParts(parts: readonly string[]): string | null {
  for (const part of parts) {
    const reason = FOLDERS.get(part);
    if (reason !== undefined) return reason;
  }
  return FILES.get(parts.at(-1) ?? '') ?? null;
}

function reasonAtHome(plain: string, userHome: string): string | null {
  const isObeyed = OBEYED_AT_HOME.some((folder) => isWithin(plain, `${userHome}/${folder}`));
  return isObeyed ? 'other programs run or obey what is there' : null;
}

/** Disks that do not tell capital letters apart would open the same file. */
export function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
