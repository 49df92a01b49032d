/** What `/compact` says when it is done. */

import type { CompactionReport } from './ports.ts';

export function reportLine(report: CompactionReport): string {
  const { proof, tokensBefore, tokensAfter } = report;
  const source = report.from === 'notes' ? ' from the notes' : '';
  const sizes = `${tokensBefore.toLocaleString('en-US')} to about ${tokensAfter.toLocaleString('en-US')} tokens`;
  const lost = proof.lostItems.map(({ kind, text }) => `${kind} "${text}"`).join(', ');
  const more = proof.lost > proof.lostItems.length ? ', …' : '';
  const named = proof.lost === 0 ? '' : ` Only in the transcript now: ${lost}${more}.`;
  return `Compacted${source}, ${sizes}: ${proof.kept} kept, ${proof.repaired} repaired, ${proof.lost} lost.${named}`;
}
