/** Reads a SKILL.md below its folder's descriptor, without following any link, and parts it into what is listed and what is loaded. */

import { realpathSync } from 'node:fs';
import { decodeText, readableText } from '../../base/front-matter/bytes.ts';
import { locateFrontMatter } from '../../base/front-matter/locate.ts';
import { readHeader } from '../../base/front-matter/read-header.ts';
import { stripInvisible } from '../../base/text/visible-text.ts';
import { type Folder, openFolder } from '../../disk/folder.ts';
import { ReverieError } from '../../errors.ts';
import { SKILL_LIMITS } from '../../limits.ts';

export const SKILL_FILE = 'SKILL.md';

/** Where skills are kept: the part above may be a link of the user's own, the parts below must be none. */
export interface SkillPlace {
  readonly base: string;
  readonly parts: readonly string[];
}

export interface SkillText {
  /** Null when the header has none. */
  readonly name: string | null;
  readonly description: string;
  /** Whether only the user, never the model, may call for it. */
  readonly isForUserOnly: boolean;
  readonly body: string;
}

export type SkillReading = { readonly kind: 'read'; readonly text: SkillText } | { readonly kind: 'absent' } | Unusable;

export interface Unusable {
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

export function readSkill(place: Folder, name: string): SkillReading {
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

const KNOWN = new Set(['name', 'description', 'disable-model-invocation']);

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
