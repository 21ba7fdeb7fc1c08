import { columns } from '../../../server/src/platform/db/columns.ts';
import type { Tx } from '../../../server/src/platform/db/db.ts';
import { mapInParallel } from '../../../server/src/platform/network/concurrency-limits.ts';
import { post } from '../../../server/src/wallets/ledger-store.ts';
import {
  type OpenPayment,
  type Outgoing,
  payAtBank,
  sendEvent,
  successBody,
  toOrder,
  WIDTH,
} from './calls.ts';
import type { Due, Enqueue, EventToSend, Jobs, PeerDeps } from './peer.ts';

// What an engineer would write first in a job of a library: the bank call, the postings and the delivery, in the same tables,
// with as few statements as possible. Left out, although the service does it: the audit trail, marking payments as sent,
// sequence numbers, the issuer's notice of the money, the log of delivery attempts. A job that is run again collects the next
// occurrence.

const OPEN = `
  WITH due AS (
    SELECT s.merchant_id, n.payment_id, s.schedule_id, s.customer_id, s.consent_id, a.due_at, c.bank_id, c.bank_consent_id,
           g.bank_grant, c.initiation, t.amount_pence, t.currency, c.wallet_id, f.issuer_wallet_id AS from_wallet,
           m.issuer_wallet_id AS to_wallet, m.wallet_id AS to_account
    FROM unnest($1::text[], $2::text[], $3::text[]) AS n (merchant_id, schedule_id, payment_id)
    JOIN schedules s ON s.merchant_id = n.merchant_id AND s.schedule_id = n.schedule_id
    JOIN schedule_agenda a ON a.merchant_id = n.merchant_id AND a.schedule_id = n.schedule_id
    JOIN schedule_terms t ON t.merchant_id = s.merchant_id AND t.schedule_id = s.schedule_id AND t.version = s.live_version
    JOIN consents c ON c.merchant_id = s.merchant_id AND c.consent_id = s.consent_id AND c.status = 'granted'
    JOIN bank_grants g ON g.merchant_id = c.merchant_id AND g.consent_id = c.consent_id
    JOIN wallets f ON f.merchant_id = c.merchant_id AND f.wallet_id = c.wallet_id
    JOIN wallets m ON m.merchant_id = s.merchant_id AND m.customer_id IS NULL AND m.status = 'open'
    WHERE s.status = 'active'
  ), opened AS (
    INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence,
      currency, due_date, status, attempts, created_at)
    SELECT merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence, currency, due_at,
      'processing', 1, $4 FROM due
    ON CONFLICT (merchant_id, schedule_id, due_date, ad_hoc) DO NOTHING
  ), attempted AS (
    INSERT INTO attempts (merchant_id, payment_id, number, manual, status, started_at)
    SELECT merchant_id, payment_id, 1, false, 'started', $4 FROM due
  ), moved_on AS (
    UPDATE schedule_agenda a SET next_occurrence = a.next_occurrence + 1, due_at = a.due_at + interval '1 month'
    FROM due d WHERE a.merchant_id = d.merchant_id AND a.schedule_id = d.schedule_id
  )
  SELECT * FROM due`;

const RECORD = `
  WITH done AS (
    UPDATE payments p SET status = 'success', completed_at = $6
    FROM unnest($1::text[], $2::text[]) AS d (merchant_id, payment_id)
    WHERE p.merchant_id = d.merchant_id AND p.payment_id = d.payment_id
    RETURNING p.merchant_id, p.payment_id, p.amount_pence
  ), settled AS (
    INSERT INTO to_settle (merchant_id, payment_id, settle_at, amount_pence)
    SELECT merchant_id, payment_id, $6::timestamptz + interval '1 day', amount_pence FROM done
  ), paid AS (
    UPDATE attempts a SET status = 'success', finished_at = $6, bank_payment_id = 'bp-' || a.payment_id
    FROM unnest($1::text[], $2::text[]) AS d (merchant_id, payment_id)
    WHERE a.merchant_id = d.merchant_id AND a.payment_id = d.payment_id AND a.number = 1
  )
  INSERT INTO events (merchant_id, event_id, kind, schedule_id, subject_id, body, created_at)
  SELECT merchant_id, event_id, 'collection.success', schedule_id, payment_id, body, $6
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
    AS e (merchant_id, payment_id, schedule_id, event_id, body)`;

/** Collects what is due: two transactions, with the partner calls between them. `enqueue` is called in the second one. */
async function collect(
  stand: PeerDeps,
  due: readonly Due[],
  enqueue: Enqueue,
): Promise<EventToSend[]> {
  const { db, platform } = stand.world;
  const now = platform.clock.now();
  const opened = await db.transaction((tx) =>
    tx.rows<OpenPayment>(OPEN, [
      ...columns(due, 'merchantId', 'scheduleId'),
      due.map(() => platform.ids.next('pay', now)),
      now,
    ]),
  );
  await mapInParallel(opened, WIDTH, (payment) => payAtBank(stand, payment));
  await stand.issuer.transfer(opened.map(toOrder));
  return db.transaction((tx) => record(tx, platform, opened, enqueue));
}

async function record(
  tx: Tx,
  { clock, ids }: PeerDeps['world']['platform'],
  opened: readonly OpenPayment[],
  enqueue: Enqueue,
): Promise<EventToSend[]> {
  const now = clock.now();
  const tells = opened.map(({ merchantId }) => ({
    merchantId,
    eventId: ids.next('evt', now),
  }));
  const postings = opened.flatMap((p) => {
    const one = { merchantId: p.merchantId, amountPence: p.amountPence, sourceId: p.paymentId };
    return [
      { ...one, kind: 'pay_in' as const, debit: 'outside', credit: p.walletId },
      { ...one, kind: 'move' as const, debit: p.walletId, credit: p.toAccount },
    ];
  });
  await post({ platform: { ids }, tx, now }, postings);
  await tx.run(RECORD, [
    ...columns(opened, 'merchantId', 'paymentId', 'scheduleId'),
    tells.map((t) => t.eventId),
    opened.map((p) => successBody(p, now)),
    now,
  ]);
  await enqueue(tx, tells);
  return tells;
}

const OUTGOING = `
  SELECT v.merchant_id, v.event_id, v.body, v.sequence, w.endpoint_id, w.url, w.secret
  FROM unnest($1::text[], $2::text[]) AS t (merchant_id, event_id)
  JOIN events v USING (merchant_id, event_id) JOIN webhook_endpoints w USING (merchant_id)`;

const DELIVERED = `
  INSERT INTO deliveries (merchant_id, delivery_id, event_id, endpoint_id, status, attempts, created_at, finished_at)
  SELECT *, 'delivered', 1, $5::timestamptz, $5::timestamptz
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])`;

/** Delivers events, and records that they were acknowledged. Throws if one was not. */
async function deliver(stand: PeerDeps, tells: readonly EventToSend[]): Promise<void> {
  const { db, platform } = stand.world;
  const rows = await db.read((tx) =>
    tx.rows<Outgoing>(OUTGOING, columns(tells, 'merchantId', 'eventId')),
  );
  await mapInParallel(rows, WIDTH, async (row) => {
    const { error } = await sendEvent(stand, row);
    if (error !== null) throw new Error(error);
  });
  const now = platform.clock.now();
  const [merchants, events, endpoints] = columns(rows, 'merchantId', 'eventId', 'endpointId');
  const ids = rows.map(() => platform.ids.next('del', now));
  await db.transaction((tx) => tx.run(DELIVERED, [merchants, ids, events, endpoints, now]));
}

/** The bank's word is enough. */
const ignoreNotices = () => async (): Promise<void> => undefined;

export const quickJobs: Jobs = {
  how: 'as quick as it goes',
  collect,
  deliver,
  receive: ignoreNotices,
};
