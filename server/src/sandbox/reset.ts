import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import { planMerchantWallet } from '../wallets/service.ts';
import { whileMoving } from './advance-lock.ts';
import type { PartnerControl } from './control.ts';
import { emptyBooks, findMerchants, shiftRemaining } from './reset-store.ts';
import type { SandboxDeps } from './routes/deps.ts';

export interface ResetDeps extends Pick<SandboxDeps, 'platform' | 'clock' | 'engine'> {
  control: Pick<PartnerControl, 'reset' | 'setClock'>;
}

/** How often a reset is tried while a partner is restarting. */
const MAX_TRIES = 12;
const TRY_AGAIN_MS = 250;

/**
 * Resets the whole sandbox, for every merchant: deletes schedules, customers, payments, wallets, events and logs, at the partners
 * too, and sets the clock back to real time. Merchants with their settings, teams, API keys and webhook endpoints stay; each
 * merchant's wallet is planned again. Returns when the new life began. Throws 409 `clock_busy`. If it fails halfway, the books
 * are still consistent, and it can be repeated.
 */
export async function resetSandbox(deps: ResetDeps): Promise<Temporal.Instant> {
  const { platform, clock, engine, control } = deps;
  return whileMoving(platform.db, clock, async () => {
    await engine.stop();
    try {
      const old = clock.now();
      const born = await clock.restart((tx, now) => beginAnew(platform, tx, old, now));
      await resetPartners(deps, born);
      return born;
    } finally {
      await control
        .setClock(clock.now(), true)
        .catch((error: unknown) => platform.log.report('sandbox.clock_not_set', { err: error }));
      if (platform.config.roles.includes('engine')) engine.start();
      platform.wake();
    }
  });
}

/** Empties the books. What stays keeps its age: its times go back by as much as the clock. */
async function beginAnew(
  platform: Platform,
  tx: Tx,
  old: Temporal.Instant,
  now: Temporal.Instant,
): Promise<void> {
  await emptyBooks(tx);
  await shiftRemaining(tx, now.epochMilliseconds - old.epochMilliseconds);
  for (const merchantId of await findMerchants(tx))
    await planMerchantWallet(platform, { tx, now, merchantId });
}

async function resetPartners(
  { control, platform }: ResetDeps,
  now: Temporal.Instant,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await control.reset(now, true);
    } catch (error) {
      if (tries >= MAX_TRIES) throw error;
      platform.log.report('sandbox.reset_failed', { err: error });
      await sleep(TRY_AGAIN_MS);
    }
  }
}
