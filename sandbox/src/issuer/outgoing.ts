import { request } from 'undici';
import { isoInstant } from '../clock.ts';
import { inParallel } from '../parallel.ts';
import type { Store } from '../store.ts';
import type { IssuerConfig } from './config.ts';

/** Faster Payments to the accounts of the sandbox's banks: what a pay-out or a recall pays there. */

interface Outgoing {
  movement_id: string;
  tries: number;
  amount: number;
  reference: string;
  party_sort_code: string;
  party_account_number: string;
  party_name: string;
  /** The account and the name of the wallet that it comes from. */
  sort_code: string;
  account_number: string;
  holder_name: string;
}

const BATCH = 200;
const CONCURRENCY = 32;
const TIME_OUT_MS = 10_000;
const FIRST_WAIT_SECONDS = 30;
/** After this many failures, a few days of sandbox time, it is no longer tried. */
const MAX_TRIES = 14;
/** The bank has no such account: nearly every settlement account is elsewhere. */
const NOT_HERE = 404;

/** Schedules the payment of a settled movement at `at`; call it in the transaction of the movement. */
export function planOutgoing(store: Store, movementId: string, at: string): void {
  const sql = 'INSERT INTO outgoing (movement_id, due_at) VALUES (:movementId, :at)';
  store.run(sql, { movementId, at });
}

/** Returns when the next payment is due to be sent, or null. */
export function nextOutgoingAt(store: Store): string | null {
  const row = store.get<{ at: string | null }>('SELECT min(due_at) AS at FROM outgoing');
  return row?.at ?? null;
}

/** Sends the payments due at or before `at`; what fails is tried again with backoff. Without an address nothing is sent. */
export async function sendOutgoing(
  store: Store,
  { url, secret }: IssuerConfig['faster_payments'],
  at: Temporal.Instant,
): Promise<void> {
  const due = store.all<Outgoing>(
    `SELECT o.movement_id, o.tries, m.amount, m.reference, m.party_sort_code, m.party_account_number, m.party_name,
       w.sort_code, w.account_number, w.holder_name
     FROM outgoing o JOIN movements m ON m.movement_id = o.movement_id
     LEFT JOIN movements first ON first.movement_id = m.original_id
     JOIN wallets w ON w.wallet_id = coalesce(first.to_wallet, m.from_wallet)
     WHERE o.due_at <= :at ORDER BY o.due_at, m.seq LIMIT :limit`,
    { at: isoInstant(at), limit: BATCH },
  );
  await inParallel(due, CONCURRENCY, async (payment) => {
    const isDone = url === undefined || (await send(url, secret, payment));
    if (isDone || payment.tries + 1 >= MAX_TRIES) remove(store, payment);
    else postpone(store, payment, at);
  });
}

function remove(store: Store, { movement_id: id }: Outgoing): void {
  store.run('DELETE FROM outgoing WHERE movement_id = :id', { id });
}

function postpone(store: Store, { movement_id: id, tries }: Outgoing, at: Temporal.Instant): void {
  const due = isoInstant(at.add({ seconds: FIRST_WAIT_SECONDS * 2 ** tries }));
  store.run('UPDATE outgoing SET tries = tries + 1, due_at = :due WHERE movement_id = :id', {
    due,
    id,
  });
}

/** Returns false if the bank did not answer, or could not take it now. */
async function send(url: string, secret: string, payment: Outgoing): Promise<boolean> {
  const message = {
    payment_id: payment.movement_id,
    reference: payment.reference,
    amount: { value: payment.amount, currency: 'GBP' },
    creditor: {
      sort_code: payment.party_sort_code,
      account_number: payment.party_account_number,
      name: payment.party_name,
    },
    debtor: {
      sort_code: payment.sort_code,
      account_number: payment.account_number,
      name: payment.holder_name,
    },
  };
  try {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(message),
      headersTimeout: TIME_OUT_MS,
      bodyTimeout: TIME_OUT_MS,
    });
    await body.dump();
    return statusCode === 200 || statusCode === NOT_HERE;
  } catch {
    return false;
  }
}
