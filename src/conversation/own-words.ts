/** What the user typed: their text blocks, without anything that Reverie added to the same messages. */

import type { Entry } from './entry.ts';

export interface OwnMessage {
  readonly uuid: string;
  readonly text: string;
}

/** Oldest first; messages without the user's words are left out. */
export function ownMessages(entries: readonly Entry[]): readonly OwnMessage[] {
  return entries.flatMap((entry) => {
    const text = ownText(entry);
    return text === '' ? [] : [{ uuid: entry.uuid, text }];
  });
}

export function ownText({ message, injected = [] }: Entry): string {
  if (message.role !== 'user') return '';
  const isOurs = new Set(injected.map(({ block }) => block));
  return message.content
    .flatMap((block, at) => (block.type === 'text' && !isOurs.has(at) ? [block.text] : []))
    .join('\n')
    .trim();
}

/** Whether it replaces earlier messages: the state knows what they said, not its text. */
export function isSummary(entry: Entry): boolean {
  return entry.injected?.some(({ source }) => source === 'summary') === true;
}

/** Paragraphs short enough to have been typed. */
export function typedParagraphs(text: string, pastedCharacters: number): readonly string[] {
  return text.split(/\n\s*\n/).filter((paragraph) => paragraph.length <= pastedCharacters);
}

const ITEM = /^\s*(?:[-*•+]|\d{1,3}[.)])\s/;

/** Sentences that set a rule, word for word; a lead-in that ends in a colon includes the list under it. */
export function rulesIn(
  text: string,
  facts: { readonly isRule: (sentence: string) => boolean; readonly pastedCharacters: number },
): readonly string[] {
  return typedParagraphs(text, facts.pastedCharacters).flatMap((paragraph) =>
    rulesOfParagraph(paragraph, facts.isRule),
  );
}

function rulesOfParagraph(paragraph: string, isRule: (sentence: string) => boolean): readonly string[] {
  const lines = paragraph.split('\n');
  const rules: string[] = [];
  for (const [at, line] of lines.entries()) {
    for (const sentence of sentencesOf(line)) {
      if (!isRule(sentence)) continue;
      const isLead = /[:：]$/.test(sentence);
      const after = lines.slice(at + 1);
      const end = after.findIndex((next) => !ITEM.test(next));
      const items = isLead ? after.slice(0, end < 0 ? after.length : end) : [];
      rules.push([sentence, ...items].join('\n'));
    }
  }
  return rules;
}

const SENTENCES = new Intl.Segmenter(undefined, { granularity: 'sentence' });

function sentencesOf(line: string): readonly string[] {
  return Array.from(SENTENCES.segment(line), ({ segment }) => segment.trim()).filter((sentence) => sentence !== '');
}
