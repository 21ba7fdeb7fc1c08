import type { Asked, Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { invalid } from '../../platform/values/errors.ts';
import { recordMerchantChange } from '../merchant-changes.ts';
import { readMerchant } from '../service.ts';
import { putFeeTerms } from './fee-store.ts';
import { type DatedFeeTerms, type FeeTerms, feeErrors, startOf } from './fees.ts';

/**
 * Sets what the operator takes of each collection from the beginning of a London day on; without a day, from the next one. What
 * was collected before keeps its fee. Throws 400 `invalid_request` for a day that has begun or begins within an hour, 404
 * `not_found`.
 */
export async function setFees(
  platform: Platform,
  asked: Asked,
  terms: FeeTerms & { day: Temporal.PlainDate | null },
  by: string,
): Promise<DatedFeeTerms> {
  const { tx, now, merchantId } = asked;
  const { fixedPence, basisPoints } = terms;
  const from = checkFees(terms, now);
  await readMerchant(platform, tx, merchantId);
  const set = { fixedPence, basisPoints, from };
  await putFeeTerms(tx, merchantId, set, { by, at: now });
  const reason = `${fixedPence} pence and ${basisPoints} basis points from ${formatInstant(from)}`;
  await recordMerchantChange(asked, 'fees_set', reason);
  return set;
}

/** Returns from when terms would hold. Throws 400 `invalid_request` for terms or a day that cannot be set now. */
export function checkFees(
  terms: FeeTerms & { day: Temporal.PlainDate | null },
  now: Temporal.Instant,
): Temporal.Instant {
  const from = startOf(terms.day, now);
  const wrong = {
    ...feeErrors(terms),
    ...(from === null ? { from: 'must be a day that begins in an hour or later' } : {}),
  };
  if (from === null || Object.keys(wrong).length > 0) throw invalid(wrong);
  return from;
}
