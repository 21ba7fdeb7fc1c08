import { setFees } from '../../../merchants/fee-service.ts';
import { findFeeTerms } from '../../../merchants/fee-store.ts';
import type { DatedFeeTerms } from '../../../merchants/fees.ts';
import { readMerchant } from '../../../merchants/service.ts';
import { takesTwo } from '../../../operators/merchants/fee-limit.ts';
import { askFor } from '../../../operators/requests/service.ts';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import { operatorActor } from '../../../platform/state/actor.ts';
import { formatInstant } from '../../../platform/time/calendar.ts';
import { shownRequest } from '../operations/requests-work.ts';
import { change, withPlatform } from '../session/offline.ts';
import { actingOf, operatorOf } from '../session/operator.ts';

/** Options of `merchant fees`; without the first two, the fees are only shown. */
export interface FeeOptions {
  fixedPence?: string;
  basisPoints?: string;
  from?: string;
}

/**
 * `merchant fees`: sets them if a part is given, and returns all there are, oldest first. Throws ConfigError without a wallet for
 * them, 400 `invalid_request`, 404 `not_found`.
 */
export async function feesCommand(
  config: Config,
  merchantId: string,
  { fixedPence, basisPoints, from }: FeeOptions,
): Promise<object> {
  const isSet = fixedPence !== undefined || basisPoints !== undefined;
  if (!isSet && from !== undefined)
    throw new ConfigError('--from needs --fixed-pence, --basis-points or both');
  if (isSet && config.mode === 'live' && config.feeWalletHolder === null)
    throw new ConfigError(
      'FEE_WALLET_HOLDER must be set: fees are transferred to a wallet in its name',
    );
  return withPlatform(config, async (platform) => {
    const { db, clock } = platform;
    const asked = { now: clock.now(), merchantId };
    const terms = {
      fixedPence: wholeNumber(fixedPence),
      basisPoints: wholeNumber(basisPoints),
      day: from === undefined ? null : dateOf(from),
    };
    if (isSet && takesTwo(terms))
      return change(config, async (work) => {
        const { day, ...fees } = terms;
        const wish = { ...fees, day: day?.toString() ?? null };
        const reason = 'asked for on the command line';
        const asking = { kind: 'merchant_fees', wish, subject: merchantId, reason } as const;
        return shownRequest(await askFor(work, actingOf(config), asking));
      });
    const by = operatorActor(operatorOf(config));
    if (isSet) await db.transaction((tx) => setFees(platform, { tx, ...asked }, terms, by));
    const all = await db.read(async (tx) => {
      await readMerchant(platform, tx, merchantId);
      return findFeeTerms(tx, merchantId);
    });
    return { merchant_id: merchantId, fees: all.sort(byFrom).map(view) };
  });
}

const byFrom = (a: DatedFeeTerms, b: DatedFeeTerms): number =>
  Temporal.Instant.compare(a.from, b.from);

const view = ({ fixedPence, basisPoints, from }: DatedFeeTerms) => ({
  fixed_pence: fixedPence,
  basis_points: basisPoints,
  from: formatInstant(from),
});

/** Reads digits; anything else is no number, which the terms refuse. */
const wholeNumber = (text = '0'): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN);

function dateOf(text: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    throw new ConfigError('--from must be a date, such as 2026-12-01');
  }
}
