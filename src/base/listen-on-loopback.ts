/** Opens a port for this machine alone, or says how to choose another. */

import type { Server } from 'node:http';
import { errnoOf, ReverieError } from '../errors.ts';

export const LOOPBACK = '127.0.0.1';

/** Gives the port that it listens on: the one that was asked for, or any free one for 0. */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const isTaken = errnoOf(error) === 'EADDRINUSE';
      reject(
        new ReverieError({
          code: 'usage',
          message: isTaken ? `Port ${port} is in use` : `Port ${port} cannot be opened: ${error.message}`,
          fix: 'Choose another with --port, or leave it out for any free one.',
          cause: error,
        }),
      );
    });
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
