import { findHeld } from '../merchants/holds/hold-store.ts';
import { assignToSettlement, releaseFromSettlements } from '../payments/books/settling-store.ts';
import type { Asked } from '../platform/platform.ts';
import { recordChanges } from '../platform/state/audit-trail.ts';
import { isAfter } from '../platform/values/instants.ts';
import { LARGEST_AMOUNT } from '../platform/values/money.ts';
import { IN_SETTLEMENT, type Posting, post } from '../wallets/ledger-store.ts';
import { isAccountDoubted } from './account-trust.ts';
import { netDebts, sumOwed } from './debt-store.ts';
import { type SettlementDeps, sealDestination } from './destination.ts';
import { insertFeeTransfer } from './fee-store.ts';
import { chooseNetted, net, postponeNetted, releaseNetted } from './netted-lines-store.ts';
import { mustBookRecalls } from './recalls.ts';
import { reserveSettlement } from './service.ts';
import { settlementIdOf, statementReferenceOf } from './settlement.ts';
import { nextSettlementMoment, opensFrom, settlementDate } from './settlement-day.ts';
import { insertSettlement, moveToPassedOn } from './state-store.ts';
import { hasDay, lockCarried, postponeDue, releaseCarried } from './store.ts';

const CURRENCY = 'GBP';

/** The maximum settlements per merchant and day, of GBP 1,000,000.00 each; the rest is paid out on the next business day. */
const MAX_PARTS = 100;

/** How long pay-outs wait for a recall that waited for its pay-in, and can be booked now. */
const AFTER_RECALLS = Temporal.Duration.from({ minutes: 1 });

/**
 * Opens the settlement of a merchant and day, with the payments whose day has come and those of failed settlements; several
 * settlements if one pay-out cannot carry everything. What arrives later on a day that already has its settlement is paid out
 * on the next business day; what an outage kept until a night or a weekend, at 06:00 of the next business day. While the
 * pay-outs are held, none is opened. The caller has locked the merchant's `in_settlement` account.
 */
export async function openSettlements(deps: SettlementDeps, asked: Asked): Promise<void> {
  const { tx, now, merchantId } = asked;
  const held = await findHeld(tx, 'pay_outs', [merchantId]);
  if (held.size > 0 || (await isAccountDoubted(deps, asked))) {
    await postponeAll(asked, nextSettlementMoment(now));
    return;
  }
  if (await mustBookRecalls(tx, merchantId)) {
    await postponeAll(asked, now.add(AFTER_RECALLS));
    return;
  }
  const opensAt = opensFrom(now);
  if (isAfter(opensAt, now)) {
    await postponeAll(asked, opensAt);
    return;
  }
  const day = settlementDate(now);
  let owes = false;
  if (!(await hasDay(tx, merchantId, day))) {
    await rollOverFailed(asked);
    for (let part = 1; part <= MAX_PARTS; part++) {
      const opened = await openPart(deps, asked, { day, part });
      owes = opened === 'owes';
      if (opened !== 'opened') break;
    }
  }
  const left = await postponeAll(asked, nextSettlementMoment(now));
  if (left > 0 && !owes)
    deps.platform.log.report('settlement.payments_left', {
      merchant_id: merchantId,
      payments: left,
    });
}

/** Postpones what is due to a later moment, also what is only given back; returns how many payments. */
export async function postponeAll(
  { tx, now, merchantId }: Asked,
  until: Temporal.Instant,
): Promise<number> {
  await postponeNetted(tx, merchantId, now, until);
  return postponeDue(tx, merchantId, now, until);
}

/** Includes the money of failed settlements in the settlement of this day. */
async function rollOverFailed({ tx, now, merchantId }: Asked): Promise<void> {
  const carried = await lockCarried(tx, merchantId, now);
  if (carried.length === 0) return;
  await moveToPassedOn(tx, now, carried);
  const ids = carried.map((row) => row.settlementId);
  await releaseCarried(tx, merchantId, ids);
  await releaseNetted(tx, merchantId, ids);
}

/**
 * Collects as much as one pay-out carries, nets refunds, fees and what the merchant owes from it, and sets the money apart in the
 * ledger. `nothing`: there is nothing left; `owes`: what is netted is at least as much as there is, so all of it waits.
 */
async function openPart(
  deps: SettlementDeps,
  asked: Asked,
  { day, part }: { day: Temporal.PlainDate; part: number },
): Promise<'opened' | 'nothing' | 'owes'> {
  const { tx, now, merchantId } = asked;
  const of = { merchantId, day, part };
  const { vault } = deps.platform;
  const settlementId = settlementIdOf(vault, of);
  const carriedPence = await sumOwed(tx, merchantId);
  const netted = await chooseNetted(tx, merchantId, LARGEST_AMOUNT + carriedPence);
  const refundsPence = netted.pence;
  const most = LARGEST_AMOUNT + carriedPence + refundsPence;
  const taken = await assignToSettlement(tx, merchantId, settlementId, now, most);
  const { grossPence, feesPence } = taken;
  const amountPence = grossPence - refundsPence - feesPence - carriedPence;
  if (amountPence <= 0) {
    if (grossPence === 0) return 'nothing';
    await releaseFromSettlements(tx, merchantId, [settlementId]);
    return 'owes';
  }
  const destination = await sealDestination(deps, tx, merchantId, settlementId);
  await insertSettlement(
    tx,
    {
      ...of,
      settlementId,
      grossPence,
      refundsPence,
      feesPence,
      carriedPence,
      currency: CURRENCY,
      destination,
      statementReference: statementReferenceOf(vault, of),
    },
    now,
  );
  await net(tx, merchantId, settlementId, netted);
  if (feesPence > 0) await insertFeeTransfer(tx, merchantId, settlementId, now);
  await reserveSettlement(deps, tx, now, { merchantId, settlementId, amountPence, attempt: 1 });
  await reserveOwed(deps, asked, settlementId);
  const change = {
    merchantId,
    objectId: settlementId,
    scheduleId: null,
    from: null,
    to: 'pending',
  };
  await recordChanges(tx, now, [{ ...change, reason: 'the business day has come' }]);
  return 'opened';
}

/** Takes newly netted debts out of the merchant's wallet: the money goes to the issuer, which has paid it back. */
async function reserveOwed(
  deps: SettlementDeps,
  { tx, now, merchantId }: Asked,
  settlementId: string,
): Promise<void> {
  const debts = await netDebts(tx, merchantId, settlementId, now);
  if (debts.length === 0) return;
  const { accountId } = await deps.merchantWallet(tx, merchantId);
  const postings = debts.map(
    (debt): Posting => ({
      merchantId,
      kind: 'net',
      debit: accountId,
      credit: IN_SETTLEMENT,
      amountPence: debt.amountPence,
      sourceId: debt.debtId,
    }),
  );
  await post({ platform: deps.platform, tx, now }, postings);
}
