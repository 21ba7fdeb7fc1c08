import { openDb, type Tx } from '../server/src/platform/db/db.ts';
import { type Acknowledged, alwaysPays } from './load.ts';
import type { World } from './world.ts';

/** A payment in the bank's own books. */
interface BankPayment {
  end_to_end_id: string;
  status: string;
  amount_pence: number;
  debited: boolean;
  credited_at: string | null;
}

interface OurPayment {
  paymentId: string;
  scheduleId: string;
  status: string;
  amountPence: number;
  dueDate: Temporal.Instant;
  errorCode: string | null;
}

/** The figures of the books, and all their differences. */
export interface Verdict {
  /** Name and number, for the table. */
  figures: [string, number | string][];
  wrong: string[];
}

/** Queries that must return nothing at the end. */
const MUST_BE_EMPTY: Readonly<Record<string, string>> = {
  'payment under way': `SELECT payment_id || ' ' || coalesce(status, '') || ' ' || coalesce(stage, '') AS what
    FROM payments FULL JOIN payment_work USING (merchant_id, payment_id)
    WHERE status IN ('pending', 'processing') OR stage IS NOT NULL`,
  'settlement under way': `SELECT settlement_id || ' ' || status AS what FROM settlements WHERE status <> 'success'`,
  'notice not acted on': `SELECT source || ' ' || notification_id AS what FROM inbox WHERE due_at IS NOT NULL`,
  'delivery not made': `SELECT delivery_id || ' ' || status AS what FROM deliveries WHERE status <> 'delivered'`,
  'event without a delivery': `SELECT event_id AS what FROM events e WHERE NOT EXISTS
    (SELECT 1 FROM deliveries d WHERE d.merchant_id = e.merchant_id AND d.event_id = e.event_id)`,
  'consent half granted': `SELECT consent_id AS what FROM consents WHERE status = 'authorised'`,
  'bank consent not ended':
    'SELECT bank_consent_id AS what FROM bank_revocations WHERE due_at IS NOT NULL',
  'wallet not opened': `SELECT wallet_id || ' ' || status AS what FROM wallets
    WHERE customer_id IS NULL AND status <> 'open'`,
};

/** Work in progress, each with the moment at which it continues. */
const BUSY = `SELECT what, due_at FROM (
  SELECT payment_id || ' ' || stage AS what, due_at FROM payment_work
    WHERE stage IN ('submit', 'move') OR (stage = 'wait' AND due_at <= $1)
  UNION ALL SELECT schedule_id || ' is due', due_at FROM schedule_agenda WHERE due_at <= $1
  UNION ALL SELECT notification_id || ' in the inbox', due_at FROM inbox WHERE due_at IS NOT NULL
  UNION ALL SELECT delivery_id || ' not delivered', due_at FROM deliveries WHERE due_at IS NOT NULL
  UNION ALL SELECT consent_id || ' half granted', $1 FROM consents WHERE status = 'authorised'
  UNION ALL SELECT settlement_id || ' under way', due_at FROM settlements WHERE stage IS NOT NULL) busy
  ORDER BY due_at, what`;

/** Due work that may not have reached its bank: ending its schedule, and so its consent, may stop it. */
const UNANSWERED = `SELECT what, due_at FROM (
  SELECT schedule_id || ' is due' AS what, due_at FROM schedule_agenda WHERE due_at <= $1
  UNION ALL SELECT payment_id || ' not with its bank yet', due_at FROM payment_work
    WHERE stage = 'submit' OR (stage = 'wait' AND (attempt = 0 OR due_at <= $1))) unanswered
  ORDER BY due_at, what`;

const FIRST_FEW = 12;

/** Reads from the service's own database, bypassing the lines that may be cut. */
export async function readDirectly<T>(world: World, read: (tx: Tx) => Promise<T>): Promise<T> {
  const db = openDb(world.cluster.url('service'), 1);
  try {
    return await db.read(read);
  } finally {
    await db.close();
  }
}

/** Work in progress, and when it continues; null: now. */
export interface Busy {
  what: string;
  dueAt: Temporal.Instant | null;
}

/** Returns what still keeps the service busy, next first. */
export function findBusy(world: World): Promise<Busy[]> {
  return readDirectly(world, (tx) => tx.rows<Busy>(BUSY, [world.clock.now()]));
}

/** Returns what ending a schedule could still stop, next first. */
export function findUnanswered(world: World): Promise<Busy[]> {
  return readDirectly(world, (tx) => tx.rows<Busy>(UNANSWERED, [world.clock.now()]));
}

/** Compares all books, when everything is over. */
export async function compareBooks(
  world: World,
  acknowledged: readonly Acknowledged[],
  lastDay: Temporal.Instant,
): Promise<Verdict> {
  const bank = (await world.partners.control.books('bank', 'payments')) as BankPayment[];
  const ours = await readDirectly(world, (tx) =>
    tx.rows<OurPayment>(
      'SELECT payment_id, schedule_id, status, amount_pence, due_date, error_code FROM payments',
    ),
  );
  const events = await readDirectly(world, (tx) =>
    tx.rows<{ eventId: string }>('SELECT event_id FROM events'),
  );
  const forgotten = world.receiver.forget(new Set(events.map((event) => event.eventId)));
  const success = ours.filter((payment) => payment.status === 'success');
  const credited = bank.filter((payment) => payment.status === 'ACCC');
  const told = world.receiver.of('collection.success');
  const audit = await world.command('audit');
  const wrong = [
    ...compareWithBank(success, bank),
    ...compareWithReceiver(success, told),
    ...(await compareEvents(world)),
    ...findMissing(acknowledged, ours, lastDay),
    ...(await findLost(world, acknowledged)),
    ...(await findLeft(world)),
    ...(await compareWithIssuer(world)),
    ...(audit.code === 0 && !/^(BROKEN|unknown)/m.test(audit.output) ? [] : [audit.output]),
  ];
  const failed = ours.filter((payment) => payment.status === 'failed').length;
  return {
    wrong,
    figures: [
      ['schedules that the API acknowledged', acknowledged.length],
      ['payments made at the bank', credited.length],
      ['payments that succeeded in our books', success.length],
      ['payments told as succeeded, by different payment', new Set(told.map(idOf)).size],
      ['pence at the bank', sum(credited.map((payment) => payment.amount_pence))],
      ['pence in our books', sum(success.map((payment) => payment.amountPence))],
      ['payments that failed (customers without money, and refused)', failed],
      ['different events delivered', world.receiver.events.size],
      ['events heard of which the database has lost the memory', forgotten],
      ['deliveries of them', [...world.receiver.events.values()].reduce((n, e) => n + e.times, 0)],
      ['laws of the audit that hold', (audit.output.match(/^holds/gm) ?? []).length],
    ],
  };
}

const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, pence) => total + pence, 0);

const idOf = ([, event]: [string, { data: Record<string, unknown> }]): string =>
  String(event.data.payment_id);

/** Compares payments with the bank: every success was credited there once, to the penny, and every credit is a success here. */
function compareWithBank(success: readonly OurPayment[], bank: readonly BankPayment[]): string[] {
  const wrong: string[] = [];
  const made = Map.groupBy(
    bank.filter((payment) => payment.debited || payment.credited_at !== null),
    (payment) => payment.end_to_end_id.replace(/-a\d+$/, ''),
  );
  for (const { paymentId, amountPence } of success) {
    const [first, ...others] = made.get(paymentId) ?? [];
    made.delete(paymentId);
    if (others.length > 0) wrong.push(`${paymentId} was paid ${others.length + 1} times`);
    if (first?.status !== 'ACCC' || first.amount_pence !== amountPence)
      wrong.push(`${paymentId} is a success of ${amountPence}, the bank says ${first?.status}`);
  }
  for (const [paymentId, payments] of made)
    wrong.push(`the bank took money for ${paymentId} (${payments[0]?.status}), a success nowhere`);
  return wrong;
}

/**
 * Compares successes with the receiver: each was reported by exactly one event, however often it was sent, and nothing else was.
 */
function compareWithReceiver(
  success: readonly OurPayment[],
  told: readonly [string, { data: Record<string, unknown> }][],
): string[] {
  const wrong: string[] = [];
  const events = Map.groupBy(told, idOf);
  for (const { paymentId } of success) {
    const count = events.get(paymentId)?.length ?? 0;
    if (count !== 1) wrong.push(`${paymentId} succeeded, and ${count} events told so`);
    events.delete(paymentId);
  }
  for (const paymentId of events.keys())
    wrong.push(`the merchant was told of ${paymentId}, which did not succeed`);
  return wrong;
}

/** Compares events with the receiver: every event of ours was received, and every received event is ours. */
async function compareEvents(world: World): Promise<string[]> {
  const rows = await readDirectly(world, (tx) =>
    tx.rows<{ eventId: string; kind: string }>('SELECT event_id, kind FROM events'),
  );
  const { events, changed } = world.receiver;
  const ours = new Set(rows.map((row) => row.eventId));
  return [
    ...rows.filter((row) => !events.has(row.eventId)).map((e) => `${e.eventId} was never heard`),
    ...[...events.keys()].filter((id) => !ours.has(id)).map((id) => `${id} was heard and is lost`),
    ...changed.map((id) => `${id} was sent with two different bodies`),
  ];
}

/** Finds missing collections: every promised one, on each of the days, from customers who always pay. */
function findMissing(
  acknowledged: readonly Acknowledged[],
  ours: readonly OurPayment[],
  lastDay: Temporal.Instant,
): string[] {
  const payments = Map.groupBy(ours, (payment) => payment.scheduleId);
  const wrong: string[] = [];
  for (const { scheduleId, firstDue, isTouched, customer, amountPence } of acknowledged) {
    if (firstDue === null || isTouched) continue;
    const made = new Map(payments.get(scheduleId)?.map((p) => [p.dueDate.epochMilliseconds, p]));
    let due = Temporal.Instant.from(firstDue);
    for (; Temporal.Instant.compare(due, lastDay) <= 0; due = due.add({ hours: 24 })) {
      const payment = made.get(due.epochMilliseconds);
      if (payment === undefined) wrong.push(`${scheduleId} was not collected on ${due}`);
      else if (payment.amountPence !== amountPence)
        wrong.push(`${payment.paymentId} is of ${payment.amountPence}, agreed were ${amountPence}`);
      else if (alwaysPays(customer) && payment.status !== 'success')
        wrong.push(
          `${payment.paymentId} of ${customer.login} at ${customer.bankId} is ${payment.status}: ${payment.errorCode}`,
        );
    }
  }
  return wrong;
}

/** Finds lost schedules: every acknowledged one must exist, and none may exist twice. */
async function findLost(world: World, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const rows = await readDirectly(world, (tx) =>
    tx.rows<{ scheduleId: string; name: string }>(
      `SELECT schedule_id, metadata->>'name' AS name FROM schedules`,
    ),
  );
  const ids = new Set(rows.map((row) => row.scheduleId));
  const names = new Set(rows.map((row) => row.name));
  const lost = acknowledged.filter((one) => !ids.has(one.scheduleId));
  return [
    ...lost.map((one) => `${one.scheduleId} was acknowledged and is lost`),
    ...(names.size < rows.length ? [`${rows.length - names.size} schedules were made twice`] : []),
  ];
}

async function findLeft(world: World): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, sql] of Object.entries(MUST_BE_EMPTY)) {
    const rows = await readDirectly(world, (tx) => tx.rows<{ what: string }>(sql));
    wrong.push(...rows.slice(0, FIRST_FEW).map((row) => `${name}: ${row.what}`));
  }
  return wrong;
}

/** Checks that the issuer's own books are consistent, and that it paid out what our settlements say. */
async function compareWithIssuer(world: World): Promise<string[]> {
  const movements = (await world.partners.control.books('issuer', 'movements')) as {
    kind: string;
    status: string;
    amount: { value: number };
  }[];
  const paid = movements
    .filter(({ kind, status }) => kind === 'payout' && status === 'settled')
    .reduce((pence, { amount }) => pence + amount.value, 0);
  const [row] = await readDirectly(world, (tx) =>
    tx.rows<{ pence: number }>(
      `SELECT coalesce(sum(amount_pence), 0)::bigint AS pence FROM settlements WHERE status = 'success'`,
    ),
  );
  return paid === row?.pence
    ? []
    : [`the issuer paid out ${paid}, our settlements are ${row?.pence}`];
}
