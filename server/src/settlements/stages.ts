import { isDatabaseFailure } from '../platform/db/isolate-failures.ts';
import { claim, earliestDue } from '../platform/engine/claim.ts';
import type { Stage } from '../platform/engine/stage.ts';
import { mapInParallel } from '../platform/network/concurrency-limits.ts';
import type { Issuer, Movement } from '../wallets/issuer.ts';
import { findPayOut, isKeySafe } from '../wallets/orders.ts';
import { orderPayOut, type PayOutAnswer } from '../wallets/pay-out.ts';
import { destinationOfRow, type SettlementDeps } from './destination.ts';
import { noteOrdered } from './held-store.ts';
import { openSettlements, postponeAll } from './opening.ts';
import { isOtherAmount, recordAsked, recordOtherAmount, recordPayOut } from './service.ts';
import {
  isPayOutKeyOf,
  issuerReferenceIn,
  orderedReference,
  payOutKey,
  possibleReferences,
  settlementIdOf,
  statementReferenceOf,
} from './settlement.ts';
import { daysPassed, payOutMoment } from './settlement-day.ts';
import {
  type CarriedSettlement,
  CLAIMED_COLUMNS,
  findCarriedInto,
  findMerchantsDue,
  findOldestMoney,
  findReservedAt,
  hasDay,
  lockMerchant,
  nextSettlement,
  paysAnother,
  type SettlementRow,
} from './store.ts';

/** Enough for fifty pay-outs, sixteen at a time, each ordered and looked up in at most ten seconds, and recorded. */
const LEASE_MS = 180_000;
const CONCURRENCY = 16;

/** How long to wait before retrying a merchant whose settlement could not be opened. */
const AFTER_ERROR = Temporal.Duration.from({ hours: 1 });

/** Opens the settlements of merchants with money due, each in its own transaction. */
export function openSettlementsStage(deps: SettlementDeps): Stage {
  const { platform } = deps;
  return {
    name: 'settlements.open',
    batch: 50,
    ...nextSettlement,
    async run(now, limit) {
      const merchants = await platform.db.read((tx) => findMerchantsDue(tx, now, limit));
      let done = 0;
      let stuck: unknown = null;
      for (const merchantId of merchants)
        try {
          if (await openOrPostpone(deps, now, merchantId)) done++;
        } catch (error) {
          if (isDatabaseFailure(error)) throw error;
          stuck = error;
        }
      if (done === 0 && stuck !== null) throw stuck;
      return done;
    },
  };
}

/**
 * Opens a merchant's settlements; if that fails, postpones the merchant, so that the others are not blocked. Returns false if
 * another process has the merchant. Throws if it cannot be postponed either.
 */
async function openOrPostpone(
  deps: SettlementDeps,
  now: Temporal.Instant,
  merchantId: string,
): Promise<boolean> {
  const { db, log } = deps.platform;
  try {
    return await db.transaction(async (tx) => {
      if (!(await lockMerchant(tx, merchantId))) return false;
      await openSettlements(deps, { tx, now, merchantId });
      return true;
    });
  } catch (error) {
    if (isDatabaseFailure(error)) throw error;
    log.report('settlement.open_failed', { merchant_id: merchantId, err: error });
    await db.transaction((tx) => postponeAll({ tx, now, merchantId }, now.add(AFTER_ERROR)));
    return true;
  }
}

/** Orders due pay-outs at the issuer, under a key of our own. */
export function payStage(deps: SettlementDeps, issuer: Issuer): Stage {
  return askingStage(deps, 'pay', async (row) => {
    const { db, clock } = deps.platform;
    const idempotencyKey = payOutKey(row.settlementId, row.attempts);
    const [wallet, firstAt, carried] = await db.read(async (tx) => [
      await deps.merchantWallet(tx, row.merchantId),
      await findReservedAt(tx, row.merchantId, idempotencyKey),
      await findCarriedInto(tx, row.merchantId, row.settlementId),
    ]);
    if (wallet.issuerWalletId === null) throw new Error("the merchant's wallet is not open yet");
    const lost = await findLostDays(deps, row);
    const places = { issuerWalletId: wallet.issuerWalletId, earlier: [...carried, ...lost] };
    const forgotten = await findForgotten(deps, issuer, row, places);
    if (forgotten !== null) return forgotten;
    const order = {
      idempotencyKey,
      fromIssuerWalletId: wallet.issuerWalletId,
      destination: destinationOfRow(deps.platform, row),
      amountPence: row.amountPence,
      reference: orderedReference(row),
    };
    // The issuer may have forgotten the key: then the same order would be paid out twice.
    const mayRepeat = firstAt === null || isKeySafe(issuer.limits, firstAt, clock.now());
    if (!mayRepeat)
      for (const reference of possibleReferences(row)) {
        const made = await findPayOut(issuer, { ...order, reference }, firstAt);
        if (made !== null) return made;
      }
    return await orderPayOut(issuer, order);
  });
}

/**
 * Returns the settlements of earlier days that a lost database may have paid out, with money that this settlement pays out now:
 * the books know of none on those days.
 */
function findLostDays(
  { platform }: SettlementDeps,
  { merchantId, settlementId, settleDate, part }: SettlementRow,
): Promise<CarriedSettlement[]> {
  return platform.db.read(async (tx) => {
    const waitsSince = await findOldestMoney(tx, merchantId, settlementId);
    if (waitsSince === null) return [];
    const lost: CarriedSettlement[] = [];
    for (const day of daysPassed(waitsSince, settleDate)) {
      if (await hasDay(tx, merchantId, day)) continue;
      const of = { merchantId, day, part };
      lost.push({
        settlementId: settlementIdOf(platform.vault, of),
        statementReference: statementReferenceOf(platform.vault, of),
        issuerReference: null,
        attempts: 0,
        createdAt: payOutMoment(day),
      });
    }
    return lost;
  });
}

/**
 * Finds a pay-out of another settlement under a key that our books do not know: a lost database retried a failed one by hand, or
 * opened one of an earlier day, and its money is gone. Null: none, it came back, or it counts for another settlement already.
 */
async function findForgotten(
  { platform }: SettlementDeps,
  issuer: Issuer,
  row: SettlementRow,
  { issuerWalletId, earlier }: { issuerWalletId: string; earlier: readonly CarriedSettlement[] },
): Promise<Movement | null> {
  for (const settlement of earlier) {
    const { settlementId: id, attempts, createdAt: since } = settlement;
    const known = new Set(Array.from({ length: attempts }, (_, n) => payOutKey(id, n + 1)));
    const found: Movement[] = [];
    for (const reference of possibleReferences(settlement))
      found.push(...(await issuer.findByReference(issuerWalletId, reference, since)));
    // A reference may be that of another settlement, whose pay-out the issuer named: the key tells.
    const forgotten = found.filter(
      ({ kind, status, idempotencyKey: key }) =>
        kind === 'payout' &&
        status !== 'failed' &&
        key !== null &&
        isPayOutKeyOf(id, key) &&
        !known.has(key),
    );
    for (const movement of forgotten) {
      if (await cameBack(issuer, issuerWalletId, movement)) continue;
      const { movementId } = movement;
      if (!(await platform.db.read((tx) => paysAnother(tx, row, movementId)))) return movement;
    }
  }
  return null;
}

/** Whether a pay-out has come back: its money is in the wallet again. */
async function cameBack(
  issuer: Issuer,
  issuerWalletId: string,
  { movementId, createdAt }: Movement,
): Promise<boolean> {
  for await (const { kind, originalMovementId } of issuer.listMovements(issuerWalletId, createdAt))
    if (kind === 'payout_return' && originalMovementId === movementId) return true;
  return false;
}

/** Polls the issuer about pay-outs in progress until they end; a notification makes one due now. */
export function trackSettlementsStage(deps: SettlementDeps, issuer: Issuer): Stage {
  return askingStage(deps, 'track', (row) => issuer.readMovement(row.issuerMovementId ?? ''));
}

function askingStage(
  deps: SettlementDeps,
  stage: 'pay' | 'track',
  ask: (row: SettlementRow) => Promise<PayOutAnswer>,
): Stage {
  const { platform } = deps;
  return {
    name: `settlements.${stage}`,
    batch: 50,
    ...earliestDue('settlements', `stage = '${stage}'`),
    async run(now, limit) {
      const rows = await platform.db.transaction((tx) =>
        claim<SettlementRow>(tx, now, LEASE_MS, limit, {
          table: 'settlements',
          key: ['merchant_id', 'settlement_id'],
          where: `t.stage = '${stage}'`,
          set: 'polls = t.polls + 1',
          returning: CLAIMED_COLUMNS,
        }),
      );
      const { db, clock } = platform;
      const going =
        stage === 'pay' ? await db.transaction((tx) => noteOrdered(tx, clock, rows)) : rows;
      await mapInParallel(going, CONCURRENCY, async (row) => {
        const answer = await callOrNull(deps, row, ask);
        await recordAnswer(deps, row, answer).catch((error: unknown) => {
          if (isDatabaseFailure(error)) throw error;
          const name = { settlement_id: row.settlementId, err: error };
          platform.log.report('settlement.outcome_not_recorded', name);
        });
      });
      return rows.length;
    },
  };
}

/** Records what the issuer answered, and another reference that it says the pay-out has: a lost database may have ordered it. */
function recordAnswer(
  deps: SettlementDeps,
  claimed: SettlementRow,
  answer: PayOutAnswer | null,
): Promise<void> {
  const row = { ...claimed, issuerReference: issuerReferenceIn(claimed, answer?.reference) };
  return deps.platform.db.transaction(async (tx) => {
    const at = deps.platform.clock.now();
    if (answer !== null && isOtherAmount(row, answer))
      await recordOtherAmount(deps, tx, at, row, answer);
    else if (answer === null || answer.status === 'pending')
      await recordAsked(tx, at, row, answer?.movementId ?? null);
    else await recordPayOut(deps, tx, at, row, answer);
  });
}

/** Runs a call. Null: the outcome of the pay-out is unknown; the call is retried under the same key. */
async function callOrNull(
  deps: SettlementDeps,
  row: SettlementRow,
  ask: (row: SettlementRow) => Promise<PayOutAnswer>,
): Promise<PayOutAnswer | null> {
  try {
    return await ask(row);
  } catch (error) {
    const name = { settlement_id: row.settlementId, err: error };
    deps.platform.log.report('settlement.outcome_unknown', name);
    return null;
  }
}
