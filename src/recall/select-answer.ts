/** What a selector answered, read leniently: JSON as it was asked for, JSON in a fence, or JSON among words. */

export type Selection =
  | { readonly kind: 'selected'; readonly names: readonly string[] }
  | { readonly kind: 'unusable'; readonly reason: string };

export function readSelection(answer: string): Selection {
  const found = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
  if (found === '') return { kind: 'unusable', reason: 'there is no JSON in the answer' };
  let parsed: unknown;
  try {
    parsed = JSON.parse(found);
  } catch {
    return { kind: 'unusable', reason: 'the JSON of the answer is broken' };
  }
  const names = (parsed as { selected_memories?: unknown }).selected_memories;
  if (!Array.isArray(names)) return { kind: 'unusable', reason: 'the answer has no list `selected_memories`' };
  return { kind: 'selected', names: names.filter((name) => typeof name === 'string') };
}

/** Only what was in the list, each once, and no more than were asked for. */
export function keysOf(
  names: readonly string[],
  facts: { readonly keys: ReadonlyMap<string, string>; readonly most: number },
): readonly string[] {
  const keys = names.flatMap((name) => facts.keys.get(name.trim()) ?? []);
  return [...new Set(keys)].slice(0, facts.most);
}
