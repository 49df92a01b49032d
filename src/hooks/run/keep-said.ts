/** The explicit extractor over what was said in a conversation so far, loaded only where something may ask to be kept. */

import { HOOK_LIMITS } from '../../limits.ts';
import type { Memory } from '../../memory/memory.ts';
import { mayAskToKeep } from './may-ask.ts';
import type { Conversation, HookPorts } from './run.ts';
import { confirmedBy, typedInTranscript } from './typed.ts';

export interface SaidFacts extends Omit<Conversation, 'ports'> {
  readonly ports: Pick<HookPorts, 'host' | 'environment' | 'userHome' | 'voice' | 'now' | 'isForged'>;
}

/** `isLast`: no later hook will know more. */
export async function keepSaid(facts: SaidFacts, { isLast = false } = {}): Promise<void> {
  const { ports, place, options, session, sessionId, transcriptFile } = facts;
  if (ports.isForged || !place.switches.isOn('layers.extraction')) return;
  const hostFacts = { env: ports.environment, userHome: ports.userHome };
  const typed = typedInTranscript(transcriptFile, ports.voice, hostFacts);
  const oldest = ports.now.getTime() - HOOK_LIMITS.transcriptHours * 3_600_000;
  const { waiting, forkedAt } = session.read();
  const recent = typed.filter(({ at }) => !(Date.parse(at) < oldest) && !(at < forkedAt));
  if (![...recent, ...waiting].some(mayAskToKeep)) return;
  const { extractSaid } = await import('./extract.ts');
  const opened: Memory[] = [];
  try {
    await extractSaid(recent, {
      session,
      origin: { host: ports.host, sessionId },
      isTyped: confirmedBy(transcriptFile, ports.voice, hostFacts),
      typedCharacters: place.limits.gate.typedCharacters,
      isLast,
      memory: async () => {
        const { openMemory } = await import('../../session/open-memory.ts');
        opened[0] ??= await openMemory(options);
        return opened[0];
      },
    });
  } finally {
    await opened[0]?.close();
  }
}
