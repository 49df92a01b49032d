/** `reverie last`: what was done last in this project, whichever agent it was done with. */

import { type LastSession, lastSessions } from '../../hooks/last/last-sessions.ts';
import { findPlace } from '../../settings/place.ts';
import { defineCommand } from '../command.ts';
import { nextCommand } from '../next-command.ts';
import { placeOptions } from '../options/place-options.ts';
import { usageError } from '../options/usage.ts';
import { timeAgo } from '../relative-time.ts';
import { plainLine } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

const USUAL = 5;
const MOST = 50;

export const command = defineCommand({
  arguments: [{ name: 'N', help: `How many sessions (${USUAL})`, required: false }],
  about:
    'Own sessions are told by their notes or their prompts, those of connected coding agents by what you asked there last. ' +
    'A session in a coding agent starts with the last three in short, unless the setting lastSessions is false.',
  options: {},
  examples: ['reverie last', 'reverie last 10', 'reverie last --json'],
  async run({ arguments: [count], place, environment, terminal, now }) {
    const most = count === undefined ? USUAL : Number(count);
    if (!Number.isInteger(most) || most < 1 || most > MOST)
      throw usageError(`N is a whole number from 1 to ${MOST}.`, 'last');
    const found = findPlace(placeOptions(place, environment));
    const sessions = await lastSessions(found, { env: environment, userHome: found.userHome, most });
    if (sessions.length === 0) return { data: [], text: 'Nothing is known of earlier sessions in this project.' };
    const resumable = sessions.find(({ id }) => id !== null)?.id ?? null;
    const next = resumable === null ? [] : ['', `To go on with one: ${nextCommand(place, ['--resume', resumable])}`];
    return { data: sessions, text: [...sessions.map((each) => sessionText(each, terminal, now)), ...next].join('\n') };
  },
});

function sessionText(session: LastSession, { paint, isTerminal }: Terminal, now: Date): string {
  const { at, in: where, id, title, state, lastRequest, work } = session;
  const when = isTerminal ? timeAgo(at, now) : plainLine(at);
  const lines = [
    `${paint.bold(plainLine(title ?? lastRequest ?? '(no prompt)'))}  ${paint.dim([when, where, id ?? ''].filter(Boolean).join(' · '))}`,
    ...(state === null ? [] : [`  state: ${plainLine(state)}`]),
    ...(lastRequest === null || title === null || title.endsWith(lastRequest)
      ? []
      : [`  asked last: ${plainLine(lastRequest)}`]),
    ...(work === null ? [] : [`  work: ${plainLine(work)}`]),
  ];
  return lines.join('\n');
}
