/** Which tools a few words are about: pure, by the words of their names first and of their descriptions second. */

import { nearest } from '../tools/likeness.ts';
import type { ToolDefinition } from './tool-definition.ts';

const NAME_WORD = 6;
const NAME_PART = 3;
const DESCRIPTION_WORD = 2;
const DESCRIPTION_PART = 1;
/** Shorter words are part of nearly every other one. */
const PART_CHARACTERS = 3;
/** Of a longer question the rest is not looked at. */
const QUERY_WORDS = 32;

/** Best first; those that share nothing with the query are left out. */
export function searchTools(query: string, tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const words = [...new Set(wordsOf(query))].slice(0, QUERY_WORDS);
  return tools
    .map((tool) => ({ tool, score: scoreOf(words, tool) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ tool }) => tool);
}

/** The tools with these names, and for each name that there is none for, what may have been meant. */
export function selectTools(
  names: readonly string[],
  tools: readonly ToolDefinition[],
): {
  readonly found: readonly ToolDefinition[];
  readonly unknown: readonly { name: string; near: readonly string[] }[];
} {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const asked = [...new Set(names)];
  return {
    found: asked.flatMap((name) => byName.get(name) ?? []),
    unknown: asked
      .filter((name) => !byName.has(name))
      .map((name) => ({ name, near: nearest(name, [...byName.keys()], 3) })),
  };
}

function scoreOf(words: readonly string[], { name, description }: ToolDefinition): number {
  const inName = pointsIn(name, { word: NAME_WORD, part: NAME_PART });
  const inDescription = pointsIn(description, { word: DESCRIPTION_WORD, part: DESCRIPTION_PART });
  return words.reduce((score, word) => score + inName(word) + inDescription(word), 0);
}

function pointsIn(text: string, points: { readonly word: number; readonly part: number }): (word: string) => number {
  const words = new Set(wordsOf(text));
  const letters = text.toLowerCase();
  return (word) => {
    if (words.has(word)) return points.word;
    const isLong = word.length >= PART_CHARACTERS || /[^\0-\x7f]/.test(word);
    return isLong && letters.includes(word) ? points.part : 0;
  };
}

/** `createPullRequest` and `create_pull_request` are the same three words. */
function wordsOf(text: string): readonly string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
