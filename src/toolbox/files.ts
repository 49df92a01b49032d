/** Where the agent's file tools reach: the disk, and for whatever really lies in a memory folder the journal of that memory. */

import type { Files, WriteOutcome } from '../agent/files.ts';
import { hashOf } from '../disk/contents.ts';
import type { ChangeAuthor } from '../disk/journal/change.ts';
import { ReverieError } from '../errors.ts';
import { parseMemoryFile } from '../memory/files/memory-file.ts';
import { INDEX_FILE } from '../memory/files/walk.ts';
import type { WriteGuard } from '../memory/gate/writer/judge-write.ts';
import { findInMemory, type InMemory } from '../memory/in-memory.ts';
import { isUnlisted } from '../memory/index/upkeep.ts';
import type { Memory, Saved } from '../memory/memory.ts';

interface MemoryWrite extends InMemory {
  readonly text: string;
  readonly ifUnchanged: string | null;
}

const OWN_FOLDER = '.reverie';

export interface AgentFilesFacts {
  readonly memory: Memory;
  readonly disk: Files;
  /** In whose name the journal has it; the agent's unless said otherwise. */
  readonly who?: ChangeAuthor;
  /** Judges what is written into a memory folder; without one only the folder's own rules hold. */
  readonly guard?: WriteGuard;
}

export function agentFiles({ memory, disk, who = 'agent', guard = OPEN_GUARD }: AgentFilesFacts): Files {
  async function writeMemory(wanted: MemoryWrite): Promise<WriteOutcome> {
    const reason = whyNotWritten(wanted);
    if (reason !== null) return { kind: 'refused', reason };
    const isThere = (await disk.stat(wanted.realPath)) !== null;
    if (isThere !== (wanted.ifUnchanged !== null)) return { kind: 'changed-meanwhile' };
    try {
      const before = wanted.ifUnchanged === null ? null : await memory.filesOf(wanted.scope).read(wanted.file);
      if (before !== null && !isUnchanged(before, wanted)) return { kind: 'changed-meanwhile' };
      const { scope, file } = wanted;
      const judged = await guard.judge({ scope, file, text: wanted.text, before });
      if (judged.kind === 'refused') return judged;
      const write = { ...wanted, text: judged.text, supersedes: judged.supersedes ?? [] };
      const saved = await journal(write);
      guard.onWritten({ scope, file, text: write.text, before });
      const notes = [...judged.notes, ...notesOn(write, saved)];
      return { kind: 'written', notes, ...(write.text === wanted.text ? {} : { bytes: Buffer.from(write.text) }) };
    } catch (error) {
      return outcomeOf(error);
    }
  }

  /** Under the lock, from the newest text: what somebody wrote since the agent read it stays. */
  function journal(write: MemoryWrite & { readonly supersedes: readonly string[] }): Promise<Saved> {
    const files = memory.filesOf(write.scope);
    const { supersedes } = write;
    if (write.ifUnchanged === null) return files.write(write.file, write.text, { who, mustBeNew: true, supersedes });
    const replace = (present: string) => {
      if (!isUnchanged(present, write)) throw new ChangedMeanwhile();
      return write.text;
    };
    return files.edit(write.file, replace, { who });
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

const OPEN_GUARD: WriteGuard = {
  judge: async ({ text }) => ({ kind: 'pass', text, notes: [] }),
  onWritten: () => {},
};

function isUnchanged(present: string, { ifUnchanged }: Pick<MemoryWrite, 'ifUnchanged'>): boolean {
  return hashOf(Buffer.from(present)) === ifUnchanged;
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
      `An empty memory says nothing. To forget ${file}, use the Forget tool` +
      ' (its line in the index goes with it, and the user can undo it); or the user runs `reverie memory forget`.'
    );
  }
  return null;
}

function notesOn({ text }: MemoryWrite, saved: Saved): readonly string[] {
  const problems = parseMemoryFile(Buffer.from(text)).warnings.map(({ line, message }) => `Line ${line}: ${message}`);
  const line = isUnlisted(Buffer.from(text))
    ? `It gets no line in ${INDEX_FILE}; recall finds it.`
    : `Its line in ${INDEX_FILE} follows by itself.`;
  return [line, ...problems, ...saved.warnings];
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
    case 'interrupted':
      throw error;
  }
}
