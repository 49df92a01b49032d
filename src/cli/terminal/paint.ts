/** Whether to colour, and with what: colours are loaded only if they will be seen. */

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  italic(text: string): string;
  strikethrough(text: string): string;
  inverse(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
  magenta(text: string): string;
}

export interface ColourFacts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  readonly refused: boolean;
}

export function decideColour(facts: ColourFacts): { colour: boolean; reason: string } {
  const { NO_COLOR, FORCE_COLOR, TERM } = facts.environment;
  if (facts.refused) return { colour: false, reason: '--no-color' };
  if (NO_COLOR) return { colour: false, reason: 'NO_COLOR' };
  if (FORCE_COLOR === '0' || FORCE_COLOR === 'false') return { colour: false, reason: 'FORCE_COLOR' };
  if (FORCE_COLOR !== undefined) return { colour: true, reason: 'FORCE_COLOR' };
  if (!facts.isTerminal) return { colour: false, reason: 'not a terminal' };
  if (TERM === 'dumb') return { colour: false, reason: 'TERM' };
  return { colour: true, reason: 'terminal' };
}

export const NO_PAINT: Paint = {
  ...{ bold: same, dim: same, italic: same, strikethrough: same, inverse: same },
  ...{ red: same, green: same, yellow: same, cyan: same, magenta: same },
};

export async function createPaint(colour: boolean): Promise<Paint> {
  if (!colour) return NO_PAINT;
  const { default: picocolors } = await import('picocolors');
  return picocolors.createColors(true);
}

function same(text: string): string {
  return text;
}
