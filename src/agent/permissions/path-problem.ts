/** What speaks against reading or editing the files that a call names: they lie elsewhere, or their names mean secrets. */

import { isAbsolute, join, resolve } from 'node:path';
import { isWithinAny } from '../../base/paths.ts';
import { expandBraces, wildcardMatches } from './path-pattern.ts';
import type { PermissionPlace, Subject } from './subject.ts';

interface ProblemFacts {
  readonly place: PermissionPlace;
  readonly realPath: (path: string) => string;
  /** Whether a gate has looked at where a shell line leads. */
  readonly isGated: boolean;
}

export function readProblem(subject: Subject, facts: ProblemFacts): string | null {
  const secret = secretProblem(subject);
  if (secret !== null || (subject.command !== null && facts.isGated)) return secret;
  const folders = withRealPaths([...facts.place.readableFolders], facts);
  return outsideProblem(subject, [...workFolders(facts), ...folders]);
}

export function editProblem(subject: Subject, facts: ProblemFacts): string | null {
  return secretProblem(subject) ?? outsideProblem(subject, workFolders(facts));
}

/** Where the agent may work: the project, its memory, and what the user added. */
export function workFolders(facts: Pick<ProblemFacts, 'place' | 'realPath'>): readonly string[] {
  const { roots, memoryFolders, additionalDirectories, userHome } = facts.place;
  const added = additionalDirectories.map((folder) => fromFolder(folder, { cwd: roots[0] ?? '/', userHome }));
  return withRealPaths([...roots, ...memoryFolders, ...added], facts);
}

export function fromFolder(path: string, facts: { readonly cwd: string; readonly userHome: string }): string {
  if (path === '~' || path.startsWith('~/')) return join(facts.userHome, path.slice(1));
  return isAbsolute(path) ? resolve(path) : resolve(facts.cwd, path);
}

function withRealPaths(folders: readonly string[], { realPath }: Pick<ProblemFacts, 'realPath'>): readonly string[] {
  return [...new Set(folders.flatMap((folder) => [folder, realPath(folder)]))];
}

function outsideProblem(subject: Subject, folders: readonly string[]): string | null {
  const outside = subject.paths.find(({ real }) => !isWithinAny(real, folders));
  return outside === undefined ? null : `${outside.real} lies outside of the project.`;
}

function secretProblem(subject: Subject): string | null {
  // Glob tells names only.
  if (subject.name === 'Glob') return null;
  for (const { given, real } of subject.paths) {
    const reason = secretReason(given) ?? secretReason(real) ?? globReason(given);
    if (reason !== null) return `${given} may hold a secret: ${reason}.`;
  }
  const searched = subject.name === 'Grep' && typeof subject.input.glob === 'string' ? subject.input.glob : '';
  const reason = searched === '' ? null : (secretReason(searched) ?? globReason(searched));
  return reason === null ? null : `${searched} may hold a secret: ${reason}.`;
}

const TELLING_NAMES = [
  '.env',
  '.env.local',
  '.env.production',
  '.npmrc',
  '.netrc',
  'id_rsa',
  'id_ed25519',
  'credentials',
  'credentials.json',
  'secrets.json',
  'server.pem',
  'server.key',
];

/** `.en?` and `.{env,x}` are patterns for `.env`; `*` alone is for everything, and says nothing. */
function globReason(path: string): string | null {
  if (!/[*?[{\\]/.test(path)) return null;
  const choices = expandBraces(path.toLowerCase());
  if (choices === null) return 'it stands for too many names to tell';
  for (const choice of choices) {
    // ripgrep takes a single choice in braces for the name itself.
    const name = choice.slice(choice.lastIndexOf('/') + 1).replace(/(?<!\\)[{}]/g, '');
    if (/^\*+$/.test(name)) continue;
    const found = TELLING_NAMES.find((each) => wildcardMatches(name, each));
    if (found !== undefined) return `${found} would be among them`;
  }
  return null;
}

// Files whose names say that they hold keys or passwords: reading one is always a question.

const NAMES = new Set([
  ...['.netrc', '_netrc', '.pgpass', '.my.cnf', '.htpasswd', '.git-credentials', '.npmrc', '.pypirc', '.dockercfg'],
  ...[
    '.vault-token',
    '.boto',
    '.s3cfg',
    'credentials',
    'credentials.json',
    'credentials.db',
    'application_default_credentials.json',
  ],
  ...['auth.json', '.credentials.json', 'secrets.json', 'secrets.yml', 'secrets.yaml', 'secrets.toml', 'secret.yml'],
  ...['secret.yaml', 'kubeconfig', 'master.key', 'shadow', 'gshadow', 'htpasswd', 'token.json', 'keystore.properties'],
]);

const FOLDERS = new Set([
  '.ssh',
  '.aws',
  '.azure',
  '.gcloud',
  '.kube',
  '.gnupg',
  '.password-store',
  '.docker',
  '.oci',
  'keychains',
  'keyrings',
]);

const ENDINGS = /\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx|kdb|ppk|asc|gpg|age)$/;
const ENVIRONMENT = /^\.env(?:rc)?(?:[._-].*)?$|\.env$/;
const SAMPLE = /[._-](?:example|sample|template|dist|defaults?)$/;
const KEY = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?!.*\.pub$)/;
const SERVICE = /^(?:service[-_]?account|firebase-adminsdk|client[-_]secret).*\.json$/;

/** Why the name of this path means a secret; null when it does not. */
export function secretReason(path: string): string | null {
  const parts = path.toLowerCase().normalize('NFC').split('/');
  const name = parts.at(-1) ?? '';
  if (parts.some((part) => FOLDERS.has(part)) && !name.endsWith('.pub'))
    return 'keys and passwords are kept in that folder';
  if (SAMPLE.test(name) || name.endsWith('.pub')) return null;
  const isSecret = NAMES.has(name) || [ENDINGS, ENVIRONMENT, KEY, SERVICE].some((pattern) => pattern.test(name));
  return isSecret ? 'a file of that name often holds keys or passwords' : null;
}
