/** Looks for messages that nobody will read by themselves, and for mailboxes that cannot be opened. */

import { quoted } from '../../base/text/shell-words.ts';
import { type MailLeftover, mailLeftovers } from '../../mailbox/sweep.ts';
import type { Finding } from '../finding.ts';

export function examineMail(home: string, now: Date): Finding[] {
  return mailLeftovers(home, now.getTime()).map(findingOf);
}

function findingOf({ path, name, kind, files, detail }: MailLeftover): Finding {
  const count = `${files} ${files === 1 ? 'file' : 'files'}`;
  switch (kind) {
    case 'unread': {
      const what = `Nobody is called ${name} any more, and messages have waited there unread since ${detail} (${count})`;
      return {
        severity: 'note',
        what,
        where: path,
        fix: `reverie messages read ${quoted(name)}\nrm -r ${quoted(path)}`,
      };
    }
    case 'refused': {
      const what = `Messages to ${name} were refused, because they were torn or forged (${count})`;
      return { severity: 'note', what, where: path, fix: `ls -la ${quoted(path)}\nrm -r ${quoted(path)}` };
    }
    case 'unreadable': {
      const what = `The mailbox of ${name} cannot be opened: ${detail}`;
      return { severity: 'warning', what, where: path, fix: `ls -la ${quoted(path)}` };
    }
  }
}
