/** Reads all that waits in a mailbox and says how many messages that were, in order. */

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
process.stdout.write(`PEAK ${Math.round(process.resourceUsage().maxRSS / 1_024)}\n`);
process.exit(0);
