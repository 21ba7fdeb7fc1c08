import type { FastifyInstance } from 'fastify';

/** A port that a program is to listen on is somebody else's. */
export class PortTaken extends Error {
  readonly port: number;

  constructor(port: number, name: string) {
    super(`Port ${port} (${name}) is in use`);
    this.port = port;
  }
}

/** Listens on a port, which is called `name` where it is taken: then it throws PortTaken. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
  name: string,
): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new PortTaken(port, name);
  }
}
