import type { Tx } from '../platform/db.ts';
import type { Platform } from '../platform/platform.ts';
import { unguessed } from '../platform/unguessed.ts';
import { OUTSIDE, post } from '../wallets/ledger.ts';
import { findWallet } from '../wallets/store.ts';
import { bookPayIns, recordOutcomes } from './outcomes.ts';
import {
  type AttemptRef,
  type PaymentStatus,
  type RecordedRow,
  readInstructionId,
} from './payment.ts';
import { revive } from './revive.ts';

/** Money that the issuer says has arrived in a wallet. */
export interface PayInNotice {
  merchantId: string;
  walletId: string;
  movementId: string;
  endToEndId: string;
  amountPence: number;
}

type Row = RecordedRow & { status: PaymentStatus; stage: string | null };

const LOCKED =
  'merchant_id, payment_id, schedule_id, wallet_id, amount_pence, currency, attempts, manual, status, stage';

/**
 * The issuer's pay-in notice: the surest word that an attempt worked. It counts whatever we believed before, because
 * the money is there; what belongs to no attempt of ours stays in the wallet and is booked as such.
 */
export async function takePayIn(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  notice: PayInNotice,
): Promise<void> {
  const named = readInstructionId(notice.endToEndId);
  const row = named === null ? null : await lockPayment(tx, notice.merchantId, named.paymentId);
  if (named === null || row === null || !isFor(row, notice))
    return bookExtra(platform, tx, now, notice);
  const ref = {
    merchantId: notice.merchantId,
    paymentId: row.payment_id,
    scheduleId: row.schedule_id,
    attempt: named.attempt,
  };
  const attempt = await noteMoney(tx, ref, notice.movementId);
  if (attempt === 'repeated') return;
  if (attempt === 'paid_already') return bookExtra(platform, tx, now, notice);
  if (isUnderWay(row, named.attempt))
    return recordOutcomes(platform, tx, now, [
      { ref, outcome: { kind: 'credited', bankPaymentId: null, bankStatus: null } },
    ]);
  if (attempt === 'success') return; // the bank told first
  if (row.status === 'processing' || row.status === 'success')
    return bookExtra(platform, tx, now, notice);
  await bookPayIns(platform, tx, now, [row]);
  await revive(platform, tx, now, row, named.attempt, row.status);
}

/**
 * The same for many notices at once. Answers those that were not taken in, because they are not the first word on an attempt
 * that is under way: each of them has to be taken in alone.
 */
export async function takePayIns(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  notices: readonly PayInNotice[],
): Promise<Set<PayInNotice>> {
  const [only, ...others] = notices;
  if (only !== undefined && others.length === 0) await takePayIn(platform, tx, now, only);
  if (only === undefined || others.length === 0) return new Set();
  const expected = await findExpected(tx, notices);
  await recordOutcomes(
    platform,
    tx,
    now,
    expected.map(({ ref, notice }) => ({
      ref,
      outcome: {
        kind: 'credited',
        bankPaymentId: null,
        bankStatus: null,
        payInId: notice.movementId,
      },
    })),
  );
  const taken = new Set(expected.map(({ notice }) => notice));
  return new Set(notices.filter((notice) => !taken.has(notice)));
}

interface Expected {
  notice: PayInNotice;
  ref: AttemptRef;
}

/** Notices that are the first word on an attempt under way, with its amount and in its wallet; their payments are held. */
async function findExpected(tx: Tx, notices: readonly PayInNotice[]): Promise<Expected[]> {
  const named = notices.flatMap((notice) => {
    const name = readInstructionId(notice.endToEndId);
    return name === null ? [] : [{ notice, ...name }];
  });
  const merchants = named.map(({ notice }) => notice.merchantId);
  const payments = named.map(({ paymentId }) => paymentId);
  const rows = await tx.rows<Row>(
    `SELECT ${LOCKED} FROM payments WHERE (merchant_id, payment_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY merchant_id, payment_id FOR UPDATE`,
    [merchants, payments],
  );
  const unpaid = await tx.rows<{ payment_id: string; number: number }>(
    `SELECT a.payment_id, a.number FROM unnest($1::text[], $2::text[], $3::int[]) AS r (merchant_id, payment_id, number)
     JOIN attempts a USING (merchant_id, payment_id, number) WHERE ${unguessed('a.pay_in_id IS NULL')}`,
    [merchants, payments, named.map(({ attempt }) => attempt)],
  );
  const byPayment = new Map(rows.map((row) => [row.payment_id, row]));
  const isUnpaid = new Set(unpaid.map((one) => `${one.payment_id} ${one.number}`));
  const seen = new Set<string>();
  return named.flatMap(({ notice, paymentId, attempt }) => {
    const row = byPayment.get(paymentId);
    if (row === undefined || seen.has(paymentId) || !isUnpaid.has(`${paymentId} ${attempt}`))
      return [];
    if (!isFor(row, notice) || !isUnderWay(row, attempt)) return [];
    seen.add(paymentId);
    const { merchant_id: merchantId, schedule_id: scheduleId } = row;
    return [{ notice, ref: { merchantId, paymentId, scheduleId, attempt } }];
  });
}

const isFor = (row: Row, notice: PayInNotice): boolean =>
  row.merchant_id === notice.merchantId &&
  row.amount_pence === notice.amountPence &&
  row.wallet_id === notice.walletId;

const isUnderWay = (row: Row, attempt: number): boolean =>
  row.status === 'processing' && row.stage !== 'move' && row.attempts === attempt;

function lockPayment(tx: Tx, merchantId: string, paymentId: string): Promise<Row | null> {
  return tx.row<Row>(
    `SELECT ${LOCKED} FROM payments WHERE merchant_id = $1 AND payment_id = $2 FOR UPDATE`,
    [merchantId, paymentId],
  );
}

/**
 * Notes which pay-in brought the money of an attempt, and answers how the attempt stands; or that this pay-in was told of
 * before, or that another one had brought the money already.
 */
async function noteMoney(
  tx: Tx,
  ref: AttemptRef,
  movementId: string,
): Promise<'repeated' | 'paid_already' | string> {
  const found = await tx.row<{ status: string; pay_in_id: string | null }>(
    `SELECT status, pay_in_id FROM attempts WHERE merchant_id = $1 AND payment_id = $2 AND number = $3 FOR UPDATE`,
    [ref.merchantId, ref.paymentId, ref.attempt],
  );
  if (found?.pay_in_id === movementId) return 'repeated';
  if (found === null || found.pay_in_id !== null) return 'paid_already';
  await tx.run(
    'UPDATE attempts SET pay_in_id = $4 WHERE merchant_id = $1 AND payment_id = $2 AND number = $3',
    [ref.merchantId, ref.paymentId, ref.attempt, movementId],
  );
  return found.status;
}

/**
 * Money that no payment waits for: it stays in the wallet, booked once, and somebody must look at it. A wallet that is not
 * open in our books yet will be: then this is repeated.
 */
async function bookExtra(
  platform: Platform,
  tx: Tx,
  now: Temporal.Instant,
  notice: PayInNotice,
): Promise<void> {
  if ((await findWallet(tx, notice.merchantId, notice.walletId)) === null) {
    platform.log.error(
      { movement_id: notice.movementId, wallet_id: notice.walletId },
      'money came to a wallet that is not ours',
    );
    return;
  }
  const booked = await tx.row<{ transfer_id: string }>(
    `SELECT transfer_id FROM transfers WHERE merchant_id = $1 AND source_id = $2 AND kind = 'extra_pay_in'`,
    [notice.merchantId, notice.movementId],
  );
  if (booked !== null) return;
  platform.log.error({ movement_id: notice.movementId }, 'money came that no payment waits for');
  await post(tx, platform.ids, now, [
    {
      merchantId: notice.merchantId,
      kind: 'extra_pay_in',
      debit: OUTSIDE,
      credit: notice.walletId,
      amountPence: notice.amountPence,
      sourceId: notice.movementId,
    },
  ]);
}
