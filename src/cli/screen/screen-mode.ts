/** How a terminal can be used: drawn on, or written to line by line, as a screen reader needs it. */

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ScreenFacts {
  readonly environment: Environment;
  readonly isInputTerminal: boolean;
  readonly isOutputTerminal: boolean;
  readonly isDumb?: boolean | undefined;
  readonly isScreenReader?: boolean | undefined;
}

export interface ScreenMode {
  readonly mode: 'drawn' | 'lines';
  readonly reason: string;
}

export function decideScreenMode(facts: ScreenFacts): ScreenMode {
  const { TERM, REVERIE_SCREEN_READER } = facts.environment;
  if (facts.isDumb) return { mode: 'lines', reason: 'asked for' };
  if (!facts.isInputTerminal) return { mode: 'lines', reason: 'input is not a terminal' };
  if (!facts.isOutputTerminal) return { mode: 'lines', reason: 'output is not a terminal' };
  if (TERM === 'dumb') return { mode: 'lines', reason: 'TERM' };
  if (facts.isScreenReader) return { mode: 'lines', reason: '--screen-reader' };
  if (REVERIE_SCREEN_READER && REVERIE_SCREEN_READER !== '0') return { mode: 'lines', reason: 'REVERIE_SCREEN_READER' };
  return { mode: 'drawn', reason: 'terminal' };
}

/** Whether lines that no longer fit are wrapped when the window becomes narrower; otherwise they are cut off. */
export function decideReflow(environment: Environment): { reflows: boolean; reason: string } {
  const { TERM = '', TMUX, XTERM_VERSION } = environment;
  if (TMUX) return { reflows: true, reason: 'tmux' };
  if (TERM === 'linux' || TERM.startsWith('screen')) return { reflows: false, reason: TERM };
  if (XTERM_VERSION) return { reflows: false, reason: 'xterm' };
  return { reflows: true, reason: 'most do' };
}

/** Whether frames may be announced, so that the terminal shows each as a whole. */
export function decideSynchronized(environment: Environment): { synchronized: boolean; reason: string } {
  if (environment.TERM === 'linux') return { synchronized: false, reason: 'the console does not know it' };
  return { synchronized: true, reason: 'unknown modes are ignored' };
}
