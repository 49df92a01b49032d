/** `reverie capture on|off|status|clear`: whether what other coding agents do is logged, and how much there is. */

import { statSync } from 'node:fs';
import { clearWorkLog, markWorkLog, workLogFiles, workLogFolder } from '../../disk/work-log/work-log.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { changeSetting } from '../change-setting.ts';
import { type Command, defineCommand } from '../command.ts';
import { nextCommand } from '../next-command.ts';
import { settingFacts } from '../options/place-options.ts';
import { counted } from '../paint-view/amounts.ts';
import { fitLines } from '../terminal/fit-lines.ts';
import { plainLine } from '../terminal/plain-text.ts';

const ABOUT =
  'Logs which files a session in another coding agent read and edited, which commands it ran, and what failed commands said. ' +
  'The next session is told where that work stood, and an error that was met before brings what was done then. ' +
  'It is a log and no memory: nothing is learnt from it, what holds a secret is left out, a session takes 128 KB at most, and all of it goes after 30 days. ' +
  'Edits are seen once you run reverie install again.';

export function captureCommand(wanted: 'on' | 'off' | 'status' | 'clear'): Command {
  return defineCommand({
    arguments: [],
    about: ABOUT,
    options: {},
    examples: [`reverie capture ${wanted}`],
    isForPeople: () => wanted !== 'status',
    async run({ place, environment, terminal }) {
      const facts = settingFacts(place, environment);
      if (wanted === 'on' || wanted === 'off') changeSetting('capture', wanted, facts);
      const removed = wanted === 'clear' ? clearWorkLog(facts.home) : 0;
      const { capture } = resolveSettings(facts).values;
      markWorkLog(facts.home, capture === 'on');
      const files = workLogFiles(facts.home);
      const bytes = files.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
      const next = capture === 'on' ? ['install'] : ['capture', 'on'];
      const text = [
        ...(wanted === 'clear' ? [`Removed the log of ${counted(removed, 'session', 'sessions')}.`] : []),
        capture === 'on'
          ? `Work in coding agents is logged. To have edits seen too: ${nextCommand(place, next)}`
          : `Work in coding agents is not logged. Switch it on: ${nextCommand(place, next)}`,
        `  log: ${counted(files.length, 'session', 'sessions')}, ${Math.ceil(bytes / 1_024)} KB in ${plainLine(workLogFolder(facts.home))}`,
      ].join('\n');
      return { data: { capture, sessions: files.length, bytes, removed }, text: fitLines(text, terminal.width) };
    },
  });
}
