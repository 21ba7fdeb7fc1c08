import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { errorCode } from '../values/thrown.ts';

// Below the ephemeral ports of Linux, macOS and Windows: no outgoing connection can take a port between the moment it is
// found and the moment its server listens.
const LOWEST = 10_240;
const LOWEST_PORT = 32_768;
const ATTEMPTS = 100;
/** Another process listens on the port, or the system reserves it. */
const UNUSABLE = new Set(['EADDRINUSE', 'EACCES']);

/**
 * Finds a free port and occupies it until `close`, so that several calls get different ports. Throws after 100 taken ports.
 */
export async function probeFreePort(
  host = '127.0.0.1',
): Promise<{ port: number; close(): Promise<unknown> }> {
  for (let attempt = 1; ; attempt++) {
    const port = randomInt(LOWEST, LOWEST_PORT);
    const server = createServer().listen(port, host);
    try {
      await once(server, 'listening');
      return { port, close: () => once(server.close(), 'close') };
    } catch (error) {
      if (!UNUSABLE.has(errorCode(error)) || attempt === ATTEMPTS) throw error;
    }
  }
}
