/** `reverie messages read`: reads a mailbox by hand or from a script; what was printed does not come again. */

import type { ReverieError } from '../../../errors.ts';
import type { ReceivedMessage } from '../../../mailbox/inbox.ts';
import { openMailbox } from '../../../mailbox/mailbox.ts';
import { defineCommand } from '../../command.ts';
import { settingFacts } from '../../options/place-options.ts';
import { plainJsonLine, plainLine, plainText } from '../../terminal/plain-text.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export const command = defineCommand({
  arguments: [{ name: 'NAME', required: true, help: 'Whose mailbox' }],
  about:
    'The name belongs to this command while it runs, so others can write to it with --follow. With --json, each message is one line of JSON. A message counts as read when it was printed.',
  options: { follow: { kind: 'flag', short: 'f', help: 'Wait for more until you press Ctrl-C' } },
  examples: ['reverie messages read sam', 'reverie messages read sam --follow --json'],
  async run({ arguments: [name = ''], options, place, environment, terminal, isJson }) {
    const { home } = settingFacts(place, environment);
    const onProblem = ({ message, fix }: ReverieError) =>
      terminal.writeError(`${terminal.paint.yellow('warning:')} ${plainLine(`${message}. ${fix}`)}\n`);
    const mailbox = await openMailbox({ name, home, onProblem });
    let count = 0;
    try {
      const until = options.follow ? {} : { until: 'empty' as const };
      for await (const message of mailbox.receive({ signal: terminal.interrupted, ...until })) {
        terminal.write(isJson ? `${plainJsonLine(message)}\n` : messageText(message, terminal));
        await terminal.flush();
        count += 1;
      }
    } finally {
      await mailbox.close();
    }
    if (count === 0 && !isJson && !options.follow) terminal.write(`No message waits for ${plainLine(name)}.\n`);
    return { data: null, text: '', isPrinted: true };
  },
});

function messageText({ id, from, at, summary, message }: ReceivedMessage, { paint }: Terminal): string {
  const title = [at, id, summary ?? ''].filter((part) => part !== '').map(plainLine);
  return `${paint.bold(plainLine(from))}  ${paint.dim(title.join(' · '))}\n${plainText(message)}\n\n`;
}
