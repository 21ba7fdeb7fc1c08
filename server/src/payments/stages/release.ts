import type { Platform } from '../../platform/platform.ts';
import { releaseLeases } from '../books/lease-store.ts';
import type { AttemptOutcome } from '../payment/outcome.ts';

/** So soon after a batch failed its payments are tried again: not at once, because what failed may fail again. */
const AFTER_A_FAILURE = Temporal.Duration.from({ seconds: 5 });

/** Gives back the payments of a batch that have no outcome: nothing was sent for them. */
export async function releaseUnsent(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  batch: readonly { merchantId: string; paymentId: string }[],
  outcomes: readonly AttemptOutcome[],
  until: Temporal.Instant,
  dueAt = clock.now(),
): Promise<void> {
  const done = new Set(outcomes.map(({ ref }) => ref.paymentId));
  const rest = batch.filter(({ paymentId }) => !done.has(paymentId));
  if (rest.length === 0) return;
  const leased = rest.map(({ merchantId, paymentId }) => ({ merchantId, paymentId, until }));
  await db.transaction((tx) => releaseLeases(tx, dueAt, leased));
}

/** Gives back, for soon, what a batch that failed did not come to; where that fails, too, the lease ends it. */
export async function releaseAfterFailure(
  platform: Pick<Platform, 'db' | 'clock'>,
  ...rest: [batch: Parameters<typeof releaseUnsent>[1], AttemptOutcome[], Temporal.Instant]
): Promise<void> {
  const dueAt = platform.clock.now().add(AFTER_A_FAILURE);
  await releaseUnsent(platform, ...rest, dueAt).catch(() => undefined);
}
