/** The options of the terminal agent, and whether a line without a command asks for it: light, because every line is checked. */

import type { OptionSpecs } from '../command.ts';
import { PRINT_OPTIONS } from './print-options.ts';

export const CHAT_OPTIONS = {
  resume: { ...PRINT_OPTIONS.resume, help: 'Resume a session; without an ID, choose one' },
  continue: PRINT_OPTIONS.continue,
  model: PRINT_OPTIONS.model,
  'permission-mode': PRINT_OPTIONS['permission-mode'],
  agents: PRINT_OPTIONS.agents,
  teammate: PRINT_OPTIONS.teammate,
  team: PRINT_OPTIONS.team,
  coordinator: PRINT_OPTIONS.coordinator,
  tools: PRINT_OPTIONS.tools,
  'no-transcript': PRINT_OPTIONS['no-transcript'],
  'screen-reader': {
    kind: 'flag',
    help: 'Output for screen readers: plain lines and a prompt, nothing is drawn (also REVERIE_SCREEN_READER=1)',
  },
} as const satisfies OptionSpecs;

/** The name of its row in the table. */
export const CHAT_NAME = 'chat';

export function isChatOption(argument: string): boolean {
  const [given] = argument.split('=', 1);
  return Object.entries(CHAT_OPTIONS).some(([name, spec]) => {
    return given === `--${name}` || ('short' in spec && given === `-${spec.short}`);
  });
}

/** `--resume` without an ID is a question of its own: it gets an empty one. */
export function withOpenResume(rest: readonly string[]): readonly string[] {
  return rest.map((argument, at) => {
    const isBare = argument === '--resume' || argument === `-${CHAT_OPTIONS.resume.short}`;
    const next = rest[at + 1];
    return isBare && (next === undefined || next.startsWith('-')) ? '--resume=' : argument;
  });
}
