/** What a name in a memory folder may look like, so that it means the same on every disk, in every shell and to every reader. */

import { PATH_LIMITS } from '../limits.ts';

/** Bytes of the readable part of a memory's file name. */
const SLUG_BYTES = 80;

/** `always` is refused for every use; `new` only stops a name from coming into being: a file that has it can be read and removed. */
export interface NameProblem {
  readonly refused: 'always' | 'new';
  readonly reason: string;
}

/** What no path may hold anywhere: it would be cut, shown as something else, or not be stored at all. */
export function textProblem(text: string): string | null {
  if (isPlain(text)) return null;
  if (text.includes('\0')) return 'it holds a NUL character';
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return 'it holds a control character or a line break';
  if (/\p{Cs}/u.test(text)) return 'it holds half a character, which cannot be stored';
  if (hasInvisible(text)) return 'it holds a character that cannot be seen or that turns the text around';
  return null;
}

/** Printable ASCII: almost every name, and nothing that the costly rules below are about. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7E]*$/.test(text);
}

function hasInvisible(text: string): boolean {
  return /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Noncharacter_Code_Point}\u2800]/u.test(
    withoutMeaningfulJoiners(text),
  );
}

/** Scripts that spell some words with a joiner or non-joiner between letters. */
const JOINED_SCRIPTS = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Tibetan', 'Khmer', 'Myanmar', 'Sinhala', 'Devanagari', 'Bengali', 'Gurmukhi'],
  ...['Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
];

/** Zero-width joiners belong to the spelling of some scripts and hold emoji together; only elsewhere do they hide something. */
function withoutMeaningfulJoiners(text: string): string {
  // Made here, not at the top: sets of characters this large cost milliseconds of every start, and most names are plain.
  const joined = JOINED_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('');
  const picture = '\\p{Extended_Pictographic}(?:[\\uFE0E\\uFE0F]|\\p{Emoji_Modifier})?';
  const flag = '\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{1,6}\\u{E007F}';
  const emoji = new RegExp(`${flag}|[0-9#*]\\uFE0F?\\u20E3|${picture}(?:\\u200D${picture})*`, 'gu');
  return text.replace(emoji, 'x').replace(new RegExp(`(?<=[${joined}])[\\u200C\\u200D](?=[${joined}])`, 'gu'), '');
}

/** Judges one part of a path. The `reason` completes "refused: …". */
export function nameProblem(
  name: string,
  facts: { readonly role: 'folder' | 'file'; readonly platform: NodeJS.Platform },
): NameProblem | null {
  const always = (reason: string): NameProblem => ({ refused: 'always', reason });
  const onNew = (reason: string): NameProblem => ({ refused: 'new', reason });
  const unseen = textProblem(name);
  if (unseen !== null) return always(unseen);
  if (name.includes('/') || name.includes('\\')) return always('a name holds no slash or backslash');
  if (name.startsWith('.')) return always('names that begin with a dot are not memories');
  if (name.startsWith('~')) return always('a leading `~` stands for a home folder');
  if (Buffer.byteLength(name) > PATH_LIMITS.nameBytes)
    return always(`a name has at most ${PATH_LIMITS.nameBytes} bytes`);
  if (/%(?:[0-9a-f]{2}|u[0-9a-f]{4})/i.test(name)) return always('it is percent-encoded');
  if (facts.role === 'file' && !/\.md$/i.test(name))
    return always('a memory is a markdown file, its name ends in `.md`');

  const unportable = windowsProblem(name);
  if (unportable !== null) return facts.platform === 'win32' ? always(unportable) : onNew(unportable);
  if (/[$`;&%]/.test(name)) return onNew('it holds a character that shells and programs replace ($ ` ; & %)');
  if (name.startsWith('-')) return onNew('a leading dash would be taken for an option');
  if (name.startsWith(' ')) return onNew('it begins with a blank');
  const misleading = isPlain(name) ? null : misleadingProblem(name);
  if (misleading !== null) return onNew(misleading);
  if (facts.role === 'folder' && /\.md$/i.test(name)) return onNew('a folder is not named like a memory');
  if (facts.role === 'file' && !name.endsWith('.md')) return onNew('a memory’s name ends in `.md`, in small letters');
  if (/^(?:claude|claude\.local|agents|agents\.override|gemini|skill)\.md$/i.test(name))
    return onNew('coding agents obey files of that name');
  return null;
}

/** What looks like something else to a person, or becomes something else in a program. */
function misleadingProblem(name: string): string | null {
  if (/[^\P{Zs} ]/u.test(name)) return 'it holds an unusual kind of blank';
  if (/[\u2044\u2215\u2216\u29F5\u29F8\u29F9\u2571\u2572\u{1F67C}\u{1F67D}]/u.test(name) || hidesPunctuation(name)) {
    return 'it holds a character that looks like, or becomes, a dot or a slash';
  }
  if (/[\p{Co}\uFFFD]/u.test(name)) return 'it holds a character without a meaning';
  return mixesAlphabets(name) ? 'one of its words mixes alphabets that look alike' : null;
}

/** What Windows refuses or quietly changes: a store must survive being copied there. */
function windowsProblem(name: string): string | null {
  if (/[<>:"|?*]/.test(name)) return 'it holds a character that Windows refuses (< > : " | ? *)';
  if (/[ .]$/.test(name)) return 'a blank or a dot at the end vanishes on Windows';
  if (isDeviceName(name)) return 'it is the name of a device on Windows';
  if (/~\d+(?:\.|$)/.test(name)) return 'on Windows it may be the short name of another file';
  return null;
}

export function isDeviceName(name: string): boolean {
  return /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i.test(name);
}

/** Some programs fold compatibility characters: then full-width dots climb out of the folder. */
function hidesPunctuation(name: string): boolean {
  const marks = (text: string) => text.replace(/[^./\\:~%$<>|"*?`;&]/g, '').length;
  return marks(name.normalize('NFKC')) > marks(name);
}

const ALPHABETS_ALIKE = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Coptic',
  'Armenian',
  'Cherokee',
  'Lisu',
  'Deseret',
  'Glagolitic',
];

function alphabetsAlike(): RegExp[] {
  return ALPHABETS_ALIKE.map((script) => new RegExp(`\\p{Script=${script}}`, 'u'));
}

/** Judged word by word: `feedback_тест` is fine, `сat` with a Cyrillic letter is not. */
function mixesAlphabets(name: string): boolean {
  if (isPlain(name)) return false;
  const alphabets = alphabetsAlike();
  const words = name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.some((word) => alphabets.filter((alphabet) => alphabet.test(word)).length > 1);
}

/** Names with the same key are one file on some disk, or look like one to a person. */
export function twinKey(name: string): string {
  if (isPlain(name)) return name.toLowerCase();
  return name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC');
}

/** The readable part of a memory's file name: letters of any script and digits, joined by dashes. */
export function slugOfName(name: string, maxBytes: number = SLUG_BYTES): string {
  const words = foldLatin(name.replace(/\p{Default_Ignorable_Code_Point}/gu, ''))
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .split('-')
    .map(splitAlphabets)
    .join('-');
  const slug = trimmed(cutAtCharacter(trimmed(words), maxBytes));
  if (slug === '') return 'memory';
  return isDeviceName(slug) ? `${slug}-memory` : slug;
}

/** `Élan` becomes `elan`, while marks that other scripts cannot do without stay. Twice, as small letters may decompose again. */
function foldLatin(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC');
}

/** A word of two alphabets that look alike is taken apart where they meet, so that the name is allowed as a file's. */
function splitAlphabets(word: string): string {
  if (!mixesAlphabets(word)) return word;
  const alphabets = alphabetsAlike();
  let alphabet = -1;
  let parts = '';
  for (const character of word) {
    const own = alphabets.findIndex((candidate) => candidate.test(character));
    if (own !== -1 && alphabet !== -1 && own !== alphabet) parts += '-';
    if (own !== -1) alphabet = own;
    parts += character;
  }
  return parts;
}

function trimmed(slug: string): string {
  return slug
    .replace(/(^|-)\p{M}+/gu, '$1')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '');
}

function cutAtCharacter(text: string, maxBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}
