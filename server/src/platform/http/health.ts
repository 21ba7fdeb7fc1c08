import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';
import type { Platform } from '../platform.ts';

const DATABASE_MS = 2000;

async function databaseAnswers(platform: Platform): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), DATABASE_MS);
  });
  const asked = platform.db
    .read((tx) => tx.row('SELECT 1 AS one'))
    .then(
      () => true,
      () => false,
    );
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** `/healthz`: the process is up. `/readyz`: it can work, else 503. Neither asks who calls. */
export function addHealth(app: FastifyInstance, platform: Platform): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'up' }));
  app.get('/readyz', { schema: { hide: true } }, async () => {
    if (await databaseAnswers(platform)) return { status: 'ready' };
    throw new ApiError('service_unavailable', 'The database does not answer.');
  });
}
