/** Addresses in a write: one that occurs nowhere in the span was made up. */

import type { ProposedMemory } from './write.ts';

/** A host with a path behind it, or anything with a scheme; mail addresses. `package.json` and `v1.2` are none. */
const ADDRESS =
  /(?:https?:\/\/|www\.)[^\s<>"'`)\]]+|(?<![\w/.@-])(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24}\/[^\s<>"'`)\]]*|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}/gi;

export function inventedAddress(proposed: ProposedMemory, texts: readonly string[]): string | null {
  const found = `${proposed.body}\n${proposed.description}`.match(ADDRESS) ?? [];
  for (const address of new Set(found.map(bare))) {
    if (!texts.some((text) => text.toLowerCase().includes(address))) return address;
  }
  return null;
}

/** Without what may come and go when an address is written down again. */
function bare(address: string): string {
  return address
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[.,;:!?/]+$/, '');
}
