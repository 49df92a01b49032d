/** People in a write: one who is given a part in something, and whom nobody in the span named, was made up. */

import { sentencesOf } from './parts.ts';
import type { ProposedMemory } from './write.ts';

const FULL_NAME = /(?<!\p{L})\p{Lu}\p{Ll}+(?:-\p{Lu}\p{Ll}+)? \p{Lu}\p{Ll}+(?!\p{L})/gu;
/** Two capitals may be a product's; with a part to play they are a person's. */
const HAS_A_PART =
  /\b(?:owns?|owner|approves?|approver|responsible|maintains?|maintainer|manages?|manager|leads?|contact|ask|reports? to|signs? off|in charge|assigned|decides|verantwortlich|zuständig|leitet|betreut|responsable|dirige|encargad[oa]|se ocupa)\b/i;

export function inventedPerson(proposed: ProposedMemory, texts: readonly string[]): string | null {
  const known = texts.map((text) => text.toLowerCase());
  const isNamed = (word: string) => known.some((text) => text.includes(word));
  const sentences = sentencesOf(`${proposed.body}\n${proposed.description}`).filter((each) => HAS_A_PART.test(each));
  for (const name of sentences.flatMap((sentence) => sentence.match(FULL_NAME) ?? [])) {
    if (!name.toLowerCase().split(' ').some(isNamed)) return name;
  }
  return null;
}
