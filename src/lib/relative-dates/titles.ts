/** Where titles stand in a text: what is in quotation marks and short. A longer quotation is a sentence, whose date counts like any other. */

const quoted = (open: string, close: string) =>
  `${open}\\s?(?:[^\\s${open}${close}]+\\s){0,5}[^\\s${open}${close}]+\\s?${close}`;

const TITLES: readonly RegExp[] = [
  quoted('"', '"'),
  quoted('“', '”'),
  quoted('„', '“”').replace(/“”$/, '[“”]'),
  quoted('«', '»'),
  quoted('»', '«'),
  quoted('‹', '›'),
  '[「『《〈“‘][^\\n「」『』《》〈〉“”‘’]{1,16}[」』》〉”’]',
  '`[^`\\n]+`',
  // Not an apostrophe: it stands before a word, and its fellow behind one.
  "(?<![\\p{L}\\p{N}])['‘‚](?:[^\\s'‘’‚]+ ){0,5}[^\\s'‘’‚]+['’‘](?!\\p{L})",
].map((pattern) => new RegExp(pattern, 'gu'));

export interface Title {
  readonly start: number;
  readonly end: number;
}

export function titlesIn(text: string): readonly Title[] {
  if (!/["“„«»‹「『《〈`'‘‚]/.test(text)) return [];
  return TITLES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: title }) => ({ start: index, end: index + title.length })),
  );
}
