/** What other agents sent to this one joins at its next tool result or prompt, once, framed as what they said. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ReceivedMessage } from '../../mailbox/inbox.ts';
import type { HookEvent } from './event.ts';
import type { HookPorts, HookRun } from './run.ts';

/** Characters of one message that a hook shows; the rest is in a file, since hosts show little of an answer. */
const SHOWN_CHARACTERS = 2_000;
const SEPARATOR = '\n\n';

export async function withMessages(run: HookRun, event: HookEvent, ports: HookPorts): Promise<HookRun> {
  const isMoment = event.kind === 'tool-result' || event.kind === 'prompt';
  if (!isMoment || !ports.takesContext || ports.isForged || !existsSync(join(ports.home, 'mail'))) return run;
  const waiting = await takeWaiting(
    ports.home,
    ports.contextBytes - Buffer.byteLength(run.context ?? '') - SEPARATOR.length,
  );
  if (waiting === null) return run;
  const context = run.context === null ? waiting.text : run.context + SEPARATOR + waiting.text;
  // Acknowledged when the answer is out: a hook that is killed before shows them again.
  return { ...run, context, reach: 'answer', finish: () => run.finish().finally(waiting.acknowledge) };
}

interface Waiting {
  readonly text: string;
  acknowledge(): Promise<void>;
}

async function takeWaiting(home: string, bytes: number): Promise<Waiting | null> {
  const [{ nameBeside }, { mailHome, openMailRoot }, { tryReader }, { framedMessages, longMessageStore }] =
    await Promise.all([
      import('../../mailbox/beside.ts'),
      import('../../mailbox/layout.ts'),
      import('../../mailbox/reader.ts'),
      import('../../mailbox/frame.ts'),
    ]);
  const root = openMailRoot(mailHome(home));
  const name = nameBeside(root);
  const signal = new AbortController().signal;
  const reader = name === null ? null : await tryReader({ root, name, onProblem: () => undefined, signal });
  const close = async () => {
    await reader?.close();
    root.close();
  };
  if (reader === null || name === null) return close().then(() => null);
  const storeLong = longMessageStore({ home, name });
  const options = { storeLong, shownCharacters: SHOWN_CHARACTERS, sendTool: 'message_send' };
  const taken: ReceivedMessage[] = [];
  let text = '';
  for (let message = await reader.next(); message !== null; message = await reader.next()) {
    const longer = framedMessages([...taken, message], options);
    if (Buffer.byteLength(longer) > bytes) break;
    taken.push(message);
    text = longer;
  }
  if (taken.length === 0) return close().then(() => null);
  return {
    text,
    async acknowledge() {
      for (const message of taken) reader.acknowledge(message);
      await close();
    },
  };
}
