/** `fetch` whose answers are cut off when one message is longer than we take. Streams of events may be endless; a single event may not. */

import type { FetchLike } from '@modelcontextprotocol/client';

export interface BoundedFetchPorts {
  readonly messageBytes: number;
  onTooLong(): void;
}

export function createBoundedFetch(ports: BoundedFetchPorts): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bound(ports, { isEvents })), { status, statusText, headers });
  };
}

function bound(ports: BoundedFetchPorts, { isEvents }: { isEvents: boolean }): TransformStream<Uint8Array, Uint8Array> {
  let pending = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const lastEnd = isEvents ? endOfEvents(chunk) : 0;
      pending = lastEnd > 0 ? chunk.length - lastEnd : pending + chunk.length;
      if (pending <= ports.messageBytes) return controller.enqueue(chunk);
      ports.onTooLong();
      controller.error(new Error(`The answer is longer than ${ports.messageBytes} bytes.`));
    },
  });
}

/** Where the last complete event of this chunk ends, by its empty line; 0 when none does. */
function endOfEvents(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const ends = ['\n\n', '\n\r\n', '\r\r'].map((end) => {
    const at = bytes.lastIndexOf(end);
    return at === -1 ? 0 : at + end.length;
  });
  return Math.max(...ends);
}
