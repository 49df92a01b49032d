/** Which parts of a message the user typed, and what came along: piped input, pastes, the body of a host's prompt. */

import type { Entry } from './entry.ts';

export type CameAlong = 'pasted' | 'piped';

/** A prompt as a program can give it: the user's own words, separate from what came along. */
export interface SpokenPrompt {
  readonly typed: string;
  readonly cameAlong?: readonly { readonly how: CameAlong; readonly text: string }[];
}

/** A border does not open inside itself: a row of opening ones is looked at once. */
const BORDER = /<(pasted|piped)>\n?((?:(?!<\1>)[\s\S])*?)\n?<\/\1>/g;

/** Shows the model where the user's words end. Text cannot close its own border. */
export function withBorder(how: CameAlong, text: string): string {
  const inner = text.replace(/<(\/?)(pasted|piped)>/gi, '&lt;$1$2&gt;');
  return `<${how}>\n${inner}\n</${how}>`;
}

export function textOfPrompt({ typed, cameAlong = [] }: SpokenPrompt): string {
  return [typed, ...cameAlong.map(({ how, text }) => withBorder(how, text))].filter((part) => part !== '').join('\n\n');
}

/** Characters of a prompt that count as typed when nothing says which were: the first paragraph, up to this many. */
export function typedLength(text: string, mostCharacters: number): number {
  const lead = /^\s*/.exec(text)![0].length;
  const paragraph = /\n[^\S\n]*\n/.exec(text.slice(lead));
  const end = lead + (paragraph?.index ?? text.length - lead);
  if (end - lead <= mostCharacters) return end;
  const cut = text.slice(0, lead + mostCharacters);
  return Math.max(lead, cut.search(/\s\S*$/)) || cut.length;
}

/** The texts of a message that only the user and their tools put there. */
export function ownTexts({ message, injected = [] }: Entry): readonly string[] {
  if (message.role !== 'user') return [];
  const isOurs = new Set(injected.map(({ block }) => block));
  return message.content.flatMap((block, at) => (block.type === 'text' && !isOurs.has(at) ? [block.text] : []));
}

export function typedText(entry: Entry): string {
  return [...partsOf(entry).map(({ typed }) => typed), ...(entry.said ?? [])].join('\n').trim();
}

export function cameAlong(entry: Entry): readonly { readonly how: CameAlong; readonly text: string }[] {
  return partsOf(entry).flatMap((part) => part.cameAlong);
}

function partsOf(entry: Entry) {
  let typedLeft = entry.typedCharacters ?? Number.POSITIVE_INFINITY;
  return ownTexts(entry).map((text) => {
    const head = text.slice(0, typedLeft);
    const rest = text.slice(head.length);
    typedLeft -= text.length;
    const bordered = [...text.matchAll(BORDER)].map(([, how, inner]) => ({ how: how as CameAlong, text: inner! }));
    const isUntyped = rest.replace(BORDER, '').trim() !== '';
    return {
      typed: head.replace(BORDER, '\n\n').trim(),
      cameAlong: [...bordered, ...(isUntyped ? [{ how: 'pasted' as const, text: rest.replace(BORDER, '') }] : [])],
    };
  });
}
