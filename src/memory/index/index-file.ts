/** MEMORY.md, the index: one line for each memory, `- [Title](file.md) — hook`, and whatever else the user wrote there. */

export type { FileWarning } from '../files/warning.ts';
export { dropIndexLine, putIndexLineAt, putIndexLines, setIndexLine, takeIndexLines } from './edit.ts';
export { renderIndexLine } from './line.ts';
export { type IndexLimits, indexWarnings, type LoadedIndex, loadIndex, loadingIndex } from './load.ts';
export { type IndexEntry, parseIndex, parsingIndex } from './parse.ts';
