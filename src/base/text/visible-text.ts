/** Text as people see it: invisible characters are removed, and markup that could close one of our wrappers is escaped. */

/** Scripts in which a joiner or non-joiner between letters changes how a word is written. */
const JOINING = [
  'Arab Syrc Mand Mong Nkoo Phag Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym',
  'Sinh Khmr Mymr Tibt Java Bali Sund Tglg Cham Lana Newa Mtei',
]
  .join(' ')
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('');

/** Format characters, controls (except line breaks and tabs), fillers, selectors and tags: drawn as nothing. */
const UNSEEN_BASIC =
  '\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f' +
  '\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb';
const UNSEEN = `${UNSEEN_BASIC}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}`;

const REGION_TAG = '[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]';

/** What must stay although it has no width: each alternative starts with the visible character that needs it. */
const NEEDED = [
  // The flags of regions (England, Texas): a black flag, the region's code, and an end mark.
  `\\u{1f3f4}[\\u{e0061}-\\u{e007a}]{2}${REGION_TAG}{1,3}\\u{e007f}`,
  // Emoji and text forms, and emoji made of several: family, professions, rainbow flag.
  '\\p{Emoji}[\\ufe0e\\ufe0f]\\u20e3?(?:\\u200d(?=\\p{Extended_Pictographic}))?',
  '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\u200d(?=\\p{Extended_Pictographic})',
  // Non-joiner inside a word; a joiner may also end one.
  `[${JOINING}]\\u200c(?=[${JOINING}])`,
  `[${JOINING}]\\u200d(?![\\u200b-\\u200f])`,
  // Variants of Han characters, mathematical signs and Mongolian letters.
  '\\p{sc=Han}[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '\\p{Sm}\\ufe00',
  '\\p{sc=Mong}[\\u180b-\\u180d\\u180f]',
  // Old Korean syllables that lack a part.
  '[\\u1100-\\u115e]\\u1160|\\u115f(?=[\\u1161-\\u11a7])',
].join('|');

/** The same by UTF-16 unit, slightly too broad: this alone quickly clears most text. */
const MAYBE_UNSEEN = new RegExp(`[${UNSEEN_BASIC}\\ud82f\\ud834\\udb40-\\udb43]`);
/** Created for the first such text: its classes take milliseconds, and most processes never need it. */
let unseenOrNeeded: RegExp | undefined;

/** Removes invisible characters, and keeps joiners and tags where a script or an emoji needs them. */
export function stripInvisible(text: string): { text: string; changed: boolean } {
  if (!MAYBE_UNSEEN.test(text)) return { text, changed: false };
  unseenOrNeeded ??= new RegExp(`(${NEEDED})|[${UNSEEN}]`, 'gu');
  const stripped = text.replace(unseenOrNeeded, (_match, needed: string | undefined) => needed ?? '');
  return { text: stripped, changed: stripped !== text };
}

/** Names that prompts use as wrappers; with a hyphen, underscore or colon inside, any name may be one. */
const WRAPPER_NAMES =
  '[a-z][a-z0-9]*[-_:][-\\w:.]*|system|human|user|assistant|developer|admin|memory|memories|context|instructions?|' +
  'reminder|prompt|tools?|functions?|results?|invoke|parameter|thinking|answer|document|documents|message|messages';

const WRAPPER = new RegExp(
  `[<\\uff1c\\ufe64](?=\\s*system[-_]|(?:\\s*[/\\uff0f\\\\]\\s*)?(?:(?:${WRAPPER_NAMES})(?![a-z0-9])|\\|))`,
  'giu',
);

/** Escapes what could open or close a wrapper such as `<system-reminder>`; other angle brackets stay as they are. */
export function escapeMarkup(text: string): string {
  return /[<\uff1c\ufe64]/.test(text) ? text.replace(WRAPPER, '&lt;') : text;
}
