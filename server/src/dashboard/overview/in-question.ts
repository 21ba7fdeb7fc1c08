import { findWaiting } from '../../payments/books/waiting-store.ts';
import { CREDITED_FOR } from '../../payments/payment/retry.ts';
import type { Asked } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { compareInstants } from '../../platform/values/instants.ts';
import { findAmounts, findBesideMoney, findLongUnderWay } from './question-store.ts';
import type { OverviewView } from './view.ts';

const MAX_LISTED = 5;
/** How many payments with the bank are checked: the oldest, which are the first to wait for a person. */
const MAX_EXAMINED = 200;

/**
 * Returns the payments that wait for a person, and those with unexpected money that is not decided on, oldest first. A payment
 * waits for a person two hours after its due date at the earliest, so recently due payments are not read.
 */
export async function readInQuestion({
  tx,
  now,
  merchantId,
}: Asked): Promise<OverviewView['in_question']> {
  const old = await findLongUnderWay(tx, merchantId, now.subtract(CREDITED_FOR), MAX_EXAMINED);
  const beside = await findBesideMoney(tx, merchantId, MAX_LISTED);
  const ids = [...old, ...beside].map((row) => row.paymentId);
  const waiting = await findWaiting(tx, now, merchantId, ids);
  const money = beside
    .filter((row) => !waiting.has(row.paymentId))
    .map(({ paymentId: id, since }) => ({ id, reason: 'unexpected_money' as const, since }));
  const shown = [...[...waiting].map(([id, wait]) => ({ id, ...wait })), ...money]
    .sort((a, b) => compareInstants(a.since, b.since))
    .slice(0, MAX_LISTED);
  const amounts = await findAmounts(
    tx,
    merchantId,
    shown.map(({ id }) => id),
  );
  return shown.map(({ id, reason, since }) => ({
    payment_id: id,
    value: amounts.get(id) ?? 0,
    reason,
    since: formatInstant(since),
  }));
}
