// Numbers about ranked lists: the position of the first relevant one, by set and by kind of question.

const DEPTHS = [1, 5, 20];

export const TALLY_COLUMNS = 'hit@1 hit@5 hit@20 MRR';

export function createTally() {
  const rows = new Map();
  const rowOf = (name) => {
    if (!rows.has(name)) rows.set(name, { count: 0, hits: DEPTHS.map(() => 0), reciprocal: 0 });
    return rows.get(name);
  };
  return {
    /** `ranked` holds keys, best first. */
    add(names, ranked, relevant) {
      const wanted = new Set(relevant);
      const at = ranked.findIndex((key) => wanted.has(key));
      for (const name of names) {
        const row = rowOf(name);
        row.count++;
        if (at === -1) continue;
        for (const [which, depth] of DEPTHS.entries()) row.hits[which] += at < depth;
        row.reciprocal += 1 / (at + 1);
      }
    },
    line(name) {
      const { count, hits, reciprocal } = rowOf(name);
      const share = (value) => (value / Math.max(1, count)).toFixed(3).replace(/^0/, '');
      return { count, text: [...hits, reciprocal].map(share).join(' ') };
    },
    names: () => [...rows.keys()],
  };
}

export function percentile(values, share) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
