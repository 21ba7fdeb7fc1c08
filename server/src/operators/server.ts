import type { FastifyInstance } from 'fastify';
import { addNotFound } from '../platform/http/not-found.ts';
import { makeBareServer } from '../platform/http/server.ts';
import type { Platform } from '../platform/platform.ts';
import { METRICS_TYPE } from './metrics/metrics.ts';
import type { Scrape } from './metrics/scrape.ts';

/** A few scrapers; nobody else calls this port. */
const MOST_CONNECTIONS = 100;

/** Makes the server of the operators' port. It shows the metrics and nothing else. */
export function makeOperatorsServer(platform: Platform, scrape: Scrape): FastifyInstance {
  const app = makeBareServer(platform, { connections: MOST_CONNECTIONS });
  addNotFound(app);
  app.get('/metrics', async (_request, reply) => {
    reply.header('cache-control', 'no-store').type(METRICS_TYPE);
    return reply.send(await scrape.show());
  });
  return app;
}
