/** Memory files: read, written fresh, and changed without touching what was not meant. */

export type { MemoryFileChanges } from './check.ts';
export { type EditedMemoryFile, editMemoryFile } from './edit.ts';
export { type ParsedHeader, type ParsedMemory, parseMemoryFile, parseMemoryHeader } from './parse.ts';
export { aliasesText, type MemoryFileFields, renderMemoryFile } from './render.ts';
export type { FileWarning, WarningCode } from './warning.ts';
