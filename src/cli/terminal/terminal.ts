/** The terminal as commands see it: where text goes and comes from. Tests provide their own. */

import type { Paint } from './paint.ts';

export interface InputOptions {
  /** More than this is refused rather than read. */
  readonly mostBytes?: number;
  /** Nothing needs to come: a program that merely left its end open is not waited for. */
  readonly isOptional?: boolean;
}

export interface Terminal {
  readonly paint: Paint;
  /** True when a person reads standard output. */
  readonly isTerminal: boolean;
  /** True when a person sees standard error, and with it what is running. */
  readonly isWatched: boolean;
  /** True when a person can also be asked. */
  readonly canAsk: boolean;
  /** Cells of a line; undefined when nothing needs to be cut. */
  readonly width: number | undefined;
  /** Standard input: a person's keyboard, something piped in, or nothing. */
  readonly input: 'keyboard' | 'piped' | 'none';
  /** Aborted when the user interrupts the command. */
  readonly interrupted: AbortSignal;

  write(text: string): void;
  /** Byte for byte; only for output requested as is, and never to a terminal. */
  writeExact(text: string): void;
  writeError(text: string): void;
  /** One line on standard error that the next one replaces; null clears it. Silent unless a person is watching. */
  status(line: string | null): void;
  /** Resolves when everything written has left this process. */
  flush(): Promise<void>;
  readInput(options?: InputOptions): Promise<string>;
  ask(question: string): Promise<string>;
  /** What is typed is not shown. */
  askSecret(question: string): Promise<string>;
  /** Runs another program on the same terminal, and returns how it ended. */
  runProgram(
    program: string,
    parameters: readonly string[],
  ): Promise<{ exitCode: number | null; signal: string | null }>;
  /** Whoever listens has the first say about Ctrl-C: true means that it is dealt with. The answer ends that. */
  hearInterrupts?(listen: () => boolean): () => void;
  /** Called at the end of the command, also when it is interrupted. */
  atEnd(cleanup: () => void): void;
  /** How long this command may take to end by itself once interrupted, if it needs longer than others. */
  allowAfterInterruption(milliseconds: number): void;
  /**
   * Throws once the user has interrupted the command; for between the steps of a long one. An interrupted command is
   * silent except for `outcome`: what happened to the work, or to the user's text.
   */
  throwIfInterrupted(outcome?: string): void;
}
