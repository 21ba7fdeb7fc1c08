import { makePlatform } from '../../server/src/app/deployment/platform.ts';
import { readConfig } from '../../server/src/platform/config/config.ts';
import { type Db, openDb } from '../../server/src/platform/db/db.ts';
import type { Engine } from '../../server/src/platform/engine/engine.ts';
import { makeLog } from '../../server/src/platform/log/log.ts';
import type { Platform } from '../../server/src/platform/platform.ts';
import { realClock } from '../../server/src/platform/time/clock.ts';
import { createEndpoint } from '../../server/src/webhooks/service.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { INSTANT_SENDER, wireInstant } from './instant-partners.ts';
import { seedMerchant, seedSchedules } from './seed.ts';

const KEYS = {
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  BLIND_INDEX_KEY: Buffer.alloc(32, 2).toString('base64'),
};

const ENDPOINT = { url: 'https://127.0.0.1/hooks', eventKinds: ['collection.success'] };

/** Makes a silent platform over a database, on the real clock. */
export const platformOver = (db: Db): Platform =>
  makePlatform(readConfig(KEYS), db, realClock, makeLog('silent'));

/** Makes a service over a database whose partners are in this process and respond at once; returns its engine. */
export function instantEngine(db: Db): Engine {
  return wireInstant(platformOver(db), { sender: INSTANT_SENDER }).engine;
}

/**
 * Inserts one merchant with an endpoint for every success, and this many due schedules; then runs ANALYZE on `analyzed`
 * (default: every table).
 */
export async function seedDue(url: string, due: number, analyzed = ''): Promise<void> {
  const db = openDb(url, 1);
  try {
    const platform = platformOver(db);
    const now = realClock.now();
    const merchantId = await seedMerchant(platform);
    await seedSchedules(platform, merchantId, due, now.subtract({ seconds: 1 }));
    await db.forMerchant(merchantId, (tx) =>
      createEndpoint(platform, { tx, now, merchantId }, ENDPOINT),
    );
    await asOwner(db, (tx) => tx.run(`ANALYZE ${analyzed}`));
  } finally {
    await db.close(); // connections report their statistics when they close
  }
}
