/**
 * Whether a person typed what a hook reported. A payload is easily forged, so that a host's own transcript has to hold the words too,
 * where it keeps one that can be read. It is looked at when the words are to count, not while the host waits for its prompt.
 */

import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { withoutInjected } from '../../base/text/injected-text.ts';
import { sha256 } from '../../base/text/sha256.ts';
import { readTailLines } from '../../disk/tail.ts';
import type { Host, HostFacts } from '../hosts/host.ts';
import type { SaidText } from './event.ts';

/** Bytes at the end of a host's transcript in which the user's words are looked for. */
const TRANSCRIPT_BYTES = 4_194_304;

export type HostVoice = Pick<
  Host,
  | 'userTexts'
  | 'commandTexts'
  | 'transcripts'
  | 'compactedAt'
  | 'exportsSessions'
  | 'subagentTask'
  | 'startsWithMessage'
  | 'tellsOnlyBeforeCompaction'
  | 'tellsTooOften'
>;

/** What the user typed by the host's own transcript; nothing of a file that is not among the host's. */
export function typedInTranscript(file: string | null, host: HostVoice, facts: HostFacts): readonly SaidText[] {
  if (file === null || !isHostsOwn(file, host, facts)) return [];
  return host.userTexts(readTailLines(file, TRANSCRIPT_BYTES));
}

/** Whether a file lies where the host keeps its transcripts. */
export function isHostsOwn(file: string, host: Pick<Host, 'transcripts'>, facts: HostFacts): boolean {
  const folder = host.transcripts(facts);
  if (folder === null) return false;
  try {
    return isWithin(realpathSync(file), realpathSync(folder));
  } catch {
    return false;
  }
}

/** A path that the payload names, if it leads to where the host keeps its transcripts; the file may not be there yet. */
export function ownTranscript(file: string | null, host: Pick<Host, 'transcripts'>, facts: HostFacts): string | null {
  const folder = file === null ? null : host.transcripts(facts);
  if (file === null || folder === null) return null;
  return isWithin(resolve(file), folder) || isHostsOwn(file, host, facts) ? file : null;
}

/** Whether the transcript holds the words that a hook reported; a host without one is believed. It is read when somebody asks. */
export function confirmedBy(file: string | null, host: HostVoice, facts: HostFacts): (said: SaidText) => boolean {
  if (host.transcripts(facts) === null) return () => true;
  let known: ReadonlySet<string> | null = null;
  return (said) => {
    known ??= new Set(
      typedInTranscript(file, { ...host, userTexts: (lines) => confirming(lines, host) }, facts).map(saidHash),
    );
    return known.has(saidHash(said));
  };
}

function confirming(lines: readonly string[], host: HostVoice): readonly SaidText[] {
  return [...host.userTexts(lines), ...(host.commandTexts?.(lines) ?? [])];
}

/** Hosts wrap a message in tags of their own, and one may come with and without them. */
export function saidHash({ text }: Pick<SaidText, 'text'>): string {
  return sha256(plainSaid(withoutInjected(text))).slice(0, 32);
}

export function plainSaid(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[.…!\s]+$/, '')
    .trim();
}
