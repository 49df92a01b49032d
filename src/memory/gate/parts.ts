/** A proposed memory taken apart into what it claims: sentence by sentence, since one false sentence may hide behind a true one. */

import type { ProposedMemory } from './write.ts';

/** `core` is the rule or fact itself; `why` and `how` are the writer's gloss on it. */
export type PartKind = 'core' | 'name' | 'description' | 'why' | 'how';

export interface Part {
  readonly kind: PartKind;
  readonly text: string;
}

const WHY = /^\s*(?:[-*]\s+)?\*\*\s*(?:why|warum|por qu[eé]|pourquoi|原因|为什么|理由)\s*[:：]?\s*\*\*\s*[:：]?/i;
const HOW =
  /^\s*(?:[-*]\s+)?\*\*\s*(?:how to apply|anwendung|c[oó]mo aplicar(?:lo)?|comment appliquer|如何应用|适用|適用方法)\s*[:：]?\s*\*\*\s*[:：]?/i;

/** The number of a list's entry is nothing that anybody said. */
const LIST_MARK = /^\s*(?:[-*•]|\d{1,2}[.)])\s+/;

export function partsOf(proposed: ProposedMemory): Part[] {
  const parts: Part[] = [];
  let kind: PartKind = 'core';
  for (const line of proposed.body.split('\n')) {
    if (WHY.test(line)) kind = 'why';
    else if (HOW.test(line)) kind = 'how';
    for (const text of sentencesOf(line.replace(WHY, '').replace(HOW, '').replace(LIST_MARK, '')))
      parts.push({ kind, text });
  }
  if (proposed.name.trim() !== '') parts.push({ kind: 'name', text: proposed.name.trim() });
  for (const text of sentencesOf(proposed.description)) parts.push({ kind: 'description', text });
  return parts;
}

/** `**Why:**` or `**How to apply:**` at the head of a line; empty where there is none. */
export function markerOf(line: string): string {
  return (WHY.exec(line) ?? HOW.exec(line))?.[0] ?? '';
}

/** The body without its reasons and advice. */
export function coreText(body: string): string {
  const lines = body.split('\n');
  const end = lines.findIndex((line) => WHY.test(line) || HOW.test(line));
  return (end < 0 ? lines : lines.slice(0, end)).join('\n').trim();
}

/** Not at every dot: `5.3`, `wiki.corp/x` and `e.g.` hold some. */
const SENTENCE_END = /(?<=[.!?;]["')\]]?)\s+|(?<=[。！？；])/u;

export function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => line.split(SENTENCE_END))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
