/** MEMORY.md, the index: one line for each memory, `- [Title](file.md) — hook`, and whatever else the user wrote there. */

export { dropIndexLine, putIndexLineAt, putIndexLines, setIndexLine, takeIndexLines } from './index-file-edit.ts';
export { renderIndexLine } from './index-file-line.ts';
export { type IndexLimits, indexWarnings, type LoadedIndex, loadIndex } from './index-file-load.ts';
export { type IndexEntry, parseIndex } from './index-file-parse.ts';
export type { FileWarning } from './memory-file-warning.ts';
