/** Whether everything is to be tried, as `npm run test:all` does; `npm test` tries a sample where that is enough for a quick answer. */
export const isWhole = process.env.REVERIE_TESTS === 'all';

/** How often a property is tried: a quarter of the times for a quick answer, all of them in `npm run test:all`. */
export function runs(times: number): number {
  return isWhole ? times : Math.ceil(times / 4);
}
