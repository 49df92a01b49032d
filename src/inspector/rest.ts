/** Gives memory back to the system once nobody has asked for a moment: the page may stay open all day. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** After so many times as long it is looked at once more. */
const LATER = 5;

export interface Rest {
  /** Somebody asks: rest comes later. */
  used(): void;
  close(): void;
}

/** Node keeps what it once took. Young objects get little room, and what is left of a question is collected when all is quiet. */
export function restWhenQuiet(milliseconds: number): Rest {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let timer: NodeJS.Timeout | undefined;
  function used(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      collect();
      // Work in the background, such as journalling what an editor did, may have gone on meanwhile.
      timer = setTimeout(collect, milliseconds * LATER);
    }, milliseconds);
  }
  used();
  return { used, close: () => clearTimeout(timer) };
}
