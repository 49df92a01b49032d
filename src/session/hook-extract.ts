/** Keeps what the user asked for in a host's conversation: the explicit extractor over what they typed, each message once. */

import { createHash } from 'node:crypto';
import { ReverieError } from '../errors.ts';
import { extractExplicit, hasCue } from '../layers/5-extraction/explicit.ts';
import { withoutInjected } from '../lib/injected-text.ts';
import type { SaidText } from './hook-event.ts';
import type { HookSession } from './hook-session.ts';
import type { Memory } from './memory.ts';

/** A message that asks for something is kept until the agent has answered; one that holds a secret is not. */
export async function rememberSaid(said: SaidText, session: HookSession): Promise<void> {
  if (hasCue(said.text) === null) return;
  const { findSecrets } = await import('../lib/secrets.ts');
  if ((await findSecrets(said.text)).length === 0) session.keepSaid(said);
}

export interface ExtractPorts {
  readonly session: HookSession;
  readonly origin: { readonly host: string; readonly sessionId: string };
  memory(): Promise<Memory>;
}

/** The messages of the transcript beside those the hooks have seen: a hook may have been cut off or come late. */
export async function extractSaid(fromTranscript: readonly SaidText[], ports: ExtractPorts): Promise<void> {
  const { waiting, handled } = ports.session.read();
  const open = [...waiting, ...fromTranscript].filter((said) => !handled.has(hashOf(said)));
  const asking = open.filter(({ text }) => hasCue(text) !== null);
  for (const said of asking) {
    if (!ports.session.claimSaid(hashOf(said))) continue;
    try {
      await saveFrom(said, ports);
    } catch (error) {
      // A secret is refused today and tomorrow; anything else may pass.
      if (!(error instanceof ReverieError && error.code === 'secret')) ports.session.releaseSaid(hashOf(said));
      throw error;
    }
  }
}

async function saveFrom(said: SaidText, ports: ExtractPorts): Promise<void> {
  const now = Number.isNaN(Date.parse(said.at)) ? new Date() : new Date(said.at);
  const found = extractExplicit(said.text, { now });
  if (found.length === 0) return;
  const memory = await ports.memory();
  if (!memory.enabled || (await agentWroteSince(memory, now))) return;
  const known = new Set((await memory.list()).map(({ description }) => plain(description)));
  for (const { type, name, description, body, scope, cue } of found) {
    if (known.has(plain(description))) continue;
    known.add(plain(description));
    const origin = { session: ports.origin.sessionId.slice(0, 200), host: ports.origin.host };
    await memory.save(
      { type, name, description, body, scope, source: 'said', origin },
      { who: 'extraction', reason: `the user said so: ${cue}` },
    );
  }
}

/** The agent was asked to remember and did: a second copy would say the same in other words. */
async function agentWroteSince(memory: Memory, since: Date): Promise<boolean> {
  const recent = await memory.log({ limit: 20 });
  return recent.some(({ who, kind, at }) => who === 'agent' && kind !== 'undo' && Date.parse(at) >= since.getTime());
}

/** Hosts wrap a message in tags of their own, and one may come with and without them. */
function hashOf(said: SaidText): string {
  return createHash('sha256')
    .update(plain(withoutInjected(said.text)))
    .digest('hex')
    .slice(0, 32);
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[.…!\s]+$/, '')
    .trim();
}
