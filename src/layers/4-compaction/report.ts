/** What `/compact` says when it is done: what is still there word for word, and what only the transcript has. */

import type { CompactionReport } from './ports.ts';
import type { ProvenKind } from './prove.ts';

/** Things named one by one, and characters of each. */
const NAMED = 3;
const NAMED_CHARACTERS = 60;

export function reportLine(report: CompactionReport): string {
  const { tokensBefore, tokensAfter, from } = report;
  const by = from === 'notes' ? ' from the notes' : '';
  const sizes = `${tokensBefore.toLocaleString('en-US')} tokens became about ${tokensAfter.toLocaleString('en-US')}`;
  return [`Compacted${by}: ${sizes}.`, thereText(report), restoredText(report), goneText(report)]
    .filter((part) => part !== '')
    .join(' ');
}

function thereText({ proof }: CompactionReport): string {
  const counts = countsText(proof.there);
  return counts === '' ? '' : `Still there, word for word: ${counts}.`;
}

function restoredText({ restored }: CompactionReport): string {
  const names = [...new Set(restored.filter((name) => name !== 'notice' && name !== 'hook'))];
  return names.length === 0 ? '' : `Brought back: ${listed(names)}.`;
}

function goneText({ proof, hasTranscript }: CompactionReport): string {
  const counts = countsText(proof.gone, true);
  if (counts === '') return '';
  const named = proof.lostItems.map(({ text }) =>
    JSON.stringify(text.length > NAMED_CHARACTERS ? `${text.slice(0, NAMED_CHARACTERS)}…` : text),
  );
  const what = `${counts} (${listed(named)})`;
  return hasTranscript
    ? `Only in the transcript now: ${what}. /expand shows what was summarised.`
    : `Gone, since no transcript is kept: ${what}.`;
}

/** For one and for many; of the request, there is one: what is there of it, and what is not. */
const KINDS: Readonly<Record<ProvenKind, readonly [one: string, many: string]>> = {
  request: ['your last request', 'the whole of your last request'],
  rule: ['rule', 'rules'],
  message: ['message of yours', 'messages of yours'],
  todo: ['open step', 'open steps'],
  file: ['written file', 'written files'],
  name: ['name or value', 'names and values'],
};

function countsText(counts: Readonly<Record<ProvenKind, number>>, isGone = false): string {
  const parts = (Object.keys(KINDS) as ProvenKind[]).flatMap((kind) => {
    const count = counts[kind];
    if (count === 0) return [];
    const [one, many] = KINDS[kind];
    if (kind === 'request') return [isGone ? many : one];
    return [`${count.toLocaleString('en-US')} ${count === 1 ? one : many}`];
  });
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
