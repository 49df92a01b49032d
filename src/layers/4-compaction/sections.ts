/** Brings a text of markdown sections to a size: over-long sections are cut, each with a word on where the rest is. */

import { estimateTextTokens } from '../../conversation/tokens.ts';
import { headLines } from './cut-text.ts';

export interface SectionFacts {
  readonly mostTokens: number;
  readonly mostSectionTokens: number;
  /** Put in the place of what is cut. */
  readonly pointer: string;
}

export function fitSections(text: string, facts: SectionFacts): string {
  const sections = text.split(/^(?=#{1,2} )/m).map((section) => cut(section.trimEnd(), facts.mostSectionTokens, facts));
  if (sizeOf(sections) <= facts.mostTokens) return sections.join('\n\n');
  const level = levelFor(sections, facts.mostTokens);
  const levelled = sections.map((section) => cut(section, level, facts)).join('\n\n');
  return estimateTextTokens(levelled) <= facts.mostTokens ? levelled : cut(levelled, facts.mostTokens, facts);
}

function sizeOf(sections: readonly string[]): number {
  return estimateTextTokens(sections.join('\n\n'));
}

/** The height at which all sections, cut to it, fit: short ones keep everything. */
function levelFor(sections: readonly string[], mostTokens: number): number {
  const sizes = sections.map((section) => estimateTextTokens(`${section}\n\n`)).sort((one, other) => one - other);
  let left = mostTokens;
  for (const [at, size] of sizes.entries()) {
    const each = Math.floor(left / (sizes.length - at));
    if (size > each) return Math.max(0, each - 1);
    left -= size;
  }
  return left;
}

function cut(section: string, tokens: number, facts: SectionFacts): string {
  if (estimateTextTokens(section) <= tokens) return section;
  const pointer = `\n${facts.pointer}`;
  const room = tokens - estimateTextTokens(pointer) - 1;
  return room <= 0 ? headLines(section, tokens) : `${headLines(section, room).trimEnd()}${pointer}`;
}
