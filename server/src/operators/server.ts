import type { FastifyInstance } from 'fastify';
import { addNotFound } from '../platform/http/calls/not-found.ts';
import { makeBareServer } from '../platform/http/server.ts';
import type { Platform } from '../platform/platform.ts';
import { addAdmin } from './admin/mount.ts';
import type { AdminRoute } from './admin/route.ts';
import { addConsole } from './console/routes.ts';
import { makeConsoleSession } from './console/session.ts';
import type { Health } from './health/health.ts';
import { METRICS_TYPE } from './metrics/metrics.ts';
import type { Scrape } from './metrics/scrape.ts';

/** A few scrapers and operators; nobody else calls this port. */
const MAX_CONNECTIONS = 100;

const OK = 200;
const UNAVAILABLE = 503;

/** Makes the server of the operators' port: the metrics and the health of this process, the operators' API and their console. */
export async function makeOperatorsServer(
  platform: Platform,
  scrape: Scrape,
  health: Health,
  routes: readonly AdminRoute[],
): Promise<FastifyInstance> {
  const app = makeBareServer(platform, { connections: MAX_CONNECTIONS });
  addNotFound(app);
  app.get('/metrics', async (_request, reply) => {
    reply.header('cache-control', 'no-store').type(METRICS_TYPE);
    return reply.send(await scrape.show());
  });
  app.get('/health', async (_request, reply) => {
    const report = await health.report();
    reply.header('cache-control', 'no-store').code(report.status === 'failing' ? UNAVAILABLE : OK);
    return reply.send(report);
  });
  const session = makeConsoleSession(platform);
  await addAdmin(app, platform, routes, { lendKey: session.lendKey });
  await addConsole(app, platform, session);
  return app;
}
