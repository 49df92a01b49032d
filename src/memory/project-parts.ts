/** The parts of a project that are packages of their own, and which of them a text is about. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isWithin } from '../base/paths.ts';
import type { ClaimLimits } from '../search/verify/claims.ts';
import { claimsIn } from '../search/verify/verify.ts';

/** Files that make a folder a package. */
const MANIFESTS = [
  'package.json',
  'Cargo.toml',
  'pyproject.toml',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'composer.json',
];
const PACKAGE_NAME = /(?<![\w@/.])@[a-z0-9][\w.-]*\/[\w.-]*\w/gi;

export interface ProjectParts {
  talkAbout(message: string): Talk;
  /** The other part that a text is about; null when the talk is about it too, when it is about all, or when nobody can tell. */
  otherThan(talk: Talk, text: string): string | null;
}

export interface Talk {
  /** Folders below the root: those the message names, else the one where the conversation takes place. */
  readonly parts: ReadonlySet<string>;
  /** Of the message: a part is also called by its last name. */
  readonly words: ReadonlySet<string>;
}

export function projectParts(facts: {
  readonly root: string;
  readonly workingFolder: string | undefined;
  readonly limits: ClaimLimits;
}): ProjectParts {
  const { root, workingFolder, limits } = facts;
  const known = new Map<string, string | null>();

  /** The innermost package around a folder, the root's own excepted: that is about everything. */
  function around(folder: string): string | null {
    if (folder === root || !isWithin(folder, root)) return null;
    const found = known.get(folder);
    if (found !== undefined) return found;
    const isPackage = MANIFESTS.some((manifest) => existsSync(join(folder, manifest)));
    const part = isPackage ? relative(root, folder) : around(dirname(folder));
    known.set(folder, part);
    return part;
  }

  function named(text: string): Set<string> {
    const parts = claimsIn(text, limits).paths.map((path) =>
      around(isAbsolute(path) ? resolve(path) : join(root, path)),
    );
    return new Set(parts.filter((part) => part !== null));
  }

  function packageName(part: string): string | null {
    try {
      const { name } = JSON.parse(readFileSync(join(root, part, MANIFESTS[0]!), 'utf8')) as { name?: unknown };
      return typeof name === 'string' ? name : null;
    } catch {
      return null;
    }
  }

  return {
    talkAbout(message) {
      const said = named(message);
      const here = said.size > 0 || workingFolder === undefined ? null : around(workingFolder);
      const words = new Set(message.toLowerCase().split(/[^\p{L}\p{N}_-]+/u));
      return { parts: here === null ? said : new Set([here]), words };
    },
    otherThan({ parts, words }, text) {
      if (parts.size === 0) return null;
      const about = named(text);
      const own = [...parts].flatMap((part) => packageName(part) ?? []);
      const packages = text.match(PACKAGE_NAME) ?? [];
      if ([...about].some((part) => parts.has(part)) || packages.some((name) => own.includes(name))) return null;
      // Only a sibling's name tells: any other package may well be used here.
      const sibling = packages.find((name) => own.some((each) => each.split('/')[0] === name.split('/')[0]));
      const [other = sibling] = about;
      return other === undefined || words.has(lastName(other)) ? null : other;
    },
  };
}

function lastName(part: string): string {
  return part.slice(part.lastIndexOf('/') + 1).toLowerCase();
}
