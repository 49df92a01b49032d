/** Where the agent's file tools reach: the disk, and for whatever really lies in a memory folder the journal of that memory. */

import type { Files, WriteOutcome } from '../agent/files.ts';
import { ReverieError } from '../errors.ts';
import { quoted } from '../lib/shell-words.ts';
import { parseMemoryFile } from '../memory/memory-file.ts';
import { INDEX_FILE } from '../memory/walk.ts';
import { hashOf } from '../store/contents.ts';
import { findInMemory, type InMemory } from './in-memory.ts';
import type { Memory, Saved } from './memory.ts';

interface MemoryWrite extends InMemory {
  readonly text: string;
  readonly ifUnchanged: string | null;
}

const OWN_FOLDER = '.reverie';

export function agentFiles({ memory, disk }: { readonly memory: Memory; readonly disk: Files }): Files {
  async function writeMemory(wanted: MemoryWrite): Promise<WriteOutcome> {
    const reason = whyNotWritten(wanted);
    if (reason !== null) return { kind: 'refused', reason };
    const isThere = (await disk.stat(wanted.realPath)) !== null;
    if (isThere !== (wanted.ifUnchanged !== null)) return { kind: 'changed-meanwhile' };
    try {
      return { kind: 'written', notes: notesOn(wanted, await journal(wanted)) };
    } catch (error) {
      return outcomeOf(error);
    }
  }

  /** Under the lock, from the newest text: what somebody wrote since the agent read it stays. */
  function journal({ scope, file, text, ifUnchanged }: MemoryWrite): Promise<Saved> {
    const files = memory.filesOf(scope);
    if (ifUnchanged === null) return files.write(file, text, { who: 'agent', mustBeNew: true });
    const replace = (present: string) => {
      if (hashOf(Buffer.from(present)) !== ifUnchanged) throw new ChangedMeanwhile();
      return text;
    };
    return files.edit(file, replace, { who: 'agent' });
  }

  return {
    stat: (path) => disk.stat(path),
    async read(path) {
      const found = findInMemory(memory, path);
      if (found !== null && isOwn(found.file)) throw new ReverieError({ code: 'refused', message: ownReason(path) });
      return disk.read(path);
    },
    async write(path, bytes, options) {
      const found = findInMemory(memory, path);
      if (found === null) return disk.write(path, bytes, options);
      return writeMemory({ ...found, text: bytes.toString('utf8'), ifUnchanged: options.ifUnchanged });
    },
  };
}

function isOwn(file: string): boolean {
  return file.split('/')[0]?.toLowerCase() === OWN_FOLDER;
}

function ownReason(path: string): string {
  return `${path} belongs to the journal of the memory, which only Reverie itself touches. \`reverie memory log\` shows it.`;
}

/** Reasons that can be told before anything is asked of the folder; the rest is its own to refuse. */
function whyNotWritten({ file, realPath, text }: MemoryWrite): string | null {
  if (file === '') return `${realPath} is the memory folder itself. Write a file in it.`;
  if (isOwn(file)) return ownReason(realPath);
  if (file === INDEX_FILE) {
    return (
      `${INDEX_FILE} is the index, and its lines follow from the memory files by themselves: write, edit or remove the ` +
      'memory’s own file, and its line comes, changes or goes. `name` and `description` in the front matter make the line.'
    );
  }
  if (text.trim() === '') {
    return (
      `An empty memory says nothing. To forget ${file}, remove it with Bash: rm ${quoted(realPath)}` +
      ' (its line in the index goes with it, and the user can undo it); or the user runs `reverie memory forget`.'
    );
  }
  return null;
}

function notesOn({ text }: MemoryWrite, saved: Saved): readonly string[] {
  const problems = parseMemoryFile(Buffer.from(text)).warnings.map(({ line, message }) => `Line ${line}: ${message}`);
  return [`Its line in ${INDEX_FILE} follows by itself.`, ...problems, ...saved.warnings];
}

class ChangedMeanwhile extends Error {}

/** What a rule forbids is an answer; a failing disk or a lock that is not let go of is an error. */
function outcomeOf(error: unknown): WriteOutcome {
  if (error instanceof ChangedMeanwhile) return { kind: 'changed-meanwhile' };
  if (!(error instanceof ReverieError)) throw error;
  switch (error.code) {
    case 'not-found':
      return { kind: 'changed-meanwhile' };
    case 'refused':
    case 'secret':
    case 'damaged':
    case 'usage':
    case 'ambiguous':
    case 'memory-off':
      return { kind: 'refused', reason: [error.message, error.fix].filter((part) => part !== '').join('. ') };
    case 'locked':
    case 'storage':
    case 'model':
      throw error;
  }
}
