/** Reads all that waits in a mailbox and says how many messages that were, in order. */

import { readFileSync } from 'node:fs';

const { dist, home, name } = JSON.parse(process.argv[2]);
const { openMailbox } = await import(new URL('mailbox/mailbox.js', dist).href);
const mailbox = await openMailbox({ name, home });
let count = 0;
for await (const { message } of mailbox.receive({ until: 'empty' })) {
  if (!message.startsWith(`${count} `)) process.stdout.write(`OUT-OF-ORDER ${count}\n`);
  count += 1;
}
await mailbox.close();
process.stdout.write(`COUNT ${count}\n`);
process.stdout.write(`PEAK ${Math.round(peakKilobytes() / 1_024)}\n`);
process.exit(0);

/** On Linux what `resourceUsage` says includes the process that started this one, as it was then. */
function peakKilobytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
}
