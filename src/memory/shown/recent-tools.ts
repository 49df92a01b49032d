/** Leaves out what only documents a tool that is in use just now; what warns about it stays. */

export interface ToolTalk {
  readonly name: string;
  readonly description: string;
  readonly type: string | null;
}

/** Whoever uses a tool has its documentation at hand, but not what went wrong with it before. */
const WARNS =
  /\b(?:never|don'?t|do not|avoid|careful|caution|warning|beware|gotcha|pitfall|bug|broken|fails?|failed|hangs?|crash(?:es)?|instead|careful|danger|deletes?|loses?)\b/i;

export function isUsageOfRecentTool(memory: ToolTalk, recentTools: readonly string[]): boolean {
  if (memory.type !== 'reference') return false;
  const text = `${memory.name} ${memory.description}`;
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []);
  return recentTools.some((tool) => words.has(tool.toLowerCase())) && !WARNS.test(text);
}
