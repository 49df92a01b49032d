/** How many terminal cells a text takes, and cutting it to fit: Chinese takes two, accents none. */

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const ZERO = /[\p{Mn}\p{Me}\p{Cf}]/u;
const ASCII = /^[ -~]*$/;

export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let cells = 0;
  for (const character of text) cells += characterWidth(character);
  return cells;
}

/** Cuts at `cells` with an ellipsis; a text that fits stays as it is. */
export function cutToWidth(text: string, cells: number): string {
  if (textWidth(text) <= cells) return text;
  return `${headOf([...text], cells - 1).trimEnd()}…`;
}

/** Keeps both ends: of a file name, the type at the start and the extension at the end. */
export function cutInMiddle(text: string, cells: number): string {
  if (textWidth(text) <= cells) return text;
  const characters = [...text];
  const head = headOf(characters, Math.ceil((cells - 1) / 2));
  const tail = headOf(characters.reverse(), Math.floor((cells - 1) / 2));
  return `${head}…${[...tail].reverse().join('')}`;
}

/** As many of the characters as fit into `cells`. */
function headOf(characters: readonly string[], cells: number): string {
  let kept = '';
  let used = 0;
  for (const character of characters) {
    used += characterWidth(character);
    if (used > cells) break;
    kept += character;
  }
  return kept;
}

export function padToWidth(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - textWidth(text)));
}

function characterWidth(character: string): number {
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
