/** The public surface of the package. */

export { type ErrorCode, ReverieError } from './errors.ts';
export type { MemoryToolCommand } from './hosts/anthropic-memory-command.ts';
export { type MemoryTool, memoryTool } from './hosts/anthropic-memory-tool.ts';
export type { MemoryScope, MemorySource, MemoryType } from './memory/taxonomy.ts';
export type { Embedder } from './recall/local-index.ts';
export { type Exported, exportMemories } from './session/export-memories.ts';
export { type ImportRequest, type ImportResult, importMemories } from './session/import-memories.ts';
export type {
  ChangeOptions,
  FileDiff,
  FolderEntry,
  LogEntry,
  Memory,
  MemoryChanges,
  MemoryEntry,
  MemoryFiles,
  MemoryHeader,
  MemoryOrigin,
  Purged,
  Recalled,
  RecallOptions,
  Saved,
  SaveRequest,
} from './session/memory.ts';
export { type OpenMemoryOptions, openMemory } from './session/open-memory.ts';
export { checkInside } from './store/check-inside.ts';
export { checkMemoryRoot, type Verdict } from './store/check-root.ts';
