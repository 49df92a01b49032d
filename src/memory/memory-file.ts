/** Memory files: read, written fresh, and changed without touching what was not meant. */

export type { MemoryFileChanges } from './memory-file-check.ts';
export { type EditedMemoryFile, editMemoryFile } from './memory-file-edit.ts';
export { type ParsedHeader, type ParsedMemory, parseMemoryFile, parseMemoryHeader } from './memory-file-parse.ts';
export { type MemoryFileFields, renderMemoryFile } from './memory-file-render.ts';
export type { FileWarning, WarningCode } from './memory-file-warning.ts';
