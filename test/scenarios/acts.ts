import assert from 'node:assert/strict';
import { checkLaws } from '../../server/src/laws/invariants/laws.ts';
import { compareWithIssuer } from '../../server/src/laws/reconciliation/issuer-comparison.ts';
import type { PaymentView } from '../../server/src/payments/api/view.ts';
import type { Received } from '../../server/test-support/receiver.ts';
import type { Decided, TestService } from '../../server/test-support/service.ts';

/** The fields of a schedule that scenarios read. */
export interface ScheduleBody {
  id: string;
  status: string;
  consent_url?: string;
  next_payment_date: string | null;
  customer: { id: string };
}

let customers = 0;

/** Creates a schedule for a new customer: by default £49.99 on the 1st of each month. */
export async function newSchedule(
  service: TestService,
  fields: object = {},
): Promise<ScheduleBody> {
  customers += 1;
  const made = await service.api<ScheduleBody>('POST', '/api/v1/schedules', {
    amount: { value: 4999, currency: 'GBP' },
    frequency: { type: 'monthly', day: 1 },
    customer: { type: 'phone', value: `+4477009${String(customers).padStart(5, '0')}` },
    description: 'Membership',
    ...fields,
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return made.body;
}

/** Returns a schedule that its customer has agreed to. */
export async function grantedSchedule(
  service: TestService,
  account: string,
  fields: object = {},
): Promise<ScheduleBody> {
  const schedule = await newSchedule(service, fields);
  const decided: Decided = await service.grant(schedule.id, account);
  assert.equal(decided.schedule_status, 'active');
  return schedule;
}

export async function readSchedule(service: TestService, id: string): Promise<ScheduleBody> {
  return (await service.api<ScheduleBody>('GET', `/api/v1/schedules/${id}`)).body;
}

/** Returns the payments of a schedule, newest first. */
export async function paymentsOf(service: TestService, id: string): Promise<PaymentView[]> {
  const { body } = await service.api<{ data: PaymentView[] }>(
    'GET',
    `/api/v1/schedules/${id}/payments?limit=100`,
  );
  return body.data;
}

/** Returns the only payment of a schedule. */
export async function paymentOf(service: TestService, id: string): Promise<PaymentView> {
  const [payment, ...others] = await paymentsOf(service, id);
  assert.ok(payment);
  assert.equal(others.length, 0);
  return payment;
}

/** Returns the webhooks about a schedule, in the order in which they came. */
export function webhooksOf(service: TestService, id: string): Received[] {
  return service.receiver.received.filter(({ data }) => data.schedule_id === id);
}

export const kindsOf = (webhooks: readonly Received[]): string[] =>
  webhooks.map(({ event }) => event);

/** Returns how often the bank debited for a payment, from its own books, not ours. */
export async function debitsOf(service: TestService, paymentId: string): Promise<number> {
  const { payments } = await service.bankBooks();
  return payments.filter((one) => one.end_to_end_id.startsWith(paymentId) && one.debited).length;
}

/** Asserts that every law of money holds, and that our ledger agrees with the issuer. */
export async function assertBooksInOrder({ running }: TestService): Promise<void> {
  const findings = await checkLaws(running.platform);
  findings.push(await compareWithIssuer(running.platform, running.service.authorisation.issuer));
  assert.deepEqual(
    findings.filter(({ broken }) => broken.length > 0),
    [],
  );
}
