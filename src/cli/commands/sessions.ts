/** `reverie sessions`: the conversations of this project that can be continued, newest first. */

import { listSessions, type SessionSummary } from '../../disk/sessions/sessions.ts';
import { TERMINAL_LIMITS } from '../../limits.ts';
import { findPlace } from '../../settings/place.ts';
import { defineCommand } from '../command.ts';
import { nextCommand } from '../next-command.ts';
import { placeOptions } from '../options/place-options.ts';
import { timeAgo } from '../relative-time.ts';
import { type Column, fitColumns } from '../terminal/columns.ts';
import { plainLine } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

export const command = defineCommand({
  arguments: [],
  about: 'Transcripts are kept for a while (limits.transcripts in settings); memory stays.',
  options: {
    limit: {
      kind: 'number',
      value: 'N',
      help: `At most this many, newest first (${TERMINAL_LIMITS.sessions})`,
    },
  },
  examples: ['reverie sessions', 'reverie sessions --limit 3 --json'],
  async run({ options, place, environment, terminal, now }) {
    const { home, slug, limits } = findPlace(placeOptions(place, environment));
    const most = options.limit ?? TERMINAL_LIMITS.sessions;
    const sessions = await listSessions({ home, slug, limits: limits.transcripts, most });
    const [newest] = sessions;
    if (newest === undefined) {
      return { data: [], text: `This project has no sessions yet. ${nextCommand(place, ['-p', '…'])} begins one.` };
    }
    const resume = nextCommand(place, ['-p', '--resume', newest.id, '…']);
    return { data: sessions, text: `${listText(sessions, terminal, now)}\n\nTo go on with one: ${resume}` };
  },
});

const COLUMNS: readonly Column[] = [{ fit: 'whole' }, { fit: 'whole', drop: 1 }, { fit: 'rest', below: true }];

function listText(sessions: readonly SessionSummary[], terminal: Terminal, now: Date): string {
  const { paint, isTerminal, width } = terminal;
  const rows = sessions.map(({ id, modified, title }) => [
    { text: plainLine(id), paint: paint.yellow },
    { text: isTerminal ? timeAgo(modified, now) : plainLine(modified), paint: paint.dim },
    { text: plainLine(title) || '(no prompt)' },
  ]);
  return fitColumns(rows, { columns: COLUMNS, width }).join('\n');
}
