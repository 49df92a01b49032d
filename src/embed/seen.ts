/** Knows again what a host has sent before: by its very objects, else by a chain of hashes over their content. */

import type { Message } from '../conversation/message.ts';
import { hashText } from '../conversation/prefix-chain.ts';
import { fromHost } from './messages.ts';
import type { HostMessage } from './session.ts';

export interface SeenMessages {
  readonly length: number;
  /** How many of these messages, from the first on, are what was seen before. */
  common(messages: readonly HostMessage[]): number;
  add(given: HostMessage, message: Message): void;
  cut(length: number): void;
  /** For the state of a session: each covers all before it. */
  chain(): readonly string[];
}

interface Seen {
  readonly link: string;
  /** Null after resuming, until the host's own object was compared by content. */
  shape: Shape | null;
}

/** A list that grew or a text that was put in place of another shows here, without a look at all of it. */
interface Shape {
  readonly role: string;
  readonly content: HostMessage['content'];
  readonly length: number;
  readonly last: unknown;
}

/** Characters of a hash that are kept: more than 128 bits. */
const LINK_CHARACTERS = 22;

export function createSeenMessages(chain: readonly string[] = []): SeenMessages {
  const seen: Seen[] = chain.map((link) => ({ link, shape: null }));

  function linkAt(at: number, message: Message): string {
    return hashText(`${seen[at - 1]?.link ?? ''} ${JSON.stringify(message)}`).slice(0, LINK_CHARACTERS);
  }

  function isKnown(at: number, given: HostMessage): boolean {
    const known = seen[at]!;
    if (known.shape !== null && isSame(known.shape, given)) return true;
    if (linkAt(at, fromHost(given)) !== known.link) return false;
    known.shape = shapeOf(given);
    return true;
  }

  return {
    get length() {
      return seen.length;
    },
    common(messages) {
      const most = Math.min(seen.length, messages.length);
      let at = 0;
      while (at < most && isKnown(at, messages[at]!)) at++;
      return at;
    },
    add: (given, message) => void seen.push({ link: linkAt(seen.length, message), shape: shapeOf(given) }),
    cut(length) {
      seen.length = length;
    },
    chain: () => seen.map(({ link }) => link),
  };
}

function shapeOf({ role, content }: HostMessage): Shape {
  return { role, content, length: content.length, last: content.at(-1) };
}

function isSame(shape: Shape, { role, content }: HostMessage): boolean {
  if (shape.role !== role || shape.content !== content) return false;
  return shape.length === content.length && shape.last === content.at(-1);
}
