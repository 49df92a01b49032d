/** Places that no memory may be kept in, told by the text of a path: system folders, credentials, what all users share. */

import { isWithin, isWithinAny } from '../base/paths.ts';
import { isDeviceName } from './safe-name.ts';

export interface PlaceFacts {
  readonly platform: NodeJS.Platform;
  /** The user's home folder, in each of its spellings. */
  readonly homes: readonly string[];
}

/** Why an absolute, normalised path is no place for a memory; null when its text is fine. */
export function placeProblem(path: string, facts: PlaceFacts): string | null {
  const place = comparable(path, facts.platform);
  const homes = facts.homes.map((home) => comparable(home, facts.platform)).filter((home) => home !== '');
  if (place.split('/').length < 3) return 'it is the root of the disk or directly below it';
  if (homes.some((home) => isWithin(home, place))) return 'it is your home folder, or holds it';
  if (isWithinAny(place, NOT_ON_DISK)) return 'what is there is not kept on a disk';
  if (isShared(place)) return 'all users share it, and it is emptied now and then';
  const home = homes.find((candidate) => isWithin(place, candidate));
  if (home === undefined && isWithinAny(withoutDrive(place), SYSTEM_FOLDERS)) return 'it belongs to the system';
  const parts = place.toLowerCase().split('/');
  if (parts.some((part) => CREDENTIAL_FOLDERS.has(part))) return 'it is a folder for keys and passwords';
  if (parts.includes('.git')) return 'it is among the files of git itself';
  if (facts.platform === 'win32' && parts.slice(1).some(isReadOtherwiseOnWindows))
    return 'Windows would read the name otherwise';
  return home === undefined ? null : problemInHome(place.slice(home.length + 1).toLowerCase());
}

/** The home that `path` lies in when it is beside the user's own: `/home/other`; null otherwise. */
export function homeOfAnother(path: string, facts: PlaceFacts): string | null {
  const place = comparable(path, facts.platform);
  for (const home of facts.homes.map((folder) => comparable(folder, facts.platform))) {
    const parent = home.slice(0, home.lastIndexOf('/'));
    if (!/\/(?:home|users)$/i.test(parent) || !isWithin(place, parent) || isWithin(place, home)) continue;
    return place.slice(0, `${place}/`.indexOf('/', parent.length + 1));
  }
  return null;
}

const NOT_ON_DISK = ['/proc', '/sys', '/dev', '/run', '/var/run', '/private/var/run'];

const SYSTEM_FOLDERS = [
  ...[
    '/bin',
    '/boot',
    '/etc',
    '/lib',
    '/lib32',
    '/lib64',
    '/libx32',
    '/lost+found',
    '/sbin',
    '/snap',
    '/usr',
    '/nix/store',
  ],
  ...['/var/lock', '/var/log', '/var/spool', '/root', '/var/root', '/private/var/root', '/private/etc'],
  ...['/system', '/library', '/applications', '/cores'],
  ...['/windows', '/program files', '/program files (x86)', '/programdata', '/perflogs', '/recovery', '/$recycle.bin'],
  ...['/system volume information', '/users/default', '/users/all users'],
];

const SHARED_FOLDERS = [
  '/tmp',
  '/var/tmp',
  '/usr/tmp',
  '/private/tmp',
  '/private/var/tmp',
  '/windows/temp',
  '/users/public',
];

function isShared(place: string): boolean {
  const plain = withoutDrive(place).toLowerCase();
  if (SHARED_FOLDERS.includes(plain) || plain === '/users/shared') return true;
  return (
    /^(?:\/private)?\/var\/folders(?:\/[^/]+){0,2}(?:\/[a-z0-9])?$/.test(plain) || plain.endsWith('/appdata/local/temp')
  );
}

const CREDENTIAL_FOLDERS = new Set([
  ...[
    '.ssh',
    '.aws',
    '.azure',
    '.gcloud',
    '.oci',
    '.kube',
    '.docker',
    '.gnupg',
    '.gpg',
    '.pki',
    '.password-store',
    '.putty',
  ],
  ...['.terraform.d', '.vault', '.sops', '.age', '.keychain', 'keychains', 'keyrings', '.mozilla', '.thunderbird'],
]);

/** Folders of the home that belong to other programs: the folder itself, though not everything below it. */
const PROGRAM_FOLDERS = new Set([
  ...[
    '.config',
    '.local',
    '.local/share',
    '.local/state',
    '.cache',
    '.claude',
    '.codex',
    '.gemini',
    '.cursor',
    '.vscode',
  ],
  ...['library', 'library/application support', 'library/preferences', 'library/caches'],
  ...['appdata', 'appdata/local', 'appdata/locallow', 'appdata/roaming'],
]);

/** Whatever lies in these is run or obeyed by some program. */
const OBEYED_FOLDERS = [
  ...[
    '.config/autostart',
    '.config/systemd',
    '.config/gcloud',
    '.config/gh',
    '.config/git',
    '.config/op',
    '.config/fish',
  ],
  ...[
    '.local/bin',
    '.local/share/applications',
    '.local/share/systemd',
    'bin',
    'library/launchagents',
    'library/cookies',
  ],
  ...['.claude/commands', '.claude/agents', '.claude/skills', '.claude/hooks', '.claude/plugins', '.claude/rules'],
  ...['.codex/prompts', '.cursor/rules', 'appdata/roaming/microsoft', 'appdata/local/microsoft'],
];

function problemInHome(below: string): string | null {
  const isSettingsOfOne = /^\.config\/[^/]+$/.test(below) && below !== '.config/reverie';
  if (PROGRAM_FOLDERS.has(below) || isSettingsOfOne) return 'it holds the settings of other programs';
  if (OBEYED_FOLDERS.some((folder) => isWithin(below, folder))) return 'other programs obey what is there';
  return null;
}

function isReadOtherwiseOnWindows(part: string): boolean {
  return /[<>:"|?*]|[ .]$/.test(part) || isDeviceName(part);
}

/** Forward slashes, none at the end; small letters where the disk may not tell them apart. */
function comparable(path: string, platform: NodeJS.Platform): string {
  const slashes = platform === 'win32' ? path.replaceAll('\\', '/') : path;
  const plain = slashes.replace(/\/+$/, '');
  return platform === 'win32' || platform === 'darwin' ? plain.toLowerCase() : plain;
}

function withoutDrive(place: string): string {
  return place.replace(/^[a-z]:/, '');
}
