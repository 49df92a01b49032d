// The longest time for which a process did nothing but one thing: a timer that is due every millisecond, and when it came.
import { setTimeout as pause } from 'node:timers/promises';

export async function watchLoop() {
  const blocks = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    blocks.push([last, now]);
    last = now;
  }, 1);
  await pause(20);
  blocks.length = 0;
  last = performance.now();
  return {
    async longestMs() {
      await pause(5);
      clearInterval(timer);
      globalThis.blocksSeen?.push(...blocks);
      // The timer's own millisecond counts as delay.
      return Math.max(0, ...blocks.map(([from, to]) => to - from - 1));
    },
  };
}
