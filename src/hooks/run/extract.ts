/** Keeps what the user asked for in a host's conversation: the explicit extractor over what they typed, each message once. */

import { typedLength } from '../../conversation/typed-text.ts';
import { ReverieError } from '../../errors.ts';
import { extractExplicit, hasCue } from '../../layers/5-extraction/explicit.ts';
import { TwinError } from '../../memory/files/save.ts';
import type { Memory } from '../../memory/memory.ts';
import type { SaidText } from './event.ts';
import type { HookSession } from './session.ts';
import { saidHash as hashOf, plainSaid as plain } from './typed.ts';

/** A message that asks for something is kept until the agent has answered; one that holds a secret is not. */
export async function rememberSaid(
  said: SaidText,
  { session, transcriptFile }: { readonly session: HookSession; readonly transcriptFile: string | null },
): Promise<void> {
  if (hasCue(said.text) === null) return;
  const { findSecrets } = await import('../../base/secrets/secrets.ts');
  if ((await findSecrets(said.text)).length === 0) session.keepSaid(said, transcriptFile);
}

export interface ExtractPorts {
  readonly session: HookSession;
  readonly origin: { readonly host: string; readonly sessionId: string };
  /** Whether the user typed what a hook reported. */
  isTyped(said: SaidText): boolean;
  /** Of a first paragraph, at most. */
  readonly typedCharacters: number;
  /** No later hook will know more: what nobody confirmed is kept as that. */
  readonly isLast: boolean;
  memory(): Promise<Memory>;
}

/** The messages of the transcript beside those the hooks have seen: a hook may have been cut off or come late. */
export async function extractSaid(fromTranscript: readonly SaidText[], ports: ExtractPorts): Promise<void> {
  const { waiting, handled } = ports.session.read();
  const open = [...waiting, ...fromTranscript].filter((said) => !handled.has(hashOf(said)));
  const asking = open.filter(({ text }) => hasCue(text) !== null);
  for (const said of asking) {
    const isTyped = fromTranscript.includes(said) || ports.isTyped(said);
    // The transcript may have it late.
    if (!isTyped && !ports.isLast) continue;
    if (!ports.session.claimSaid(hashOf(said))) continue;
    try {
      await saveFrom(said, { ...ports, source: isTyped ? 'said' : 'inferred' });
      ports.session.finishSaid(hashOf(said));
    } catch (error) {
      // A secret is refused today and tomorrow; anything else may pass.
      const isFinal = error instanceof ReverieError && error.code === 'secret';
      if (isFinal) ports.session.finishSaid(hashOf(said));
      else ports.session.releaseSaid(hashOf(said));
      throw error;
    }
  }
}

async function saveFrom(said: SaidText, ports: ExtractPorts & { readonly source: 'said' | 'inferred' }): Promise<void> {
  const now = Number.isNaN(Date.parse(said.at)) ? new Date() : new Date(said.at);
  const typed = said.text.slice(0, typedLength(said.text, ports.typedCharacters));
  const found = extractExplicit(typed, { now });
  if (found.length === 0) return;
  const memory = await ports.memory();
  if (!memory.enabled) return;
  const entries = await memory.list();
  const known = new Set(entries.map(({ description }) => plain(description)));
  for (const { type, name, description, body, scope, cue, quote } of found) {
    if (known.has(plain(description)) || isQuoted(quote, entries)) continue;
    known.add(plain(description));
    const origin = { session: ports.origin.sessionId.slice(0, 200), host: ports.origin.host };
    const { source } = ports;
    const standing = source === 'said' ? { source, quote: [{ text: quote, at: said.at }] } : { source };
    const reason =
      source === 'said' ? `the user said so: ${cue}` : 'a hook reported it, and the host’s transcript does not have it';
    const wanted = { type, name, description, body, scope, ...standing, origin };
    const saved = await memory.save(wanted, { who: 'extraction', reason, refuseTwin: true }).catch(unlessTwin);
    // It was said here: until a compaction the conversation holds it in the user's own words.
    if (saved !== null) ports.session.claimSurfaced([{ key: `${saved.scope}:${saved.file}`, bytes: 0 }]);
  }
}

/** Another coding agent heard the same sentence, and its hook was first. */
function unlessTwin(error: unknown): null {
  if (!(error instanceof TwinError)) throw error;
  return null;
}

/** The agent kept it in words of its own, resting on these. */
function isQuoted(quote: string, entries: Awaited<ReturnType<Memory['list']>>): boolean {
  return entries.some((entry) => entry.quote.some(({ text }) => plain(text).includes(plain(quote))));
}
