/** The final decision on each tool result: plain JSON, so that a resumed session and a fork render the same bytes. */

/** `characters` is the length of the text decided on, so that an id a provider reuses is not taken for the same result. */
export type ResultDecision =
  | { readonly kind: 'whole'; readonly characters: number }
  | {
      readonly kind: 'replaced';
      readonly characters: number;
      /** `stored`: a preview of a file; `ends`: head and tail, the whole in a file; `cut`: head and tail, nothing else was stored. */
      readonly how: 'stored' | 'ends' | 'cut';
      readonly reason: string;
      /** The file with the whole result. */
      readonly path: string | null;
      /** What replaces the result's text. */
      readonly text: string;
    };

export interface ToolResultsState {
  readonly decisions: readonly (readonly [toolUseId: string, decision: ResultDecision])[];
}

/** From a transcript's replacement records, oldest first. Anything else is left out: such a result is decided again. */
export function readToolResultsState(
  records: readonly { readonly toolUseId: string; readonly decision: unknown }[],
): ToolResultsState {
  const decisions = new Map<string, ResultDecision>();
  for (const { toolUseId, decision } of records) {
    if (isDecision(decision)) decisions.set(toolUseId, decision);
  }
  return { decisions: [...decisions] };
}

function isDecision(value: unknown): value is ResultDecision {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, characters, text } = value as Record<string, unknown>;
  if (typeof characters !== 'number') return false;
  return kind === 'whole' || (kind === 'replaced' && typeof text === 'string');
}
