import { recordChanges } from '../platform/audit-trail.ts';
import type { Tx } from '../platform/db.ts';
import type { Platform } from '../platform/platform.ts';
import type { Issuer } from '../wallets/issuer.ts';
import { OUTSIDE, post } from '../wallets/ledger.ts';
import { Refusal } from './give-up.ts';

interface Extra {
  merchant_id: string;
  wallet_id: string;
  issuer_wallet_id: string;
  amount_pence: number;
  /** What the wallet holds, in our ledger. */
  balance_pence: number;
  is_returned: boolean;
  /** The payment whose failed attempt this money belongs to; null: it names none. */
  payment_id: string | null;
  payment_status: string | null;
  attempt_status: string | null;
}

/**
 * Books that the issuer has sent an extra pay-in back where it came from: out of the customer's wallet, once, with the
 * reason in the audit trail. Answers the pence. Throws `Refusal` where there is no such pay-in, where it pays or may yet pay
 * for a payment, or where the issuer still holds the money.
 */
export async function recordReturn(
  { platform, issuer }: { platform: Platform; issuer: Issuer },
  movementId: string,
  reason: string,
): Promise<number> {
  const asked = await platform.db.read((tx) => findFree(tx, movementId));
  const held = await heldByIssuer(issuer, asked);
  return platform.db.transaction(async (tx) => {
    const now = platform.clock.now();
    await holdWallet(tx, asked);
    const extra = await findFree(tx, movementId);
    checkBalance(asked, extra, held);
    await checkQuiet(tx, extra);
    const { merchant_id: merchantId, wallet_id: walletId, amount_pence: amountPence } = extra;
    await post(tx, platform.ids, now, [
      {
        merchantId,
        kind: 'pay_out',
        debit: walletId,
        credit: OUTSIDE,
        amountPence,
        sourceId: movementId,
      },
    ]);
    await recordChanges(tx, now, [
      {
        merchantId,
        objectId: movementId,
        scheduleId: null,
        from: 'extra',
        to: 'returned',
        reason,
      },
    ]);
    return amountPence;
  });
}

/** The pay-in, where its return may be booked. */
async function findFree(tx: Tx, movementId: string): Promise<Extra> {
  const extra = await findExtra(tx, movementId);
  if (extra === null) throw new Refusal(`no extra pay-in ${movementId} is booked`);
  checkFree(extra);
  return extra;
}

function findExtra(tx: Tx, movementId: string): Promise<Extra | null> {
  return tx.row<Extra>(
    `SELECT t.merchant_id, t.credit_account_id AS wallet_id, w.issuer_wallet_id, t.amount_pence, c.balance_pence,
            EXISTS (SELECT 1 FROM transfers b WHERE b.merchant_id = t.merchant_id AND b.source_id = t.source_id
              AND b.kind = 'pay_out') AS is_returned,
            p.payment_id, p.status AS payment_status, a.status AS attempt_status
     FROM transfers t
     JOIN wallets w ON w.merchant_id = t.merchant_id AND w.wallet_id = t.credit_account_id
     JOIN accounts c ON c.merchant_id = t.merchant_id AND c.account_id = t.credit_account_id
     LEFT JOIN attempts a ON a.merchant_id = t.merchant_id AND a.pay_in_id = t.source_id
     LEFT JOIN payments p ON p.merchant_id = a.merchant_id AND p.payment_id = a.payment_id
     WHERE t.kind = 'extra_pay_in' AND t.source_id = $1`,
    [movementId],
  );
}

/** An attempt that was taken for failed may be paid by this money yet, while a later one is under way. */
function checkFree(extra: Extra): void {
  if (extra.is_returned) throw new Refusal('its return is booked already');
  if (extra.attempt_status === 'success')
    throw new Refusal(`it has paid for the payment ${extra.payment_id}`);
  if (extra.payment_id !== null && extra.payment_status !== 'success')
    throw new Refusal(
      `the payment ${extra.payment_id} is ${extra.payment_status} and may be paid by it: wait for its end`,
    );
}

async function heldByIssuer(issuer: Issuer, extra: Extra): Promise<number> {
  try {
    return (await issuer.readWallet(extra.issuer_wallet_id)).balancePence;
  } catch (cause) {
    throw new Refusal('the issuer does not tell what the wallet holds: try again later', { cause });
  }
}

/** Two operators at one moment: the second one finds what the first one has booked. */
async function holdWallet(tx: Tx, { merchant_id, wallet_id }: Extra): Promise<void> {
  await tx.run('SELECT 1 FROM accounts WHERE merchant_id = $1 AND account_id = $2 FOR UPDATE', [
    merchant_id,
    wallet_id,
  ]);
}

/** What the issuer held is compared with what our ledger said before and says after it was asked: money comes and goes. */
function checkBalance(asked: Extra, extra: Extra, held: number): void {
  if (extra.balance_pence !== asked.balance_pence)
    throw new Refusal('our ledger has changed while the issuer was asked: try again');
  if (held > extra.balance_pence - extra.amount_pence)
    throw new Refusal(
      `the issuer holds ${held} pence in the wallet, our ledger ${extra.balance_pence}: the money has not gone back`,
    );
}

async function checkQuiet(tx: Tx, { merchant_id, wallet_id }: Extra): Promise<void> {
  const [busy] = await tx.rows<{ payment_id: string }>(
    `SELECT payment_id FROM payments WHERE merchant_id = $1 AND wallet_id = $2 AND stage = 'move' LIMIT 1`,
    [merchant_id, wallet_id],
  );
  if (busy !== undefined)
    throw new Refusal(`money of the payment ${busy.payment_id} is on its way: try again later`);
}
