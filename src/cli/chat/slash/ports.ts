/** What a slash command has at hand. */

import type { SteerableAgent } from '../../../session/steering.ts';
import type { Place } from '../../command.ts';
import type { Environment } from '../../options/place-options.ts';
import type { Paint } from '../../terminal/paint.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Action } from '../action.ts';
import type { SessionChange } from '../chat-session.ts';

export interface SlashPorts {
  readonly agent: SteerableAgent;
  readonly paint: Paint;
  readonly terminal: Terminal;
  readonly environment: Environment;
  readonly place: Place;
  readonly now: () => Date;
  /** Cells of a line. */
  readonly width: number;
  /** Somebody listens to the screen: words, no pictures. */
  readonly isQuiet: boolean;
  dispatch(action: Action): void;
  /** Gives the terminal to another program, and takes it back. */
  leaveTo<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Takes up another session, or a new one. */
  openSession(change: SessionChange): Promise<SteerableAgent>;
}
