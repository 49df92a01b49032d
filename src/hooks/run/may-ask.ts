/** A first look at what was typed, which costs next to nothing: most messages ask for nothing to be kept. */

import { stripInvisible } from '../../base/text/visible-text.ts';
import { readTailLines, TRANSCRIPT_GLANCE_BYTES } from '../../disk/tail.ts';
import { mayAsk } from '../../layers/5-extraction/explicit-hints.ts';
import type { HookEvent, SaidText } from './event.ts';
import type { HookPorts } from './run.ts';

/** Words with which people ask to have something kept; few other messages hold one. */
const ASKS_TO_KEEP = /\b(?:remember|prefer|always|never|from now on|going forward|merke? dir|ab jetzt)\b|记住|以后/i;

/**
 * A host that keeps a transcript has the message there when the turn ends, as a rule: then nobody waits for the cues to be
 * looked for. Where the words ask outright, they are looked for all the same, since it may come late or not at all.
 */
export function isToBeKept(
  { text, transcriptFile }: Extract<HookEvent, { kind: 'prompt' }>,
  ports: Pick<HookPorts, 'voice'>,
): boolean {
  if (transcriptFile === null || ASKS_TO_KEEP.test(text)) return true;
  return ports.voice.userTexts(readTailLines(transcriptFile, TRANSCRIPT_GLANCE_BYTES)).length === 0;
}

/** False only where the extractor would find nothing: of each of its sentences this asks the same, and they are parts of this text. */
export function mayAskToKeep({ text }: Pick<SaidText, 'text'>): boolean {
  const plain = stripInvisible(text)
    .text.normalize('NFC')
    .replace(/\*\*|__/g, '');
  return mayAsk(plain.replace(/\s+/g, ' '));
}
