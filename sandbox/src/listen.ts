import type { FastifyInstance } from 'fastify';

/** The port that a program should listen on is in use. */
export class PortInUse extends Error {
  readonly port: number;

  constructor(port: number, name: string) {
    super(`Port ${port} (${name}) is in use`);
    this.port = port;
  }
}

/** Listens on a port. Throws PortInUse if it is in use; `name` names the port in the error. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
  name: string,
): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new PortInUse(port, name);
  }
}
