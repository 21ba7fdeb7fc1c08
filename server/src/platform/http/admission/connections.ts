import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** How long a request may take to arrive: its headers, and the whole request. */
export const ARRIVAL = { headersMs: 10_000, wholeMs: 30_000, lookEveryMs: 1_000 } as const;

/** How long requests in progress may take to finish after a stop was requested. */
const GRACE_MS = 5_000;
const SWEEP_EVERY_MS = 250;
/** How long the other side has to read that the connection ends, before it is destroyed. */
const CLOSE_DELAY_MS = 1_000;

/** Sends a last message on a connection and destroys it, whether or not the other side reads it. */
export function endConnection(socket: Duplex, lastWords: string): void {
  const timer = setTimeout(() => socket.destroy(), CLOSE_DELAY_MS);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(lastWords, () => socket.destroy());
}

/**
 * Caps the connections of the server. When it closes, connections without a request in progress end at once, including those
 * on which one has only begun to arrive; the others have five seconds to end.
 */
export function boundConnections(app: FastifyInstance, most: number): void {
  const underWay = new Map<Duplex, number>();
  const add = (socket: Duplex, n: number): void => {
    const before = underWay.get(socket);
    if (before !== undefined) underWay.set(socket, before + n);
  };
  const server: Server = app.server;
  server.maxConnections = most;
  server.on('connection', (socket) => {
    underWay.set(socket, 0);
    socket.once('close', () => underWay.delete(socket));
  });
  server.on('request', (request, response) => {
    add(request.socket, 1);
    response.once('close', () => add(request.socket, -1));
  });
  app.addHook('preClose', async () => {
    const began = performance.now();
    const sweep = (): void => {
      const isOver = performance.now() - began > GRACE_MS;
      for (const [socket, requests] of underWay) if (isOver || requests === 0) socket.destroy();
    };
    sweep();
    const timer = setInterval(sweep, SWEEP_EVERY_MS);
    server.once('close', () => clearInterval(timer));
  });
}
