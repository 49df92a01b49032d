/** `@path` in a prompt: the file's text goes with it as a document, an image as an image, a folder as its names; limited. */

import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { mediaOf } from '../../agent/tools/media.ts';
import { messageOf } from '../../base/values.ts';
import type { ContentBlock } from '../../conversation/message.ts';
import { CHAT_LIMITS, LIMITS } from '../../limits.ts';

export interface Mentioned {
  /** In order of mention; nothing twice. */
  readonly blocks: readonly ContentBlock[];
  /** One line each for the user: what was attached, or why not. */
  readonly notes: readonly string[];
}

/** An address like `me@example.org` mentions nothing: the sign must start a word. */
const MENTION = /(?<=^|[\s("'`])@(?:"([^"\n]+)"|([^\s"'`]+))/gu;

export interface MentionPlace {
  readonly cwd: string;
  /** Whether a rule forbids reading a file. */
  readonly isHidden: (path: string) => boolean;
}

export function readMentions(prompt: string, { cwd, isHidden }: MentionPlace): Mentioned {
  const blocks: ContentBlock[] = [];
  const notes: string[] = [];
  const seen = new Set<string>();
  for (const match of prompt.matchAll(MENTION)) {
    const found = findPath(match[1] ?? match[2]!, cwd);
    if (found === null || seen.has(found.path)) continue;
    seen.add(found.path);
    if (seen.size > CHAT_LIMITS.mentions) {
      notes.push(`Only the first ${CHAT_LIMITS.mentions} files that are mentioned were attached.`);
      break;
    }
    if (isHidden(found.path)) {
      notes.push(deniedNote(found.shown));
      continue;
    }
    try {
      const { block, note } = found.isFolder ? readFolder(found) : readAttached(found);
      if (block !== null) blocks.push(block);
      notes.push(note);
    } catch (error) {
      notes.push(`${found.shown} could not be attached: ${messageOf(error)}`);
    }
  }
  return { blocks, notes };
}

export function deniedNote(shown: string): string {
  return `${shown} was not attached: a deny rule in your settings forbids reading it.`;
}

interface FoundPath {
  readonly path: string;
  readonly shown: string;
  readonly isFolder: boolean;
  readonly bytes: number;
}

/** Anything that is not a path is left alone: `@someone` stays a word. A full stop after a path ends the sentence. */
function findPath(written: string, cwd: string): FoundPath | null {
  for (const shown of new Set([written, written.replace(/[.,;:!?)\]}]+$/u, '')])) {
    if (shown === '') continue;
    const path = resolve(cwd, shown.replace(/^~(?=\/|$)/, homedir()));
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts?.isFile() || facts?.isDirectory()) {
      return { path, shown, isFolder: facts.isDirectory(), bytes: facts.size };
    }
  }
  return null;
}

interface Attached {
  readonly block: ContentBlock | null;
  readonly note: string;
}

function readFolder({ path, shown }: FoundPath): Attached {
  const names = readdirSync(path, { withFileTypes: true }).map(
    (entry) => entry.name + (entry.isDirectory() ? '/' : ''),
  );
  const kept = names.sort().slice(0, CHAT_LIMITS.mentionedNames);
  const more = names.length > kept.length ? [`… and ${names.length - kept.length} more`] : [];
  return {
    block: documentOf(`Names in the folder ${path}`, [...kept, ...more].join('\n') || '(empty)'),
    note: `${shown}: ${names.length} names attached`,
  };
}

/** A file pasted or mentioned as an image is sent as one; also for an image placeholder. */
export function readAttached({ path, shown, bytes }: Omit<FoundPath, 'isFolder'>): Attached {
  const head = readHead(path, CHAT_LIMITS.mentionBytes);
  const media = mediaOf(head);
  switch (media.kind) {
    case 'image': {
      if (bytes > LIMITS.tools.imageBytes) return { block: null, note: `${shown} is too large an image to attach.` };
      const data = readHead(path, bytes).toString('base64');
      const source = { type: 'base64', media_type: media.type, data } as const;
      return { block: { type: 'image', source }, note: `${shown} attached as an image` };
    }
    case 'pdf':
      return { block: null, note: `${shown} is a PDF and was not attached; the agent can read it.` };
    case 'binary':
      return { block: null, note: `${shown} is not text and was not attached.` };
    case 'text': {
      const isCut = bytes > head.length;
      const text = isCut ? wholeLines(head.toString('utf8')) : head.toString('utf8');
      const lines = text.split('\n').length;
      const title = isCut ? `${path} (the first ${lines} lines; read the file for the rest)` : path;
      return {
        block: documentOf(title, text === '' ? '(empty)' : text),
        note: isCut ? `${shown}: the first ${lines} lines attached` : `${shown} attached`,
      };
    }
  }
}

function documentOf(title: string, data: string): ContentBlock {
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, title };
}

function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n');
  return end === -1 ? text : text.slice(0, end);
}

/** At most this many bytes: a file may be a device, or still growing. */
function readHead(path: string, most: number): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(most);
    let length = 0;
    for (;;) {
      const got = readSync(descriptor, bytes, length, most - length, null);
      length += got;
      if (got === 0 || length === most) return bytes.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}
