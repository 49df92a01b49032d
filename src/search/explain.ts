/** Why a memory was recalled: the parts of its score as data, and in words for people. */

export interface RecallHit {
  readonly key: string;
  /** Which part of a long memory it was found by; null for the memory as a whole. */
  readonly passage: number | null;
  readonly score: number;
  /** Good enough to show to the model unasked. */
  readonly certain: boolean;
  readonly why: RecallExplanation;
}

export interface RecallExplanation {
  /** Share of the query's weight that the memory's tokens answer. */
  readonly meaning: number;
  /** Likeness of the two texts as a whole. */
  readonly cosine: number;
  /** Share of the best possible score by words alone. */
  readonly lexical: number;
  /** Likeness by the user's own embedding model; null without one. */
  readonly vector: number | null;
  /** What that model requires to be certain by itself; null without one, and until it is calibrated for the folder. */
  readonly vectorThreshold: number | null;
  /** How well the encoder knows the language of query and memory, 0 … 1; the less, the more the words count. */
  readonly trust: number;
  /** Words of the query that the memory holds. */
  readonly wordsShared: readonly string[];
  /** Words of the query with the matching words of the memory, the heaviest first. */
  readonly matched: ReadonlyArray<{
    readonly word: string;
    readonly met: string;
    readonly likeness: number;
    readonly weight: number;
  }>;
  /** Words of the query that nothing in the memory is near, the heaviest first. */
  readonly unmet: readonly string[];
  /** Names, numbers and identifiers of the query that this memory alone holds: one makes it certain. */
  readonly named: readonly string[];
  /** The evidence for showing it unasked, and how much is required to be certain. */
  readonly evidence: number;
  readonly threshold: number;
  /** The evidence would be enough if another memory did not have much more. */
  readonly isBehind: boolean;
  /** The evidence that unrelated questions find in this folder. */
  readonly noise: number;
}

/** Pairs of words worth naming. */
const NAMED_PAIRS = 6;

export function explainHit(hit: RecallHit): string {
  const { why } = hit;
  const verdict = hit.certain ? 'certain' : 'not certain';
  const required = why.vectorThreshold === null ? '' : ` of ${why.vectorThreshold.toFixed(2)}`;
  const own = why.vector === null ? '' : `, your model ${why.vector.toFixed(2)}${required}`;
  const pairs = why.matched
    .slice(0, NAMED_PAIRS)
    .map(({ word, met, likeness }) => (word === met ? word : `${word} ~ ${met} ${likeness.toFixed(2)}`));
  return [
    `${hit.key}: score ${hit.score.toFixed(2)}, ${verdict} (evidence ${why.evidence.toFixed(2)} of ${why.threshold.toFixed(2)})`,
    `  meaning ${why.meaning.toFixed(2)}, whole text ${why.cosine.toFixed(2)}, words ${why.lexical.toFixed(2)}${own}`,
    `  words in both: ${why.wordsShared.length === 0 ? 'none' : why.wordsShared.join(', ')}`,
    `  met: ${pairs.length === 0 ? 'nothing' : pairs.join(', ')}`,
    ...(why.named.length === 0 ? [] : [`  named, and in no other memory: ${why.named.join(', ')}`]),
    ...(hit.certain ? [] : [`  missing: ${missing(why)}`]),
  ].join('\n');
}

function missing({ evidence, threshold, noise, trust, unmet, isBehind }: RecallExplanation): string {
  const words = unmet.length === 0 ? '' : `; not in it: ${unmet.slice(0, NAMED_PAIRS).join(', ')}`;
  return `${(threshold - evidence).toFixed(2)} more evidence (${reason()})${words}`;

  function reason(): string {
    if (isBehind) return 'another memory fits much better';
    if (trust < 0.5) return 'not in English, so the words themselves must be the same';
    return `unrelated questions reach ${noise.toFixed(2)} here`;
  }
}
