import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer as createTcpServer } from 'node:net';
import { createServer } from 'node:tls';
import { PortInUse } from '../listen.ts';
import type { RunningProgram } from '../programs.ts';
import type { CertificateFiles } from './certificates.ts';

const LOOPBACK = '127.0.0.1';

/** Returns a port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Opens a TLS port in front of a plain one of this machine. Throws PortInUse; `name` names the port in the error. */
export async function openDoor(
  { host, port, name }: { host: string; port: number; name: string },
  { cert, key }: CertificateFiles,
  inner: number,
): Promise<RunningProgram> {
  const open = new Set<{ destroy(): unknown }>();
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (outside) => {
    const inside = connect(inner, LOOPBACK);
    const both = [outside, inside];
    for (const one of both) open.add(one);
    outside.pipe(inside).pipe(outside);
    // Either end may go at any moment, with or without an error: then the other one goes too.
    for (const one of both)
      one
        .on('error', () => undefined)
        .on('close', () => {
          for (const other of both) other.destroy();
          open.delete(one);
        });
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? new PortInUse(port, name)
      : error;
  }
  return {
    async close() {
      for (const one of open) one.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
