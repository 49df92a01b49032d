/** What a slash command can use. */

import type { SteerableAgent } from '../../../session/steering.ts';
import type { Place } from '../../command.ts';
import type { Environment } from '../../options/place-options.ts';
import type { Paint } from '../../terminal/paint.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Action } from '../action.ts';
import type { SessionChange } from '../chat-session.ts';
import type { SlashCommand } from './commands.ts';

export interface SlashPorts {
  readonly agent: SteerableAgent;
  readonly paint: Paint;
  readonly terminal: Terminal;
  readonly environment: Environment;
  readonly place: Place;
  readonly now: () => Date;
  /** Cells of a line. */
  readonly width: number;
  /** For a screen reader: words, no pictures. */
  readonly isQuiet: boolean;
  /** Skills and commands of the user's own. */
  readonly customCommands: readonly SlashCommand[];
  dispatch(action: Action): void;
  /** A control sequence that draws nothing. */
  sendToTerminal(sequence: string): void;
  /** Hands the terminal to another program, and takes it back. */
  leaveTo<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resumes another session, or starts a new one. */
  openSession(change: SessionChange): Promise<SteerableAgent>;
}
