/** Gives memory back to the system once nobody has asked for a moment: the page may stay open all day. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Nobody reads for longer without a click: after so many times as long, what is open is let go of. */
const LATER = 4;

export interface Rest {
  /** Somebody asks: rest comes later. */
  used(): void;
  close(): void;
}

/** Node keeps what it once took: what is left of a question is collected when all is quiet, and `letGo` comes a little later. */
export function restWhenQuiet(milliseconds: number, letGo: () => Promise<void>): Rest {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let timer: NodeJS.Timeout | undefined;
  const later = (times: number, next: () => void) => {
    timer = setTimeout(next, milliseconds * times);
  };
  async function rest(): Promise<void> {
    await letGo().catch(() => {});
    collect();
    // The room of young objects shrinks with the second time.
    later(0.5, collect);
  }
  function used(): void {
    clearTimeout(timer);
    later(1, () => {
      collect();
      later(LATER, () => void rest());
    });
  }
  used();
  return { used, close: () => clearTimeout(timer) };
}
