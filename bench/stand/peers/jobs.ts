import { openGrant, openInitiation } from '../../../server/src/consents/grant.ts';
import { mapInParallel } from '../../../server/src/platform/concurrency-limits.ts';
import type { Tx } from '../../../server/src/platform/db.ts';
import { openEventBody } from '../../../server/src/platform/events.ts';
import { post } from '../../../server/src/wallets/ledger-store.ts';
import { webhookRequest } from '../../../server/src/webhooks/request.ts';
import { secretContext } from '../../../server/src/webhooks/service.ts';
import type { Due, PeerStand, Tell } from './peer.ts';

// What a good engineer would write in a job of a library: the bank call, the postings and the delivery, in the same tables, with
// as few statements as possible. Left out, although the service does it: leases, the audit trail, marking payments as sent,
// sequence numbers, the log of delivery attempts.

const WIDTH = 32;

interface Opened {
  merchant_id: string;
  payment_id: string;
  schedule_id: string;
  consent_id: string;
  bank_consent_id: string;
  bank_grant: string;
  initiation: string;
  amount_pence: number;
  currency: 'GBP';
  wallet_id: string;
  from_wallet: string;
  to_wallet: string;
  to_account: string;
}

const OPEN = `
  WITH due AS (
    SELECT s.merchant_id, n.payment_id, s.schedule_id, s.customer_id, s.consent_id, s.due_at, c.bank_id, c.bank_consent_id,
           c.bank_grant, c.initiation, t.amount_pence, t.currency, c.wallet_id, f.issuer_wallet_id AS from_wallet,
           m.issuer_wallet_id AS to_wallet, m.wallet_id AS to_account
    FROM unnest($1::text[], $2::text[], $3::text[]) AS n (merchant_id, schedule_id, payment_id)
    JOIN schedules s ON s.merchant_id = n.merchant_id AND s.schedule_id = n.schedule_id
    JOIN schedule_terms t ON t.merchant_id = s.merchant_id AND t.schedule_id = s.schedule_id AND t.version = s.live_version
    JOIN consents c ON c.merchant_id = s.merchant_id AND c.consent_id = s.consent_id AND c.status = 'granted'
    JOIN wallets f ON f.merchant_id = c.merchant_id AND f.wallet_id = c.wallet_id
    JOIN wallets m ON m.merchant_id = s.merchant_id AND m.customer_id IS NULL AND m.status = 'open'
    WHERE s.status = 'active'
  ), opened AS (
    INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence,
      currency, due_date, status, stage, due_at, attempts, created_at)
    SELECT merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence, currency, due_at,
      'processing', 'submit', $4, 1, $4 FROM due
    ON CONFLICT (merchant_id, schedule_id, due_date) DO NOTHING
  ), attempted AS (
    INSERT INTO attempts (merchant_id, payment_id, number, manual, status, started_at)
    SELECT merchant_id, payment_id, 1, false, 'started', $4 FROM due
  ), moved_on AS (
    UPDATE schedules s SET next_occurrence = s.next_occurrence + 1, due_at = s.due_at + interval '1 month'
    FROM due d WHERE s.merchant_id = d.merchant_id AND s.schedule_id = d.schedule_id
  )
  SELECT * FROM due`;

const RECORD = `
  WITH done AS (
    UPDATE payments p SET status = 'success', stage = NULL, due_at = NULL, completed_at = $6, settle_at = $6,
      bank_payment_id = 'bp-' || p.payment_id
    FROM unnest($1::text[], $2::text[]) AS d (merchant_id, payment_id)
    WHERE p.merchant_id = d.merchant_id AND p.payment_id = d.payment_id
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
export async function collect(
  { world: { db, platform }, bank, issuer }: PeerStand,
  due: readonly Due[],
  enqueue: (tx: Tx, tells: readonly Tell[]) => Promise<void>,
): Promise<Tell[]> {
  const now = platform.clock.now();
  const opened = await db.transaction((tx) =>
    tx.rows<Opened>(OPEN, [
      due.map((d) => d.merchantId),
      due.map((d) => d.scheduleId),
      due.map(() => platform.ids.next('pay', now)),
      now,
    ]),
  );
  await mapInParallel(opened, WIDTH, async (payment) => {
    const { merchant_id: merchantId, consent_id: consentId, bank_consent_id: atBank } = payment;
    const grant = openGrant(platform, merchantId, consentId, payment.bank_grant);
    await bank.confirmFunds(grant, atBank, payment.amount_pence);
    const name = `${payment.payment_id}-a1`;
    await bank.submitPayment(grant, {
      idempotencyKey: name,
      bankConsentId: atBank,
      initiation: openInitiation(platform, merchantId, consentId, payment.initiation),
      instructionId: name,
      endToEndId: name,
      amountPence: payment.amount_pence,
      currency: 'GBP',
    });
  });
  await issuer.transfer(opened.map(toOrder));
  return db.transaction((tx) => record(tx, platform, opened, enqueue));
}

const toOrder = (payment: Opened) => ({
  idempotencyKey: `${payment.payment_id}-m0`,
  fromIssuerWalletId: payment.from_wallet,
  toIssuerWalletId: payment.to_wallet,
  amountPence: payment.amount_pence,
  reference: payment.payment_id,
});

async function record(
  tx: Tx,
  platform: PeerStand['world']['platform'],
  opened: readonly Opened[],
  enqueue: (tx: Tx, tells: readonly Tell[]) => Promise<void>,
): Promise<Tell[]> {
  const now = platform.clock.now();
  const tells = opened.map(({ merchant_id }) => ({
    merchantId: merchant_id,
    eventId: platform.ids.next('evt', now),
  }));
  await post(
    tx,
    platform.ids,
    now,
    opened.flatMap((p) => {
      const one = {
        merchantId: p.merchant_id,
        amountPence: p.amount_pence,
        sourceId: p.payment_id,
      };
      return [
        { ...one, kind: 'pay_in' as const, debit: 'outside', credit: p.wallet_id },
        { ...one, kind: 'move' as const, debit: p.wallet_id, credit: p.to_account },
      ];
    }),
  );
  await tx.run(RECORD, [
    opened.map((p) => p.merchant_id),
    opened.map((p) => p.payment_id),
    opened.map((p) => p.schedule_id),
    tells.map((t) => t.eventId),
    opened.map((p) => bodyOf(p, now)),
    now,
  ]);
  await enqueue(tx, tells);
  return tells;
}

function bodyOf(payment: Opened, now: Temporal.Instant): string {
  const amount = { value: payment.amount_pence, currency: payment.currency };
  const { payment_id, schedule_id } = payment;
  const data = { payment_id, schedule_id, amount, completed_at: now.toString() };
  return JSON.stringify({ event: 'collection.success', data });
}

interface Told {
  merchant_id: string;
  event_id: string;
  body: string;
  endpoint_id: string;
  url: string;
  secret: string;
}

/** Delivers events, each signed, and records that they were acknowledged. Throws if one was not. */
export async function deliver(
  { world: { db, platform }, sender }: PeerStand,
  tells: readonly Tell[],
): Promise<void> {
  const rows = await db.read((tx) =>
    tx.rows<Told>(
      `SELECT v.merchant_id, v.event_id, v.body, w.endpoint_id, w.url, w.secret
       FROM unnest($1::text[], $2::text[]) AS t (merchant_id, event_id)
       JOIN events v USING (merchant_id, event_id) JOIN webhook_endpoints w USING (merchant_id)`,
      [tells.map((t) => t.merchantId), tells.map((t) => t.eventId)],
    ),
  );
  await mapInParallel(rows, WIDTH, async (row) => {
    const context = secretContext(row.merchant_id, row.endpoint_id);
    const body = openEventBody(platform.vault, row.event_id, row.body);
    const request = webhookRequest({
      delivery: { event_id: row.event_id, body, sequence: null, url: row.url },
      secret: platform.vault.open(row.secret, context),
      nextSecret: null,
      realNow: platform.clock.now(),
      sandboxNow: null,
    });
    const { error } = await sender.send(request);
    if (error !== null) throw new Error(error);
  });
  const now = platform.clock.now();
  await db.transaction((tx) =>
    tx.run(
      `INSERT INTO deliveries (merchant_id, delivery_id, event_id, endpoint_id, status, attempts, created_at, finished_at)
       SELECT *, 'delivered', 1, $5::timestamptz, $5::timestamptz
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])`,
      [
        rows.map((r) => r.merchant_id),
        rows.map(() => platform.ids.next('del', now)),
        rows.map((r) => r.event_id),
        rows.map((r) => r.endpoint_id),
        now,
      ],
    ),
  );
}
