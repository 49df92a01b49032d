/** How often a property is tried: a quarter of the times for a quick answer, all of them in `npm run test:all`. */
export function runs(times: number): number {
  return process.env.REVERIE_TESTS === 'all' ? times : Math.ceil(times / 4);
}
