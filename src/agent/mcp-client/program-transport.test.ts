import { expect, it } from 'vitest';
import { LIMITS } from '../../limits.ts';
import { createProgramTransport } from './program-transport.ts';

it('tells how a program ended that went before it read what it was sent', async () => {
  // It says when its input is closed, so that whatever is sent from then on fails before its end is known.
  const lines = `exec 0<&-; echo '{"closed":true}'; sleep 0.3; echo 'No key given.' >&2; exit 2`;
  const transport = createProgramTransport(
    {
      ...{ kind: 'program', command: '/bin/sh', arguments: ['-c', lines], cwd: '/', secrets: [] },
      environment: { PATH: '/usr/bin:/bin' },
    },
    { limits: LIMITS.mcpServers, parse: (value) => value as never, onTooLong() {} },
  );
  const closed = new Promise<void>((resolve) => {
    transport.onmessage = () => resolve();
  });
  await transport.start();
  await closed;
  await expect(transport.send({ jsonrpc: '2.0', method: 'ping' })).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  await transport.close();
  expect(transport.lastWords()).toBe('It ended with exit code 2. It said: No key given.');
});
