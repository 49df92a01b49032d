/** `fetch` whose answers are cut off where they are longer than we take, counted after unpacking: a small answer may hold a large one. */

export interface BoundedFetchPorts {
  /** Of one event where events come, of the whole answer otherwise. */
  readonly messageBytes: number;
  /** Of all events of an answer; endless unless given. */
  readonly answerBytes?: number;
  /** What whoever reads the answer gets. */
  readonly tooLong: (bytes: number) => Error;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export function createBoundedFetch(ports: BoundedFetchPorts): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await (ports.fetch ?? globalThis.fetch)(input, init);
    if (response.body === null) return response;
    const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const { status, statusText, headers, url } = response;
    const bounded = new Response(response.body.pipeThrough(bound(ports, isEvents)), { status, statusText, headers });
    return Object.defineProperty(bounded, 'url', { value: url });
  };
}

function bound(ports: BoundedFetchPorts, isEvents: boolean): TransformStream<Uint8Array, Uint8Array> {
  const { messageBytes, answerBytes = Number.POSITIVE_INFINITY } = ports;
  let pending = 0;
  let whole = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const lastEnd = isEvents ? endOfEvents(chunk) : 0;
      pending = lastEnd > 0 ? chunk.length - lastEnd : pending + chunk.length;
      whole += chunk.length;
      if (pending > messageBytes) controller.error(ports.tooLong(messageBytes));
      else if (whole > answerBytes) controller.error(ports.tooLong(answerBytes));
      else controller.enqueue(chunk);
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
