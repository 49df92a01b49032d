/** Output up to a number of bytes; the first byte too many is told at once, so that whoever writes can be stopped. */

export interface KeptOutput {
  add(chunk: Buffer): void;
  isFull(): boolean;
  text(): string;
}

export function createKeptOutput(limits: { readonly outputBytes: number }, onFull: () => void): KeptOutput {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isFull = false;
  return {
    add(chunk) {
      if (isFull) return;
      const room = limits.outputBytes - bytes;
      chunks.push(chunk.subarray(0, room));
      bytes += Math.min(chunk.length, room);
      if (chunk.length <= room) return;
      isFull = true;
      onFull();
    },
    isFull: () => isFull,
    // A character that the cut went through is left out rather than shown as damage.
    text: () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks), { stream: isFull }),
  };
}
