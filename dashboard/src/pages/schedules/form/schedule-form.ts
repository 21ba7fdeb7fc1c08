import type {
  AmountMode,
  CustomerIdentification,
  CustomerProfile,
  FirstPaymentInput,
  FrequencyType,
  LimitsInput,
  Metadata,
  NewSchedule,
  NonWorkingDay,
  Schedule,
  ScheduleChanges,
} from '@recollect/sdk';
import type { PreviewCustomer, PreviewTerms } from '../../../api/schedules.ts';

export const CURRENCY = 'GBP';

/** A schedule's form values. The names are those of the API, so that errors can be matched to fields. */
export interface ScheduleValues {
  /** Pence; null while no valid amount was typed. */
  amount: { value: number | null };
  amount_mode: AmountMode;
  /** Pence; null: what the terms need. */
  limits: { per_payment: { value: number | null }; per_period: { value: number | null } };
  /** Pence; null: no first payment. */
  first_payment: { amount: { value: number | null }; description: string };
  /** `day` empty: that of the start, or else of today. */
  frequency: { type: FrequencyType; day: string; interval: string };
  non_working_day: NonWorkingDay;
  description: string;
  /** ISO 8601 in UTC; null: none. */
  start_date: string | null;
  end_date: string | null;
  max_retries: string;
  /** Empty: derived by the service. */
  reference: string;
  metadata: { key: string; value: string }[];
  customer: {
    type: CustomerIdentification['type'];
    value: string;
    sort_code: string;
    account_number: string;
    /** Empty: not sent, so that a known customer keeps theirs. */
    name: string;
    email: string;
    reference: string;
  };
}

const DEFAULT_RETRIES = 3;
const NO_DETAILS = { sort_code: '', account_number: '', name: '', email: '', reference: '' };

/** Returns an empty form; monthly, because most merchants collect by the month. */
export function emptyValues(customerId: string | null): ScheduleValues {
  const customer = NO_DETAILS;
  return {
    amount: { value: null },
    amount_mode: 'fixed',
    limits: { per_payment: { value: null }, per_period: { value: null } },
    first_payment: { amount: { value: null }, description: '' },
    frequency: { type: 'monthly', day: '1', interval: '1' },
    non_working_day: 'same',
    customer:
      customerId === null
        ? { ...customer, type: 'phone', value: '' }
        : { ...customer, type: 'user_id', value: customerId },
    description: '',
    start_date: null,
    end_date: null,
    max_retries: String(DEFAULT_RETRIES),
    reference: '',
    metadata: [],
  };
}

/** Returns a form filled from a schedule. */
export function valuesOf(schedule: Schedule): ScheduleValues {
  const { frequency } = schedule;
  const { type, interval } = frequency;
  const day = frequency.type === 'daily' ? undefined : frequency.day;
  return {
    amount: { value: schedule.amount.value },
    amount_mode: schedule.amount_mode,
    limits: {
      per_payment: { value: schedule.limits.per_payment.value },
      per_period: { value: schedule.limits.per_period.value },
    },
    first_payment: { amount: { value: null }, description: '' },
    frequency: { type, day: day === undefined ? '' : String(day), interval: String(interval) },
    non_working_day: schedule.non_working_day,
    description: schedule.description,
    start_date: schedule.start_date,
    end_date: schedule.end_date,
    max_retries: String(schedule.max_retries),
    reference: schedule.reference,
    customer: { ...NO_DETAILS, type: 'user_id', value: schedule.customer.id },
    metadata: Object.entries(schedule.metadata ?? {}).map(([key, value]) => ({
      key,
      value: textOf(value),
    })),
  };
}

/**
 * Returns the body of POST /schedules. The service checks it: unreadable values are sent unchanged, and refused by field name.
 */
export function newSchedule(values: ScheduleValues): NewSchedule {
  const metadata = metadataOf(values.metadata, null);
  return {
    ...previewTerms(values, 0),
    customer: customerOf(values.customer),
    description: values.description,
    max_retries: numberOf(values.max_retries) ?? DEFAULT_RETRIES,
    ...(values.reference.trim() === '' ? {} : { reference: values.reference.trim() }),
    ...(metadata === null ? {} : { metadata }),
  };
}

/** Returns the terms that decide the dates; `standIn` (pence) replaces an amount that is not typed yet. */
export function previewTerms(values: ScheduleValues, standIn: number): PreviewTerms {
  return {
    amount: { value: values.amount.value ?? standIn, currency: CURRENCY },
    frequency: frequencyOf(values.frequency),
    ...(policyOf(values) === 'same' ? {} : { non_working_day: values.non_working_day }),
    ...(values.start_date === null ? {} : { start_date: values.start_date }),
    ...(values.end_date === null ? {} : { end_date: values.end_date }),
    ...limitsAskedIn(values.limits),
    ...firstPaymentIn(values.first_payment),
    ...(values.amount_mode === 'fixed' ? {} : { amount_mode: values.amount_mode }),
  };
}

/** Returns whose the schedule would be, for the preview of its reference. */
export function previewCustomer({ customer }: ScheduleValues): PreviewCustomer {
  const reference = customer.reference.trim();
  if (customer.type === 'user_id')
    return customer.value.trim() === '' ? {} : { user_id: customer.value.trim() };
  return reference === '' ? {} : { customer_reference: reference };
}

/** Returns only what differs from the schedule, as PUT /schedules/{id} takes it. */
export function changesOf(schedule: Schedule, values: ScheduleValues): ScheduleChanges {
  const before = valuesOf(schedule);
  const changes: ScheduleChanges = {};
  if (values.amount.value !== before.amount.value)
    changes.amount = { value: values.amount.value ?? 0, currency: schedule.amount.currency };
  if (values.amount_mode !== before.amount_mode) changes.amount_mode = values.amount_mode;
  const limits = limitsChanged(values.limits, before.limits);
  if (limits !== null) changes.limits = limits;
  if (!isSame(values.frequency, before.frequency))
    changes.frequency = frequencyOf(values.frequency);
  if (policyOf(values) !== before.non_working_day) changes.non_working_day = policyOf(values);
  if (values.description !== before.description) changes.description = values.description;
  if (values.start_date !== before.start_date && values.start_date !== null)
    changes.start_date = values.start_date;
  if (values.end_date !== before.end_date) changes.end_date = values.end_date;
  if (values.max_retries !== before.max_retries)
    changes.max_retries = numberOf(values.max_retries) ?? schedule.max_retries;
  if (values.reference !== before.reference) changes.reference = values.reference.trim() || null;
  if (!isSame(values.metadata, before.metadata))
    changes.metadata = metadataOf(values.metadata, schedule.metadata);
  return changes;
}

type LimitValues = ScheduleValues['limits'];
const LIMITS = ['per_payment', 'per_period'] as const;

/** Returns the limits that were typed, for a new schedule; nothing if none were. */
function limitsAskedIn(limits: LimitValues): { limits?: LimitsInput } {
  const typed = LIMITS.filter((name) => limits[name].value !== null);
  if (typed.length === 0) return {};
  return { limits: Object.fromEntries(typed.map((name) => [name, moneyOf(limits[name].value)])) };
}

/** Returns the first payment that was typed; nothing if none was. */
function firstPaymentIn({ amount, description }: ScheduleValues['first_payment']): {
  first_payment?: FirstPaymentInput;
} {
  if (amount.value === null) return {};
  const text = description.trim();
  return {
    first_payment: {
      amount: { value: amount.value, currency: CURRENCY },
      ...(text === '' ? {} : { description: text }),
    },
  };
}

/** Returns the limits that differ; an emptied one is given up. Null: none differs. */
function limitsChanged(limits: LimitValues, before: LimitValues): LimitsInput | null {
  const changed = LIMITS.filter((name) => limits[name].value !== before[name].value);
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map((name) => [name, moneyOf(limits[name].value)]));
}

const moneyOf = (value: number | null) => (value === null ? null : { value, currency: CURRENCY });

/** Returns what happens to non-working days; a daily schedule collects on them all. */
function policyOf({ frequency, non_working_day: policy }: ScheduleValues): NonWorkingDay {
  return frequency.type === 'daily' ? 'same' : policy;
}

function frequencyOf({
  type,
  day,
  interval,
}: ScheduleValues['frequency']): PreviewTerms['frequency'] {
  const dayNumber = type === 'daily' ? null : numberOf(day);
  return {
    type,
    ...(dayNumber === null ? {} : { day: dayNumber }),
    interval: numberOf(interval) ?? 1,
  };
}

function customerOf(customer: ScheduleValues['customer']): NewSchedule['customer'] {
  const { type, value, sort_code, account_number } = customer;
  if (type === 'user_id') return { type, value: value.trim() };
  const details = detailsOf(customer);
  return type === 'bank_account'
    ? { type, sort_code: sort_code.trim(), account_number: account_number.trim(), ...details }
    : { type, value: internationalPhone(value), ...details };
}

/** Returns the details that were typed. */
function detailsOf(customer: ScheduleValues['customer']): Partial<CustomerProfile> {
  const fields = ['name', 'email', 'reference'] as const;
  const typed = fields.map((field) => [field, customer[field].trim()]);
  return Object.fromEntries(typed.filter(([, text]) => text !== ''));
}

/** Returns a UK number as people write it, such as `07700 900123`, in international format; any other text unchanged. */
function internationalPhone(text: string): string {
  const trimmed = text.trim();
  return /^0[1-9]/.test(trimmed) ? `+44 ${trimmed.slice(1)}` : trimmed;
}

/** Returns the metadata. An unedited text keeps its original value; rows without a key are omitted; null if there are none. */
function metadataOf(rows: ScheduleValues['metadata'], before: Metadata | null): Metadata | null {
  const entries = rows
    .map(({ key, value }) => ({ key: key.trim(), value }))
    .filter(({ key }) => key !== '')
    .map(({ key, value }): [string, unknown] => {
      const old = before?.[key];
      return [key, old !== undefined && textOf(old) === value ? old : value];
    });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** Formats a value of free-form metadata as one line of text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Parses a number. Null if empty; any other invalid text becomes a number that the service refuses by the field's name. */
function numberOf(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : 0;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
