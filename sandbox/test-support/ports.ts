import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports of outgoing connections: none can take a port between the moment it is found and its program listens.
const LOWEST = 10_240;
const ABOVE = 32_768;

/** Returns loopback ports that are currently free, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, occupy));
  await Promise.all(servers.map(({ server }) => once(server.close(), 'close')));
  return servers.map(({ port }) => port);
}

async function occupy() {
  for (;;) {
    const port = randomInt(LOWEST, ABOVE);
    const server = createServer().listen(port, '127.0.0.1');
    const listens = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (listens) return { port, server };
  }
}
