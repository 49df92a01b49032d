/** A client of the memory server, in this process. */

import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { createMemoryServer } from '../../src/mcp/server.ts';
import type { SpanMessage } from '../../src/memory/gate/index.ts';
import type { Memory } from '../../src/memory/memory.ts';

export async function connectToServer(
  memory: Memory,
  { heard, problems }: { readonly heard: () => readonly SpanMessage[]; readonly problems: string[] },
): Promise<Client> {
  const ports = {
    ...{ memory, heard, now: () => new Date() },
    writeProblem: (problem: string) => void problems.push(problem),
  };
  const { server } = createMemoryServer(ports, { subscribing: 'one-by-one' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await server.connect(there);
  const connected = new Client({ name: 'tester', version: '7.1' });
  await connected.connect(here);
  return connected;
}
