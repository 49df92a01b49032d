/** Splits what a server writes into lines; one that is too long is skipped while it arrives, and the next one is read. */

export interface LinePorts {
  readonly maxBytes: number;
  onLine(line: string): void;
  onTooLong(): void;
}

const NEWLINE = 0x0a;

export function createLineReader({ maxBytes, onLine, onTooLong }: LinePorts): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let bytes = 0;

  function take(part: Buffer): void {
    const wasTooLong = bytes > maxBytes;
    bytes += part.length;
    if (bytes <= maxBytes) {
      if (part.length > 0) parts.push(part);
      return;
    }
    parts = [];
    // At once: whoever waits for this line need not wait for its end.
    if (!wasTooLong) onTooLong();
  }

  function finish(): void {
    const line = bytes > maxBytes ? '' : Buffer.concat(parts).toString('utf8').trim();
    parts = [];
    bytes = 0;
    if (line !== '') onLine(line);
  }

  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, at));
      finish();
      from = at + 1;
    }
    take(chunk.subarray(from));
  };
}
