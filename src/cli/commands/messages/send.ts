/** `reverie messages send`: sends one message by hand or from a script. */

import { MESSAGE_LIMITS } from '../../../mailbox/layout.ts';
import { openMailbox } from '../../../mailbox/mailbox.ts';
import { defineCommand } from '../../command.ts';
import { settingFacts } from '../../options/place-options.ts';
import { usageError } from '../../options/usage.ts';
import { plainLine } from '../../terminal/plain-text.ts';

/** Of a character in UTF-8, at most. */
const CHARACTER_BYTES = 4;

export const command = defineCommand({
  arguments: [{ name: 'TEXT', required: false, takesRest: true, help: 'The message (default: standard input)' }],
  about:
    'The recipient must be running; otherwise the command fails and lists who is. The name given with --from belongs to this command while it runs, so it cannot be that of a running agent.',
  options: {
    from: { kind: 'text', value: 'NAME', required: true, help: 'Your name' },
    to: { kind: 'text', value: 'NAME', required: true, help: "The recipient's name, or * for everyone" },
    summary: { kind: 'text', value: 'LINE', help: 'One line for people who look on' },
  },
  examples: [
    'reverie messages send --from sam --to reviewer "Please look at the tests"',
    'git diff | reverie messages send --from sam --to reviewer',
  ],
  async run({ arguments: words, options, place, environment, terminal }) {
    const { home } = settingFacts(place, environment);
    const message = words.length > 0 ? words.join(' ') : await pipedText(terminal);
    const mailbox = await openMailbox({ name: options.from, home });
    try {
      const summary = options.summary === undefined ? {} : { summary: options.summary };
      const receipt = await mailbox.send({ to: options.to, message, ...summary });
      const to = receipt.each?.map((each) => each.to).join(', ') ?? receipt.to;
      return { data: receipt, text: `Sent to ${plainLine(to)} (${plainLine(receipt.id)}).` };
    } finally {
      await mailbox.close();
    }
  },
});

async function pipedText(terminal: {
  readonly input: string;
  readInput(options: { mostBytes: number }): Promise<string>;
}): Promise<string> {
  if (terminal.input !== 'piped') throw usageError('There is no text to send.', 'messages send');
  return terminal.readInput({ mostBytes: MESSAGE_LIMITS.characters * CHARACTER_BYTES });
}
