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
  const extra = await platform.db.read((tx) => findExtra(tx, movementId));
  if (extra === null) throw new Refusal(`no extra pay-in ${movementId} is booked`);
  checkFree(extra);
  const held = await heldByIssuer(issuer, extra);
  return platform.db.transaction(async (tx) => {
    const now = platform.clock.now();
    await checkBalance(tx, extra, held);
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

function findExtra(tx: Tx, movementId: string): Promise<Extra | null> {
  return tx.row<Extra>(
    `SELECT t.merchant_id, t.credit_account_id AS wallet_id, w.issuer_wallet_id, t.amount_pence,
            EXISTS (SELECT 1 FROM transfers b WHERE b.merchant_id = t.merchant_id AND b.source_id = t.source_id
              AND b.kind = 'pay_out') AS is_returned,
            p.payment_id, p.status AS payment_status, a.status AS attempt_status
     FROM transfers t
     JOIN wallets w ON w.merchant_id = t.merchant_id AND w.wallet_id = t.credit_account_id
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

/** The wallet's account is held, so that our balance does not change under the comparison. */
async function checkBalance(tx: Tx, extra: Extra, held: number): Promise<void> {
  const account = await tx.row<{ balance_pence: number }>(
    'SELECT balance_pence FROM accounts WHERE merchant_id = $1 AND account_id = $2 FOR UPDATE',
    [extra.merchant_id, extra.wallet_id],
  );
  const busy = await tx.row<{ payment_id: string }>(
    `SELECT payment_id FROM payments WHERE merchant_id = $1 AND wallet_id = $2 AND stage = 'move' LIMIT 1`,
    [extra.merchant_id, extra.wallet_id],
  );
  if (busy !== null)
    throw new Refusal(`money of the payment ${busy.payment_id} is on its way: try again later`);
  const balance = account?.balance_pence ?? 0;
  if (held > balance - extra.amount_pence)
    throw new Refusal(
      `the issuer holds ${held} pence in the wallet, our ledger ${balance}: the money has not gone back`,
    );
}
