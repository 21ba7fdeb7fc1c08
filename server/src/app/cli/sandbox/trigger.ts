import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EventKind,
  type NewSchedule,
  type Recollect,
  RecollectError,
  type Schedule,
} from '@recollect/sdk';

interface TriggerResult {
  scheduleId: string | null;
  /** What else happened, for the person at the screen. */
  note: string | null;
}

/** An event that happened; `eventId` null: not within the time waited. */
export interface Triggered extends TriggerResult {
  eventId: string | null;
}

type Trigger = (client: Recollect) => Promise<TriggerResult>;

const AMOUNT = { value: 4999, currency: 'GBP' };
const CUSTOMER = { type: 'phone', value: '+447700900123' } as const;
/** Long enough for the customer to agree before the first collection. */
const UNTIL_FIRST = Temporal.Duration.from({ minutes: 10 });
/** Long enough for a day's collections to be paid out, over a long bank holiday. */
const UNTIL_PAID_OUT = 'P6D';
/** The same, and two days until it comes back. */
const UNTIL_RETURNED = 'P9D';
/** Money that comes back does so two days after it went; before the next pay-out, which would come back as well. */
const UNTIL_MONEY_RETURNS = 'P2DT2H';
const MOVED = 'the sandbox clock was moved forward';

async function create(client: Recollect, terms: Partial<NewSchedule> = {}): Promise<Schedule> {
  const { now } = await client.sandbox.clock();
  return client.schedules.create({
    amount: AMOUNT,
    frequency: 'monthly',
    customer: CUSTOMER,
    description: 'Made by recollect trigger',
    start_date: Temporal.Instant.from(now).add(UNTIL_FIRST).toString(),
    ...terms,
  });
}

async function active(
  client: Recollect,
  account: string,
  terms?: Partial<NewSchedule>,
): Promise<Schedule> {
  const schedule = await create(client, terms);
  await client.sandbox.consent(schedule.id, { decision: 'grant', account });
  return schedule;
}

/** Lets the first collection from a customer of the sandbox fall due. */
async function collect(
  client: Recollect,
  account: string,
  terms?: Partial<NewSchedule>,
): Promise<string> {
  const { id } = await active(client, account, terms);
  await client.sandbox.advance({ by: UNTIL_FIRST.toString() });
  return id;
}

/** Lets an issuer that behaves like this do its part, and puts it back as it was. */
async function withIssuer<T>(client: Recollect, mode: string, act: () => Promise<T>): Promise<T> {
  const { modes } = await client.sandbox.issuer();
  await client.sandbox.changeIssuer({ modes: [...modes, mode] });
  try {
    return await act();
  } finally {
    await client.sandbox.changeIssuer({ modes });
  }
}

/** How many collections at most may go to what the merchant owes before one of them can be refunded. */
const MAX_OWED = 5;

/** Refunds a payment; what the merchant owes for recalled ones comes first, so there may be more to collect. */
async function refundOnce(client: Recollect, paymentId: string, more = MAX_OWED): Promise<void> {
  try {
    await client.payments.refund(paymentId);
  } catch (error) {
    const isOwed = error instanceof RecollectError && error.code === 'insufficient_balance';
    if (!isOwed || more === 0) throw error;
    await collect(client, 'alex');
    await refundOnce(client, paymentId, more - 1);
  }
}

/** Pays out again what came back last, if it did: until then no settlement is opened. */
async function payOutAgain(client: Recollect): Promise<void> {
  const { data } = await client.settlements.list({ status: 'failed', limit: 1 });
  for (const { id } of data)
    await client.settlements.retry(id).catch((error: unknown) => {
      const isGone = error instanceof RecollectError && error.code === 'settlement_not_retryable';
      if (!isGone) throw error;
    });
}

/** Collects, refunds what was collected, and lets the refund end. */
async function refund(client: Recollect): Promise<TriggerResult> {
  const scheduleId = await collect(client, 'alex');
  const { data } = await client.schedules.payments(scheduleId, { limit: 1 });
  await refundOnce(client, data[0]?.id ?? '');
  await client.sandbox.advance({ by: UNTIL_MONEY_RETURNS });
  return { scheduleId, note: MOVED };
}

/** Collects, and disputes what was collected. */
async function dispute(client: Recollect): Promise<{ scheduleId: string; disputeId: string }> {
  const scheduleId = await collect(client, 'alex');
  const { data } = await client.schedules.payments(scheduleId, { limit: 1 });
  const { id } = await client.payments.dispute(data[0]?.id ?? '', { reason: 'unauthorised' });
  return { scheduleId, disputeId: id };
}

/** Refunds a disputed payment whose money comes back from the customer's bank: the dispute is open again. */
const reopenDispute: Trigger = (client) =>
  withIssuer(client, 'returned_payouts', async () => {
    const { scheduleId, disputeId } = await dispute(client);
    await client.disputes.refund(disputeId);
    await client.sandbox.advance({ by: UNTIL_MONEY_RETURNS });
    return { scheduleId, note: MOVED };
  });

const after =
  (act: (client: Recollect) => Promise<string>, note: string | null = null): Trigger =>
  async (client) => ({ scheduleId: await act(client), note });

/** How each event is made to happen: by what causes it, never by a made-up body. */
const TRIGGERS: Readonly<Partial<Record<EventKind, Trigger>>> = {
  'schedule.setup_success': after(async (client) => (await active(client, 'alex')).id),
  'schedule.setup_failed': after(async (client) => {
    const { id } = await create(client);
    await client.sandbox.consent(id, { decision: 'deny' });
    return id;
  }),
  'schedule.paused': after(async (client) => {
    const { id } = await active(client, 'alex');
    await client.schedules.pause(id);
    return id;
  }),
  'schedule.resumed': after(async (client) => {
    const { id } = await active(client, 'alex');
    await client.schedules.pause(id);
    await client.schedules.resume(id);
    return id;
  }),
  'schedule.cancelled': after(async (client) => {
    const { id } = await active(client, 'alex');
    await client.schedules.cancel(id);
    return id;
  }),
  'consent.reauthentication_needed': after((client) => collect(client, 'rita'), MOVED),
  'consent.revoked': after(async (client) => {
    const id = await collect(client, 'rex');
    await client.sandbox.advance({ by: 'P2D' });
    return id;
  }, MOVED),
  'collection.success': after((client) => collect(client, 'alex'), MOVED),
  'collection.failed': after((client) => collect(client, 'nina'), MOVED),
  'collection.skipped': after(
    (client) => collect(client, 'alex', { amount_mode: 'per_occurrence' }),
    MOVED,
  ),
  'collection.returned': (client) =>
    withIssuer(client, 'recalled_pay_ins', async () => {
      const scheduleId = await collect(client, 'alex');
      await client.sandbox.advance({ by: UNTIL_MONEY_RETURNS });
      return { scheduleId, note: MOVED };
    }),
  'payment.unexpected_money': (client) =>
    withIssuer(client, 'short_pay_ins', async () => ({
      scheduleId: await collect(client, 'alex'),
      note: `${MOVED}; the pay-in was a penny short, and the payment waits for a person`,
    })),
  'refund.success': refund,
  'refund.failed': (client) => withIssuer(client, 'returned_payouts', () => refund(client)),
  'dispute.opened': async (client) => ({
    scheduleId: (await dispute(client)).scheduleId,
    note: MOVED,
  }),
  'dispute.closed': async (client) => {
    const { scheduleId, disputeId } = await dispute(client);
    await client.disputes.reject(disputeId, { answer: 'Made by recollect trigger' });
    return { scheduleId, note: MOVED };
  },
  'dispute.reopened': reopenDispute,
  'settlement.success': async (client) => {
    await payOutAgain(client);
    await collect(client, 'alex');
    await client.sandbox.advance({ by: UNTIL_PAID_OUT });
    return { scheduleId: null, note: MOVED };
  },
  'settlement.failed': async (client) => {
    await payOutAgain(client);
    return withIssuer(client, 'returned_payouts', async () => {
      await collect(client, 'alex');
      await client.sandbox.advance({ by: UNTIL_RETURNED });
      return { scheduleId: null, note: `${MOVED}; the money is in the wallet again` };
    });
  },
  'endpoint.test': async (client) => {
    const { data } = await client.webhookEndpoints.list({ limit: 100 });
    const enabled = data.filter(({ status }) => status === 'enabled');
    for (const { id } of enabled) await client.webhookEndpoints.test(id);
    return { scheduleId: null, note: `sent to ${enabled.length} enabled endpoints` };
  },
};

/** The events that can be triggered. */
export const TRIGGERED_EVENTS = Object.keys(TRIGGERS) as EventKind[];

const MAX_POLLS = 120;
const POLL_MS = 500;

/** Makes an event happen in the sandbox, and waits up to a minute for it. */
export async function trigger(client: Recollect, event: EventKind): Promise<Triggered> {
  const before = await newest(client, event);
  const acted = await TRIGGERS[event]?.(client);
  if (acted === undefined) throw new Error(`nothing triggers ${event}`);
  for (let look = 0; look < MAX_POLLS; look++) {
    const eventId = await newest(client, event);
    if (eventId !== before) return { ...acted, eventId };
    await sleep(POLL_MS);
  }
  return { ...acted, eventId: null };
}

async function newest(client: Recollect, kind: EventKind): Promise<string | null> {
  return (await client.events.list({ kind, limit: 1 })).data[0]?.id ?? null;
}
