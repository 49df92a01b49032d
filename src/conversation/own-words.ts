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
