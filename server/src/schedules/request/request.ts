import type { Static } from 'typebox';
import { type CustomerIdentification, parseCustomer } from '../../customers/customer.ts';
import type { ProfileChange } from '../../customers/profile.ts';
import { parseInstant } from '../../platform/time/calendar.ts';
import { isAfter } from '../../platform/values/instants.ts';
import { amountErrors, LARGEST_AMOUNT } from '../../platform/values/money.ts';
import { frequencyErrors } from '../terms/frequency.ts';
import { dateErrors } from '../terms/plan.ts';
import type { CreateSchema, UpdateSchema } from './schemas.ts';
import { referenceErrors } from './statement-reference.ts';

/** The body of POST /schedules, with its shape validated. */
export type CreateBody = Static<typeof CreateSchema>;

/** The body of PUT /schedules/{id}: only the fields that are sent change. */
export type UpdateBody = Static<typeof UpdateSchema>;

/** The limits in a body: null, or left out on create, is what the terms need. The period is only ever sent back. */
export type LimitsBody = NonNullable<CreateBody['limits']>;

const LARGEST_METADATA_BYTES = 16_384;

/** Validates the fields of a create body beyond their shape; returns every wrong one by dotted path. */
export function createErrors(body: unknown, now: Temporal.Instant): Record<string, string> {
  const fields = asObject(body);
  if (fields === null) return {};
  const { start, end, errors } = readDates(fields);
  return {
    ...valueErrors(fields),
    ...referenceErrors(fields.reference),
    ...dateErrors(start, end, now, true),
    ...errors,
    ...customerErrors(fields),
  };
}

/**
 * Validates an update body in the same way, but for what it may repeat: whether a date has passed, and whether a bank takes the
 * reference, is judged where it differs from the schedule's own.
 */
export function updateErrors(body: unknown, now: Temporal.Instant): Record<string, string> {
  const fields = asObject(body);
  if (fields === null) return {};
  const fixed = Object.keys(fields).filter((name) => NEVER_CHANGED.has(name));
  const errors = fixed.map((name) => [name, 'cannot be changed']);
  return {
    ...valueErrors(fields),
    ...readDates(fields).errors,
    ...resumeErrors(fields, now),
    ...Object.fromEntries(errors),
  };
}

/** What a schedule is read with, and no update takes. */
const NEVER_CHANGED: ReadonlySet<string> = new Set([
  'id',
  'customer',
  'next_payment_date',
  'created_at',
  'consented',
  'paying_account',
  'consent_notice',
  'consent_url',
  'portal_url',
  'payments_under_way',
  'first_payment',
]);

/** Validates what is asked of a coming occurrence: an amount or `skip`, and not both. */
export function occurrenceErrors(body: unknown): Record<string, string> {
  const fields = asObject(body);
  if (fields === null) return {};
  const { amount, skip } = fields;
  if (amount !== undefined && skip !== undefined)
    return { skip: 'must be left out where an amount is given' };
  if (amount === undefined && skip === undefined) return { amount: 'must be given, or skip' };
  if (amount === undefined) return skip === true ? {} : { skip: 'must be true' };
  return amountErrors(amount);
}

/** Returns the customer of a checked create body, and the profile fields sent with it. */
export function customerOf(body: CreateBody): {
  customer: CustomerIdentification;
  profile: ProfileChange;
} {
  const parsed = parseCustomer(body.customer);
  if ('errors' in parsed) throw new Error('the customer was not checked');
  return parsed;
}

/** Parses an optional date-time of a checked body. */
export function instantOf(text: string | null | undefined): Temporal.Instant | null {
  return text === undefined || text === null ? null : parseInstant(text);
}

/** Returns a value of JSON as an object; null: it is none. */
export function asObject(body: unknown): Record<string, unknown> | null {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
    ? (body as Record<string, unknown>)
    : null;
}

function customerErrors(fields: Record<string, unknown>): Record<string, string> {
  if (fields.customer === undefined) return {};
  const parsed = parseCustomer(fields.customer);
  return 'errors' in parsed ? parsed.errors : {};
}

function valueErrors(fields: Record<string, unknown>): Record<string, string> {
  return {
    ...(fields.amount === undefined ? {} : amountErrors(fields.amount)),
    ...(fields.frequency === undefined ? {} : frequencyErrors(fields.frequency)),
    ...limitsErrors(asObject(fields.limits)),
    ...firstPaymentErrors(asObject(fields.first_payment)),
    ...textErrors(fields),
  };
}

/** The most that a period can need: a payment of the largest amount on each day of a leap year, and one carried over. */
const LARGEST_PERIOD = LARGEST_AMOUNT * 367;

function limitsErrors(limits: Record<string, unknown> | null): Record<string, string> {
  const isGiven = (amount: unknown): boolean => amount !== undefined && amount !== null;
  return {
    ...(isGiven(limits?.per_payment)
      ? amountErrors(limits?.per_payment, 'limits.per_payment')
      : {}),
    ...(isGiven(limits?.per_period)
      ? amountErrors(limits?.per_period, 'limits.per_period', LARGEST_PERIOD)
      : {}),
  };
}

function firstPaymentErrors(first: Record<string, unknown> | null): Record<string, string> {
  if (first === null) return {};
  return {
    ...(first.amount === undefined ? {} : amountErrors(first.amount, 'first_payment.amount')),
    ...(typeof first.description === 'string' && first.description.trim() === ''
      ? { 'first_payment.description': 'must not be empty' }
      : {}),
  };
}

function textErrors(fields: Record<string, unknown>): Record<string, string> {
  const errors: Record<string, string> = {};
  if (typeof fields.description === 'string' && fields.description.trim() === '')
    errors.description = 'must not be empty';
  if (
    typeof fields.metadata === 'object' &&
    JSON.stringify(fields.metadata).length > LARGEST_METADATA_BYTES
  )
    errors.metadata = `must not be longer than ${LARGEST_METADATA_BYTES} characters of JSON`;
  return errors;
}

function resumeErrors(
  { resume_at: resumeAt, status }: Record<string, unknown>,
  now: Temporal.Instant,
): Record<string, string> {
  if (typeof resumeAt !== 'string') return {};
  const at = parseInstant(resumeAt);
  if (at === null) return { resume_at: NOT_AN_INSTANT };
  if (status !== 'paused') return { resume_at: 'goes only with the status "paused"' };
  return isAfter(at, now) ? {} : { resume_at: 'must lie after now' };
}

const NOT_AN_INSTANT = 'must be an ISO 8601 date-time with an offset or Z';

function readDates(fields: Record<string, unknown>): {
  start: Temporal.Instant | null;
  end: Temporal.Instant | null;
  errors: Record<string, string>;
} {
  const errors: Record<string, string> = {};
  const read = (name: 'start_date' | 'end_date'): Temporal.Instant | null => {
    const value = fields[name];
    if (typeof value !== 'string') return null;
    const instant = parseInstant(value);
    if (instant === null) errors[name] = NOT_AN_INSTANT;
    return instant;
  };
  return { start: read('start_date'), end: read('end_date'), errors };
}
