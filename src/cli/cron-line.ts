/** The crontab line that dreams every night: absolute paths, because cron knows neither the shell nor its folder. */

import { join } from 'node:path';
import type { MemoryScope } from '../base/taxonomy.ts';
import { quoted } from '../base/text/shell-words.ts';
import type { Place } from './command.ts';
import { type Environment, fromPlace, placeOptions, settingFacts } from './options/place-options.ts';

export interface CronLine {
  readonly comment: string;
  readonly line: string;
  readonly log: string;
}

const AT = '30 3 * * *';

export function cronText(facts: {
  readonly place: Place;
  readonly environment: Environment;
  readonly program: readonly [node: string, script: string];
  readonly wish: {
    readonly scope: MemoryScope;
    readonly review: boolean;
    readonly dryRun: boolean;
    readonly model: string | undefined;
  };
}): CronLine {
  const { place, environment, wish } = facts;
  const { home } = settingFacts(place, environment);
  const { directory, settingsFile } = placeOptions(place, environment);
  const project = fromPlace(place, '.');
  const log = join(home, 'dream.log');
  const words = [
    ...[...facts.program, 'dream', '--timer', '--home', home],
    ...(wish.scope === 'project' ? [] : ['--scope', wish.scope]),
    ...(wish.review ? ['--review'] : []),
    ...(wish.dryRun ? ['--dry-run'] : []),
    ...(wish.model === undefined ? [] : ['--model', wish.model]),
    ...(directory === undefined ? [] : ['--directory', directory]),
    ...(settingsFile === undefined ? [] : ['--settings', settingsFile]),
  ];
  const command = `umask 077; mkdir -p ${quoted(home)} && cd ${quoted(project)} && ${words.map(quoted).join(' ')} >> ${quoted(log)} 2>&1`;
  // For cron a percent sign ends the command.
  const line = `${AT} ${command.replaceAll('%', '\\%')}`;
  const comment = `# Every night at 03:30: dream over the ${wish.scope} memory, told in ${log}. Install with crontab -e; cron has no variables of your shell, so name the model's key in a line above (ANTHROPIC_API_KEY=…).`;
  return { comment: oneLine(comment), line: oneLine(line), log };
}

/** A line break in a path would start another line of the crontab. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
