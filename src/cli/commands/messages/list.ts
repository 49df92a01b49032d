/** `reverie messages`: which agents have a mailbox here, who of them lives, and what waits. */

import { listMailboxes, type MailboxSummary } from '../../../mailbox/list.ts';
import { defineCommand } from '../../command.ts';
import { settingFacts } from '../../options/place-options.ts';
import { timeAgo } from '../../relative-time.ts';
import { plainLine } from '../../terminal/plain-text.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export const command = defineCommand({
  arguments: [],
  options: {},
  about:
    'A name belongs to a running process. Messages that wait stay when it ends, and are there when the name is taken again.',
  examples: ['reverie messages', 'reverie messages --json'],
  async run({ place, environment, terminal, now }) {
    const mailboxes = listMailboxes(settingFacts(place, environment).home);
    if (mailboxes.length === 0) return { data: [], text: 'No agent has a mailbox here yet.' };
    return { data: mailboxes, text: mailboxes.map((each) => lineOf(each, terminal, now)).join('\n') };
  },
});

function lineOf({ name, pid, waitingFiles, newest, problem }: MailboxSummary, { paint }: Terminal, now: Date): string {
  const who = pid === null ? paint.dim('gone') : paint.green(`process ${pid}`);
  const when = newest === null ? '' : `, the newest ${timeAgo(newest, now)}`;
  const waits = waitingFiles === 0 ? 'nothing waits' : `${waitingFiles} waiting${when}`;
  return `${paint.bold(plainLine(name))}  ${who}  ${problem === null ? waits : paint.yellow(plainLine(problem))}`;
}
