import type { FastifyInstance } from 'fastify';
import { realNow } from '../clock.ts';
import type { Db } from '../db.ts';
import { endsWithin } from '../ends-within.ts';
import { ApiError } from '../errors.ts';
import type { Platform } from '../platform.ts';

const DATABASE_MS = 2000;

/** Whether the database answers within two seconds. */
export function checkDatabase(db: Db): Promise<boolean> {
  const asked = db.read((tx) => tx.row('SELECT 1 AS one'));
  return endsWithin(asked, DATABASE_MS).catch(() => false);
}

const ANSWER_KEPT_MS = 1000;
const PLAIN = {
  schema: { hide: true },
  config: { limitedBy: 'health', work: 'unbounded' },
} as const;

/** Pings the database at most once a second, however many callers ask. */
function rememberingCheck(platform: Platform): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined;
  let untilMs = 0;
  return () => {
    const nowMs = realNow().epochMilliseconds;
    if (asked !== undefined && nowMs < untilMs) return asked;
    untilMs = Number.POSITIVE_INFINITY; // callers share the check in progress
    asked = checkDatabase(platform.db).finally(() => {
      untilMs = realNow().epochMilliseconds + ANSWER_KEPT_MS;
    });
    return asked;
  };
}

/** `/healthz`: the process is up. `/readyz`: it can work, otherwise 503. Neither requires authentication. */
export function addHealth(app: FastifyInstance, platform: Platform): void {
  const isReady = rememberingCheck(platform);
  app.get('/healthz', PLAIN, async () => ({ status: 'up' }));
  app.get('/readyz', PLAIN, async () => {
    if (await isReady()) return { status: 'ready' };
    throw new ApiError('service_unavailable', 'The database does not answer.');
  });
}
