/** Pasted content that is one word in brackets in the text: a long text, an image. */

import type { ImageType } from '../../conversation/message.ts';
import { withBorder } from '../../conversation/typed-text.ts';
import { SCREEN_LIMITS } from '../../limits.ts';
import { boundaryFrom, previousBoundary } from './graphemes.ts';

/** An image by its location, or the image itself. */
export type PastedImage = { readonly path: string } | { readonly mediaType: ImageType; readonly data: string };

export type Attachment =
  | { readonly kind: 'text'; readonly label: string; readonly text: string }
  | { readonly kind: 'image'; readonly label: string; readonly image: PastedImage };

export interface Span {
  readonly start: number;
  readonly end: number;
}

const PLACEHOLDER = /\[(?:Pasted text #\d+ \+[\d,]+ (?:lines|characters)|Image #\d+)\]/g;
/** Longer than any label. */
const LABEL_CHARACTERS = 64;

/** A paste that would bury what was typed gets a placeholder. */
export function isLongPaste(text: string): boolean {
  if (text.length > SCREEN_LIMITS.pastedCharacters) return true;
  return text.split('\n').length > SCREEN_LIMITS.pastedLines;
}

export function textAttachment(text: string, attachments: readonly Attachment[]): Attachment {
  const lines = text.replace(/\n$/, '').split('\n').length;
  const amount = lines > 1 ? `${grouped(lines)} lines` : `${grouped(text.length)} characters`;
  return { kind: 'text', label: `[Pasted text #${nextNumber('text', attachments)} +${amount}]`, text };
}

export function imageAttachment(image: PastedImage, attachments: readonly Attachment[]): Attachment {
  return { kind: 'image', label: `[Image #${nextNumber('image', attachments)}]`, image };
}

/** Placeholders of a line; with an offset only those that touch it. */
export function placeholdersIn(line: string, facts: { attachments: readonly Attachment[]; near?: number }): Span[] {
  if (facts.attachments.length === 0) return [];
  const from = facts.near === undefined ? 0 : Math.max(0, facts.near - LABEL_CHARACTERS);
  const part = facts.near === undefined ? line : line.slice(from, facts.near + LABEL_CHARACTERS);
  const labels = new Set(facts.attachments.map(({ label }) => label));
  return [...part.matchAll(PLACEHOLDER)]
    .filter(([label]) => labels.has(label))
    .map((match) => wholeGraphemes(line, { start: from + match.index, end: from + match.index + match[0].length }))
    .filter(({ start, end }) => facts.near === undefined || (start <= facts.near && facts.near <= end));
}

/** The full text, in one pass: pasted text is not searched for placeholders again. */
export function expandPlaceholders(
  text: string,
  attachments: readonly Attachment[],
): { readonly text: string; readonly images: readonly PastedImage[] } {
  const byLabel = new Map(attachments.map((attachment) => [attachment.label, attachment]));
  const images: PastedImage[] = [];
  const expanded = text.replace(PLACEHOLDER, (label) => {
    const attachment = byLabel.get(label);
    if (attachment?.kind === 'text') return withBorder('pasted', attachment.text);
    if (attachment?.kind === 'image') images.push(attachment.image);
    return label;
  });
  return { text: expanded, images };
}

/** A mark typed after a bracket, or a sign before it, forms one character with it. */
function wholeGraphemes(line: string, span: Span): Span {
  const start = boundaryFrom(line, span.start);
  return { start: start === span.start ? start : previousBoundary(line, start), end: boundaryFrom(line, span.end) };
}

function nextNumber(kind: Attachment['kind'], attachments: readonly Attachment[]): number {
  return attachments.filter((attachment) => attachment.kind === kind).length + 1;
}

/** 5000 as 5,000, without loading locale data. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
