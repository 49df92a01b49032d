// A screen of a terminal as an SVG: text with SGR sequences in, one <text> a line out, wide characters in their two cells.

const CELL = { width: 8.4, height: 18 };
const PADDING = 14;
const COLOURS = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#76e3ea',
  37: '#e6edf3',
  90: '#8b949e',
};
const PLAIN = '#e6edf3';
const BACKGROUND = '#0d1117';

export function screenToSvg(screen, { columns, title }) {
  const lines = screen.replace(/\n+$/, '').split('\n');
  while (lines.length > 0 && withoutSequences(lines.at(-1)).trim() === '') lines.pop();
  const width = Math.ceil(columns * CELL.width + 2 * PADDING);
  const height = lines.length * CELL.height + 2 * PADDING;
  const texts = lines.map((line, row) => lineToSvg(line, PADDING + (row + 0.75) * CELL.height)).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" xml:space="preserve" fill="${PLAIN}">
${texts}
</g>
</svg>
`;
}

function lineToSvg(line, y) {
  let column = 0;
  let style = {};
  const shapes = [];
  for (const part of line.split(/(\u001b\[[0-9;]*m)/)) {
    if (part.startsWith('\u001b[')) {
      style = styled(style, part.slice(2, -1).split(';').map(Number));
      continue;
    }
    // Pieces without blanks at their ends: a blank has no look but a background.
    for (const { 0: piece } of part.matchAll(/ +|[^ ]+(?: [^ ]+)*/g)) {
      const cells = cellsOf(piece);
      const x = round(PADDING + column * CELL.width);
      const length = round(cells * CELL.width);
      if (style.inverse)
        shapes.push(
          `<rect x="${x}" y="${round(y - 0.75 * CELL.height)}" width="${length}" height="${CELL.height}" fill="${style.colour ?? PLAIN}"/>`,
        );
      if (piece.trim() !== '')
        shapes.push(
          `<text x="${x}" y="${round(y)}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${looks(style)}>${escaped(piece)}</text>`,
        );
      column += cells;
    }
  }
  return shapes.join('');
}

function styled(style, codes) {
  let next = { ...style };
  for (const code of codes.length === 0 ? [0] : codes) {
    if (code === 0) next = {};
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 7) next.inverse = true;
    else if (code === 9) next.struck = true;
    else if (code === 22) next = { ...next, bold: false, dim: false };
    else if (code === 23) next.italic = false;
    else if (code === 27) next.inverse = false;
    else if (code === 29) next.struck = false;
    else if (code === 39) next.colour = undefined;
    else if (COLOURS[code]) next.colour = COLOURS[code];
  }
  return next;
}

function looks({ colour, bold, dim, italic, inverse, struck }) {
  const fill = inverse ? BACKGROUND : colour;
  return [
    fill ? ` fill="${fill}"` : '',
    bold ? ' font-weight="700"' : '',
    dim ? ' opacity="0.62"' : '',
    italic ? ' font-style="italic"' : '',
    struck ? ' text-decoration="line-through"' : '',
  ].join('');
}

function cellsOf(text) {
  let cells = 0;
  for (const character of text) {
    if (/\p{Mn}/u.test(character)) continue;
    cells += /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u.test(
      character,
    )
      ? 2
      : 1;
  }
  return cells;
}

function withoutSequences(text) {
  return text.replace(/\u001b\[[0-9;]*m/g, '');
}

function round(value) {
  return Math.round(value * 100) / 100;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
