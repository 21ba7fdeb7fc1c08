import { listStops } from '../../banks/stop-store.ts';
import { HOLD_STATES } from '../../merchants/holds/hold.ts';
import type { HoldDecision } from '../../merchants/holds/hold-service.ts';
import { endHoldsGivenFor, insertHoldForAll, lockHolds } from '../../merchants/holds/hold-store.ts';
import type { Work } from '../../platform/platform.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { resumePayOuts } from '../../settlements/held-store.ts';
import { resumeBank, stopBank } from '../banks/service.ts';

/** What a decision about everything has changed. */
export interface Changed {
  bankIds: string[];
  merchantIds: string[];
}

/**
 * Stops these banks and holds every merchant's pay-outs, from one moment on: docs/guides/backup.md#restore. What is held already
 * keeps its reason. Returns what is new.
 */
export async function holdEverything(
  { tx, now }: Work,
  word: HoldDecision,
  known: readonly string[],
): Promise<Changed> {
  await lockHolds(tx);
  const bankIds: string[] = [];
  for (const bankId of known)
    if (await stopBank({ tx, now, bankId }, word, known)) bankIds.push(bankId);
  const merchantIds = await insertHoldForAll(tx, 'pay_outs', { since: now, ...word });
  await note({ tx, now }, merchantIds, HOLD_STATES.pay_outs.begin, word.reason);
  return { bankIds, merchantIds };
}

/**
 * Resumes the banks that were stopped for the reason `given`, and releases the pay-outs that were held for it; what waited is due
 * at once. Returns what has changed.
 */
export async function releaseEverything(
  work: Work,
  word: HoldDecision,
  given: string,
): Promise<Changed> {
  const { tx, now } = work;
  const stops = (await listStops(tx)).filter(({ reason }) => reason === given);
  const bankIds: string[] = [];
  for (const { bankId } of stops)
    if (await resumeBank({ tx, now, bankId }, word)) bankIds.push(bankId);
  const merchantIds = await endHoldsGivenFor(tx, 'pay_outs', given, { at: now, ...word });
  await note(work, merchantIds, HOLD_STATES.pay_outs.end, word.reason);
  await resumePayOuts(tx, now, merchantIds);
  return { bankIds, merchantIds };
}

async function note(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  merchantIds: readonly string[],
  to: string,
  reason: string,
): Promise<void> {
  const about = { scheduleId: null, from: null, to, reason };
  await recordChanges(
    tx,
    now,
    merchantIds.map((merchantId) => ({ merchantId, objectId: merchantId, ...about })),
  );
}
