/** Finds the skills of a project and of its user: folders with a SKILL.md, the project's before the user's. */

import { existsSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { decodeText, readableText } from '../../base/front-matter/bytes.ts';
import { locateFrontMatter } from '../../base/front-matter/locate.ts';
import { readHeader } from '../../base/front-matter/read-header.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';
import { type Folder, openFolder } from '../../disk/folder.ts';
import { ReverieError } from '../../errors.ts';
import { SKILL_LIMITS } from '../../limits.ts';

/** Folders of one place that are looked through. */
const MOST_FOLDERS = 1_000;

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly folder: string;
  readonly level: 'project' | 'user';
  /** Whether only the user, never the model, may call for it. */
  readonly isForUserOnly: boolean;
  readonly place: SkillPlace;
}

export interface FoundSkills {
  readonly skills: readonly Skill[];
  /** One line each, for the user. */
  readonly warnings: readonly string[];
}

export function findSkills(facts: {
  readonly projectRoot: string;
  readonly home: string;
  readonly userHome: string;
  readonly trusted: boolean;
}): FoundSkills {
  const { trusted } = facts;
  const found = new Map<string, Skill>();
  const warnings: string[] = [];
  const { ofProject: own, ofUser } = skillPlaces(facts, 'skills');
  const given = own.filter((place) => existsSync(pathOf(place)));
  if (!trusted && given.length > 0) {
    warnings.push(
      `The skills in ${given.map(pathOf).join(' and ')} are not loaded until you trust the project: reverie trust`,
    );
  }
  for (const place of trusted ? own : []) addSkills(place, 'project', { found, warnings });
  for (const place of ofUser) addSkills(place, 'user', { found, warnings });
  return { skills: [...found.values()], warnings };
}

/** Where a project and its user keep skills, commands or agents. */
export function skillPlaces(
  { projectRoot, home, userHome }: { readonly projectRoot: string; readonly home: string; readonly userHome: string },
  name: 'skills' | 'commands' | 'agents',
): { readonly ofProject: readonly SkillPlace[]; readonly ofUser: readonly SkillPlace[] } {
  const ofUser: readonly SkillPlace[] = [
    { base: join(home, name), parts: [] },
    { base: join(userHome, '.claude', name), parts: [] },
  ];
  const ofProject: readonly SkillPlace[] = ['.reverie', '.claude'].map((folder) => {
    return { base: projectRoot, parts: [folder, name] };
  });
  // Where the project is the home folder the two are one place, and it is the user's.
  return { ofProject: ofProject.filter((place) => !ofUser.some((each) => pathOf(each) === pathOf(place))), ofUser };
}

function addSkills(
  place: SkillPlace,
  level: Skill['level'],
  into: { readonly found: Map<string, Skill>; readonly warnings: string[] },
): void {
  const outcome = withSkillPlace(place, (folder) => {
    const names = folder.entries().flatMap((entry) => (entry.name.startsWith('.') ? [] : [entry]));
    const listed = names.toSorted((one, other) => (one.name < other.name ? -1 : 1)).slice(0, MOST_FOLDERS);
    for (const entry of listed) {
      const path = join(pathOf(place), entry.name);
      if (entry.isSymbolicLink())
        into.warnings.push(`The skill ${path} is left out: it is a link, and could lead anywhere.`);
      if (!entry.isDirectory()) continue;
      const reading = readSkill(folder, entry.name);
      if (reading.kind === 'unusable') into.warnings.push(`The skill ${path} is left out: ${reading.reason}`);
      if (reading.kind !== 'read') continue;
      const skill = describeSkill(reading.text, { folder: path, level, place });
      if (!into.found.has(skill.name)) into.found.set(skill.name, skill);
    }
    return null;
  });
  if (outcome !== null) into.warnings.push(`The skills in ${pathOf(place)} are left out: ${outcome.reason}`);
}

function describeSkill(text: SkillText, at: Pick<Skill, 'folder' | 'level' | 'place'>): Skill {
  const isName = text.name !== null && /^[\p{L}\p{N}][\p{L}\p{N}._:-]*$/u.test(text.name);
  const name = isName ? text.name! : basename(at.folder);
  return { name, description: text.description, isForUserOnly: text.isForUserOnly, ...at };
}

/** The text of a skill as it is now; the list may be older. */
export function loadSkill(
  skill: Skill,
): { readonly kind: 'loaded'; readonly body: string } | { readonly kind: 'gone'; readonly reason: string } {
  const reading = withSkillPlace(skill.place, (folder) => readSkill(folder, basename(skill.folder)));
  if (reading === null || reading.kind === 'absent') {
    return { kind: 'gone', reason: `there is no ${join(skill.folder, SKILL_FILE)} any more` };
  }
  if (reading.kind === 'unusable') return { kind: 'gone', reason: reading.reason };
  return { kind: 'loaded', body: reading.text.body };
}

function pathOf({ base, parts }: SkillPlace): string {
  return join(base, ...parts);
}

// Reads a SKILL.md below its folder's descriptor, without following any link, and parts it into what is listed and what is loaded.

const SKILL_FILE = 'SKILL.md';

/** Where skills are kept: the part above may be a link of the user's own, the parts below must be none. */
export interface SkillPlace {
  readonly base: string;
  readonly parts: readonly string[];
}

interface SkillText {
  /** Null when the header has none. */
  readonly name: string | null;
  readonly description: string;
  /** Whether only the user, never the model, may call for it. */
  readonly isForUserOnly: boolean;
  /** How the arguments are called, for people. */
  readonly argument: string;
  readonly body: string;
}

type SkillReading = { readonly kind: 'read'; readonly text: SkillText } | { readonly kind: 'absent' } | Unusable;

interface Unusable {
  readonly kind: 'unusable';
  readonly reason: string;
}

/** Runs `use` with the place's folder held open; null when there is no such folder. */
export function withSkillPlace<Value>(place: SkillPlace, use: (folder: Folder) => Value): Value | Unusable | null {
  const held: Folder[] = [];
  try {
    let folder = openBase(place.base);
    if (folder !== null) held.push(folder);
    for (const part of place.parts) {
      folder = folder?.sub(part) ?? null;
      if (folder !== null) held.push(folder);
    }
    return folder === null ? null : use(folder);
  } catch (error) {
    return unusable(error);
  } finally {
    for (const folder of held) folder.close();
  }
}

function readSkill(place: Folder, name: string): SkillReading {
  let folder: Folder | null = null;
  try {
    folder = place.sub(name);
    const most = SKILL_LIMITS.fileBytes;
    const bytes = folder?.read(SKILL_FILE, most + 1) ?? null;
    if (bytes === null) return { kind: 'absent' };
    if (bytes.length > most) return { kind: 'unusable', reason: `${SKILL_FILE} is larger than ${most} bytes` };
    return { kind: 'read', text: parseSkill(bytes) };
  } catch (error) {
    return unusable(error);
  } finally {
    folder?.close();
  }
}

const KNOWN = new Set(['name', 'description', 'disable-model-invocation', 'argument-hint']);

export function parseSkill(bytes: Uint8Array): SkillText {
  const text = readableText(decodeText(bytes).text);
  const located = locateFrontMatter(text, { partial: false });
  const fields = new Map<string, string>();
  let body = text;
  if (located.kind === 'found') {
    const reading = readHeader(text.slice(located.headerStart, located.headerEnd), { known: KNOWN });
    if (reading.kind === 'mapping') {
      body = text.slice(located.bodyStart, located.bodyEnd);
      for (const { key, within, value } of reading.fields) {
        if (within === null && value.kind === 'text' && !fields.has(key)) fields.set(key, oneLine(value.text));
      }
    }
  }
  return {
    name: fields.get('name') || null,
    description: fields.get('description') || firstLine(body),
    isForUserOnly: fields.get('disable-model-invocation')?.toLowerCase() === 'true',
    argument: fields.get('argument-hint') ?? '',
    body: body.trim(),
  };
}

function openBase(base: string): Folder | null {
  try {
    return openFolder(realpathSync(base));
  } catch {
    return null;
  }
}

function unusable(error: unknown): Unusable {
  if (!(error instanceof ReverieError)) throw error;
  return { kind: 'unusable', reason: error.message };
}

function firstLine(body: string): string {
  const line = body.split('\n').find((each) => each.replace(/[#\s]/g, '') !== '');
  return oneLine((line ?? '').replace(/^\s*#+\s*/, ''));
}

function oneLine(text: string): string {
  return stripInvisible(text).text.replace(/\s+/g, ' ').trim();
}
