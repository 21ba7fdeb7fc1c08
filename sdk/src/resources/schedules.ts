import { type Api, type CallOptions, segment } from '../api.ts';
import type { Reply } from '../reply.ts';
import type { Amount, AmountQuery, ListQuery, PayingAccount, SpanQuery } from '../wire.ts';
import type { Customer, CustomerInput } from './customers.ts';
import { type ImportOptions, type ImportResult, importFile } from './import.ts';
import { type ListPromise, listOf } from './list.ts';
import type { Payment } from './payments.ts';

export type FrequencyType = 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly';

/** How often payments are collected. `day`: 1 (Monday) to 7 for weekly, 1 to 31 for monthly and longer; absent for daily. */
export interface Frequency {
  type: FrequencyType;
  day?: number;
  interval: number;
}

/** A frequency as requested: the object, or only its type. */
export type FrequencyInput =
  | FrequencyType
  | { type: FrequencyType; day?: number; interval?: number };

export type ScheduleStatus = 'pending_consent' | 'active' | 'paused' | 'cancelled';

/**
 * Where a collection goes that falls on a weekend or a bank holiday of England and Wales: nowhere, to the working day after it,
 * or to the one before it.
 */
export type NonWorkingDay = 'same' | 'next' | 'previous';

/** Your own free-form data, stored with a schedule. */
export type Metadata = Record<string, unknown>;

/**
 * `in_doubt`: the bank reports that the consent has ended, and we are checking again; nothing is collected meanwhile.
 * `reauthentication_needed`: the bank requires the customer to authenticate again. `limits_changed`: the customer changed the
 * limits at the bank, and the schedule no longer fits them.
 */
export interface ConsentNotice {
  kind: 'in_doubt' | 'reauthentication_needed' | 'limits_changed';
  since: string;
}

/**
 * `fixed`: every occurrence collects the amount. `per_occurrence`: each collects what you set for it, and is skipped where you
 * set nothing; the amount is the most that one takes, unless the limits allow more.
 */
export type AmountMode = 'fixed' | 'per_occurrence';

export type LimitPeriod = 'day' | 'week' | 'fortnight' | 'month' | 'half_year' | 'year';

/** The most that one payment, and all payments of one period, may take. The period follows from the frequency. */
export interface Limits {
  per_payment: Amount;
  per_period: Amount;
  period: LimitPeriod;
}

/** Limits as requested. Null: what the terms need. On create, a limit that is left out is what the terms need too. */
export interface LimitsInput {
  per_payment?: Amount | null;
  per_period?: Amount | null;
  /** As it was read; it cannot be chosen. */
  period?: LimitPeriod;
}

export interface Schedule {
  id: string;
  status: ScheduleStatus;
  amount: Amount;
  frequency: Frequency;
  customer: Customer;
  description: string;
  metadata: Metadata | null;
  start_date: string | null;
  end_date: string | null;
  max_retries: number;
  /** What the customer's bank statement shows. */
  reference: string;
  /** The customer sees them before giving consent, and the bank enforces them. */
  limits: Limits;
  amount_mode: AmountMode;
  non_working_day: NonWorkingDay;
  /** The first coming occurrence that is not skipped, or an ad-hoc payment that is due before it. */
  next_payment_date: string | null;
  /** When a paused schedule resumes automatically; null: only by `resume`. */
  resume_at: string | null;
  created_at: string;
  /** What the customer agreed to. Collections follow it until a new consent is granted. Null before the first. */
  consented: { amount: Amount; frequency: Frequency; end_date: string | null } | null;
  /** The paying account, masked; null until it is known. */
  paying_account: PayingAccount | null;
  /** What prevents, or may prevent, the consent from being used; null: nothing. */
  consent_notice: ConsentNotice | null;
  /** Where the customer gives consent; present while a consent awaits the customer. */
  consent_url?: string;
  /** The customer's page; present once a consent was granted. Whoever has it can stop the payments. */
  portal_url?: string;
  /** Only on a single schedule that is paused or cancelled: payments already requested from the bank, which may still arrive. */
  payments_under_way?: { id: string; amount: Amount; due_date: string }[];
}

export interface NewSchedule {
  amount: Amount;
  frequency: FrequencyInput;
  customer: CustomerInput;
  /** Shown to the customer. */
  description: string;
  metadata?: Metadata | null;
  /** ISO 8601 with an offset or Z. */
  start_date?: string | null;
  /** ISO 8601 with an offset or Z. */
  end_date?: string | null;
  /** 0 to 10; default 3. */
  max_retries?: number;
  /** 6 to 18 characters on the customer's bank statement. Default: the end of the schedule's id. */
  reference?: string | null;
  limits?: LimitsInput | null;
  amount_mode?: AmountMode;
  /** Default `same`; the others are refused for daily schedules. */
  non_working_day?: NonWorkingDay;
}

/** Only the fields that are present are changed; null clears a field. */
export interface ScheduleChanges {
  amount?: Amount;
  frequency?: FrequencyInput;
  description?: string;
  metadata?: Metadata | null;
  /** Can be changed only before the first payment. */
  start_date?: string;
  end_date?: string | null;
  max_retries?: number;
  /** Can be changed only before the customer has agreed. */
  reference?: string | null;
  limits?: LimitsInput | null;
  amount_mode?: AmountMode;
  /** Default `same`; the others are refused for daily schedules. */
  non_working_day?: NonWorkingDay;
  status?: 'active' | 'paused' | 'cancelled';
  /** With the status `paused`: when the schedule resumes automatically. ISO 8601 with an offset or Z. */
  resume_at?: string | null;
}

/** One payment besides the occurrences of a schedule. */
export interface NewPayment {
  amount: Amount;
  /** ISO 8601 with an offset or Z, at most a year ahead; default now. */
  due_date?: string | null;
  /** Up to 255 characters. */
  description?: string | null;
}

/** An upcoming occurrence; `reason` says why it is not on the requested day or hour, or does not collect the usual amount. */
export interface Occurrence {
  due_date: string;
  /** Null: none is set yet, and without one it is skipped. */
  amount: Amount | null;
  skipped: boolean;
  /** Whether something was set for this occurrence. */
  changed: boolean;
  reason: string | null;
}

/** What is set for an upcoming occurrence. */
export type OccurrenceChange = { amount: Amount } | { skip: true };

const at = (id: string): string => `/api/v1/schedules/${segment(id)}`;

/**
 * Which schedules to list; `from` and `to` are of `created_at`. An amount is the one that is collected until the customer agrees
 * to another.
 */
export interface ScheduleQuery extends ListQuery, SpanQuery, AmountQuery {
  /** Words of the description, an id or its beginning, an amount in pounds, what finds a customer, or a bank's payment id. */
  q?: string;
  /** `failing`: active, and the latest collection failed for good. */
  status?: ScheduleStatus | 'failing';
  /** Why it is failing. */
  error_code?: string;
  customer_id?: string;
  /** The month in which it first became active, such as `2026-03`. */
  started?: string;
  /** `-created_at` unless another is named. */
  sort?: '-created_at' | 'created_at' | 'description' | '-description';
}

export class Schedules {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Creates a schedule; share its `consent_url` with the customer. */
  create(schedule: NewSchedule, options?: CallOptions): Reply<Schedule> {
    return this.#api.send({ method: 'POST', path: '/api/v1/schedules', body: schedule }, options);
  }

  /**
   * Imports a CSV file, in pieces: a schedule for each line that is valid and was not imported before. Columns:
   * docs/rules/import.md. Throws RangeError for more than 10,000 lines or 5 MB. A file may be imported again.
   */
  import(file: string | Uint8Array, options: ImportOptions = {}): Promise<ImportResult> {
    return importFile(this.#api, file, options);
  }

  get(id: string, options?: CallOptions): Reply<Schedule> {
    return this.#api.send({ method: 'GET', path: at(id) }, options);
  }

  /** Changes only the fields sent. Changes beyond the customer's consent wait for a new one: see `consented`. */
  update(id: string, changes: ScheduleChanges, options?: CallOptions): Reply<Schedule> {
    return this.#api.send({ method: 'PUT', path: at(id), body: changes }, options);
  }

  list(query?: ScheduleQuery, options?: CallOptions): ListPromise<Schedule> {
    return listOf(this.#api, '/api/v1/schedules', query, options);
  }

  /** Lists a customer's schedules. `customerId`: the `id` of a schedule's `customer`. */
  listByCustomer(
    customerId: string,
    query?: ListQuery,
    options?: CallOptions,
  ): ListPromise<Schedule> {
    return listOf(this.#api, `/api/v1/customers/${segment(customerId)}/schedules`, query, options);
  }

  payments(id: string, query?: ListQuery, options?: CallOptions): ListPromise<Payment> {
    return listOf(this.#api, `${at(id)}/payments`, query, options);
  }

  /**
   * Collects once besides the occurrences, within the limits that the customer agreed to. Throws 409 `limit_exceeded`, whose
   * `details` say what is `available` (in pence) and `available_from` when, 409 `consent_required`, `schedule_paused` or
   * `schedule_cancelled`.
   */
  collect(id: string, payment: NewPayment, options?: CallOptions): Reply<Payment> {
    return this.#api.send({ method: 'POST', path: `${at(id)}/payments`, body: payment }, options);
  }

  /** Lists upcoming occurrences: 10 by default, at most 100. */
  upcoming(
    id: string,
    query?: { limit?: number },
    options?: CallOptions,
  ): Reply<{ data: Occurrence[] }> {
    return this.#api.send(
      { method: 'GET', path: `${at(id)}/upcoming`, query: query ?? {} },
      options,
    );
  }

  /**
   * Sets the amount of an upcoming occurrence, or skips it. Throws 409 `occurrence_passed` once it has fallen due, and 409
   * `limit_exceeded` if the customer's limits have no room for the amount.
   */
  changeUpcoming(
    id: string,
    dueDate: string,
    change: OccurrenceChange,
    options?: CallOptions,
  ): Reply<Occurrence> {
    const path = `${at(id)}/upcoming/${segment(dueDate)}`;
    return this.#api.send({ method: 'PUT', path, body: change }, options);
  }

  /** Takes back what was set for an upcoming occurrence. */
  restoreUpcoming(id: string, dueDate: string, options?: CallOptions): Reply<Occurrence> {
    const path = `${at(id)}/upcoming/${segment(dueDate)}`;
    return this.#api.send({ method: 'DELETE', path }, options);
  }

  /** Pauses a schedule. Occurrences that fall due meanwhile are skipped. */
  pause(id: string, options?: CallOptions): Reply<Schedule> {
    return this.update(id, { status: 'paused' }, options);
  }

  /** Pauses a schedule until `resumeAt`, ISO 8601 with an offset or Z: then it resumes automatically. */
  pauseUntil(id: string, resumeAt: string, options?: CallOptions): Reply<Schedule> {
    return this.update(id, { status: 'paused', resume_at: resumeAt }, options);
  }

  /** Resumes a schedule. Throws 409 `consent_required` if no consent is in force. */
  resume(id: string, options?: CallOptions): Reply<Schedule> {
    return this.update(id, { status: 'active' }, options);
  }

  /** Cancels a schedule permanently and revokes the customer's consent. A payment already with the bank may still arrive. */
  cancel(id: string, options?: CallOptions): Reply<Schedule> {
    return this.update(id, { status: 'cancelled' }, options);
  }
}
