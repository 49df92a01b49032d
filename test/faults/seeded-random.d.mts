/** A number from 0 up to 1, the same row of them for the same seed. */
export function seededRandom(seed: number): () => number;
