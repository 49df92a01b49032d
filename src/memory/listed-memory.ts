/**
 * One memory of a listing: its header, and its body read from disk only when somebody asks for it. A class, because an
 * object literal with a getter was measured to take most of the time of listing ten thousand.
 */

import type { LookedFile } from './files/look.ts';
import { parseMemoryFile } from './files/memory-file.ts';
import type { MemoryFolder } from './history/memory-folder.ts';
import type { MemoryEntry } from './memory.ts';

export class ListedMemory implements MemoryEntry {
  readonly file;
  readonly scope;
  readonly path;
  readonly name;
  readonly description;
  readonly type;
  readonly source;
  readonly quote;
  readonly origin;
  readonly created;
  readonly modified;
  readonly pinned;
  readonly supersededBy;
  readonly refuted;
  readonly forTeam;
  readonly warnings;
  readonly #folder: MemoryFolder;

  constructor(folder: MemoryFolder, { file, facts, stamp }: LookedFile) {
    this.file = file;
    this.scope = folder.scope;
    this.path = `${folder.path}/${file}`;
    this.name = facts.name;
    this.description = facts.description;
    this.type = facts.type;
    this.source = facts.source;
    this.quote = facts.quote;
    this.origin = facts.origin;
    this.created = facts.created;
    this.modified = facts.modified ?? new Date(stamp.mtimeMs).toISOString();
    this.pinned = facts.pinned;
    this.supersededBy = facts.supersededBy;
    this.refuted = facts.refuted;
    this.forTeam = facts.forTeam;
    this.warnings = facts.warnings;
    this.#folder = folder;
  }

  get body(): string {
    return parseMemoryFile(this.#folder.read(this.file) ?? new Uint8Array()).body;
  }
}
