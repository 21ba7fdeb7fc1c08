import type { Tx } from '../../platform/db/db.ts';
import type { Asked } from '../../platform/platform.ts';
import { orNotFound } from '../../platform/values/errors.ts';
import { recordMerchantChange } from '../merchant-changes.ts';
import type { MerchantScheme } from './scheme.ts';
import { findScheme, lockScheme, putScheme } from './scheme-store.ts';

/** Returns what the payment scheme knows of a merchant. Throws 404 `not_found`. */
export async function readScheme(tx: Tx, merchantId: string): Promise<MerchantScheme> {
  return orNotFound(await findScheme(tx, merchantId), 'merchant');
}

const NAMES: Readonly<Record<keyof MerchantScheme, string>> = {
  useCase: 'use case',
  categoryCode: 'category code',
  paymentContext: 'payment context',
  purposeCode: 'purpose code',
};

/**
 * Changes the fields given of what the payment scheme knows of a merchant, for consents that are made from now on. What stays the
 * same is not recorded. Throws 404 `not_found`.
 */
export async function changeScheme(
  asked: Asked,
  changes: Partial<MerchantScheme>,
  why: string,
): Promise<void> {
  const { tx, merchantId } = asked;
  const before = orNotFound(await lockScheme(tx, merchantId), 'merchant');
  const after = { ...before, ...changes };
  const turns = (Object.keys(NAMES) as (keyof MerchantScheme)[])
    .filter((name) => before[name] !== after[name])
    .map((name) => `${NAMES[name]} from ${before[name] ?? 'none'} to ${after[name] ?? 'none'}`);
  if (turns.length === 0) return;
  await putScheme(tx, merchantId, after);
  const reason = `${turns.join(', ')}: ${why}`;
  await recordMerchantChange(asked, 'scheme_changed', reason);
}
