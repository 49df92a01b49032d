/** Splits a stream of bytes into messages, one a line; a line that is too long is skipped and the next one is read. */

export type LineMessage =
  | { readonly kind: 'message'; readonly value: unknown }
  /** What it says goes to the client as an error of the protocol. */
  | { readonly kind: 'refused'; readonly reason: 'too-long' | 'not-json' };

export interface LineReader {
  /** The messages that are complete with this chunk. A line that never ended is none. */
  read(chunk: Buffer): readonly LineMessage[];
}

const NEWLINE = 0x0a;

export function createLineReader(maxBytes: number): LineReader {
  let parts: Buffer[] = [];
  let bytes = 0;
  let isTooLong = false;

  function take(part: Buffer): void {
    bytes += part.length;
    if (bytes > maxBytes) {
      isTooLong = true;
      parts = [];
    } else if (part.length > 0) parts.push(part);
  }

  function finish(): readonly LineMessage[] {
    const line = isTooLong ? '' : Buffer.concat(parts).toString('utf8').trim();
    const wasTooLong = isTooLong;
    parts = [];
    bytes = 0;
    isTooLong = false;
    if (wasTooLong) return [{ kind: 'refused', reason: 'too-long' }];
    return line === '' ? [] : [parseLine(line)];
  }

  return {
    read(chunk) {
      const messages: LineMessage[] = [];
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at));
        messages.push(...finish());
        from = at + 1;
      }
      take(chunk.subarray(from));
      return messages;
    },
  };
}

function parseLine(line: string): LineMessage {
  try {
    return { kind: 'message', value: JSON.parse(line) };
  } catch {
    return { kind: 'refused', reason: 'not-json' };
  }
}
