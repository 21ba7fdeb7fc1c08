import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Finds a free port and occupies it until `close`, so that several of them differ. */
export async function probeFreePort(
  host = '127.0.0.1',
): Promise<{ port: number; close(): Promise<unknown> }> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, close: () => once(server.close(), 'close') };
}
