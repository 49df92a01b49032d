/** Two texts as one, with what goes and what comes marked; long stretches that stay are folded. */

import { diffLines } from 'diff';
import { useMemo } from 'preact/hooks';
import { count, visible } from '../words.ts';

const AROUND = 3;
/** Lines beyond which a comparison would take too long to wait for. */
const MOST_LINES = 20_000;

interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new' | 'fold';
  readonly text: string;
}

export function Diff({ before, after, label }: { before: string | null; after: string | null; label: string }) {
  const lines = useMemo(() => diffOf(before ?? '', after ?? ''), [before, after]);
  if (lines === null) return <p class="dim">The text is too long to compare here.</p>;
  if (lines.every(({ kind }) => kind === 'same' || kind === 'fold')) return <p class="dim">Nothing differs.</p>;
  return (
    <pre class="diff" tabIndex={0} role="group" aria-label={label}>
      {lines.map(({ kind, text }, at) => {
        if (kind === 'fold') return <span key={at} class="fold">{`${text}\n`}</span>;
        const mark = kind === 'gone' ? '−' : kind === 'new' ? '+' : ' ';
        const content = `${mark} ${visible(text)}\n`;
        if (kind === 'gone') return <del key={at}>{content}</del>;
        if (kind === 'new') return <ins key={at}>{content}</ins>;
        return <span key={at}>{content}</span>;
      })}
    </pre>
  );
}

function diffOf(before: string, after: string): readonly DiffLine[] | null {
  const changes = diffLines(before, after, { timeout: 500 });
  if (changes === undefined) return null;
  const lines: DiffLine[] = [];
  for (const [at, { value, added, removed }] of changes.entries()) {
    const texts = value.replace(/\n$/, '').split('\n');
    const kind = added ? 'new' : removed ? 'gone' : 'same';
    if (kind !== 'same') {
      for (const text of texts) lines.push({ kind, text });
      continue;
    }
    const head = at === 0 ? 0 : AROUND;
    const tail = at === changes.length - 1 ? 0 : AROUND;
    if (texts.length <= head + tail + 1) {
      for (const text of texts) lines.push({ kind, text });
      continue;
    }
    for (const text of texts.slice(0, head)) lines.push({ kind, text });
    lines.push({ kind: 'fold', text: `  ${count(texts.length - head - tail)} lines stay` });
    for (const text of tail === 0 ? [] : texts.slice(-tail)) lines.push({ kind, text });
  }
  return lines.length > MOST_LINES ? null : lines;
}
