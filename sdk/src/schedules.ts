import { type Api, type CallOptions, segment } from './api.ts';
import { type ListPromise, listOf } from './list.ts';
import type { Payment } from './payments.ts';
import type { Amount, ListQuery, PayingAccount } from './wire.ts';

export type FrequencyType = 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly';

/** How often is collected. `day`: 1 (Monday) to 7 for weekly, 1 to 31 for monthly and longer; absent for daily. */
export interface Frequency {
  type: FrequencyType;
  day?: number;
  interval: number;
}

/** A frequency as it is asked for: the object, or its type alone. */
export type FrequencyInput =
  | FrequencyType
  | { type: FrequencyType; day?: number; interval?: number };

/** Who pays, in one of three forms: docs/rules/schedules.md#customers. */
export type CustomerIdentification =
  | { type: 'phone'; value: string }
  | { type: 'bank_account'; account_number: string; sort_code: string }
  | { type: 'user_id'; value: string };

/** The customer of a schedule: named as you named it, and with its id. */
export type Customer = CustomerIdentification & { id: string };

export type ScheduleStatus = 'pending_consent' | 'active' | 'paused' | 'cancelled';

/** Free-form data of yours, stored with a schedule. */
export type Metadata = Record<string, unknown>;

/**
 * `in_doubt`: the bank says that the consent is over, and is asked again; nothing is collected meanwhile.
 * `reauthentication_needed`: the bank wants the customer to authenticate again. `limits_changed`: the customer changed the
 * limits at the bank, and the schedule no longer fits them.
 */
export interface ConsentNotice {
  kind: 'in_doubt' | 'reauthentication_needed' | 'limits_changed';
  since: string;
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
  next_payment_date: string | null;
  created_at: string;
  /** What the customer agreed to. Collections follow it until a new consent is granted. Null before the first. */
  consented: { amount: Amount; frequency: Frequency; end_date: string | null } | null;
  /** The account that pays, masked; null before it is known. */
  paying_account: PayingAccount | null;
  /** What keeps, or may keep, the consent from being used; null: nothing. */
  consent_notice: ConsentNotice | null;
  /** Where the customer gives consent; there while one waits for the customer. */
  consent_url?: string;
  /** Of a single schedule that is paused or cancelled: what the bank had already been asked for, and may still arrive. */
  payments_under_way?: { id: string; amount: Amount; due_date: string }[];
}

export interface NewSchedule {
  amount: Amount;
  frequency: FrequencyInput;
  customer: CustomerIdentification | { phone: string };
  /** Shown to the customer. */
  description: string;
  metadata?: Metadata | null;
  /** ISO 8601 with an offset or Z. */
  start_date?: string | null;
  /** ISO 8601 with an offset or Z. */
  end_date?: string | null;
  /** 0 to 10; default 3. */
  max_retries?: number;
}

/** Only the fields that are there are changed; null clears. */
export interface ScheduleChanges {
  amount?: Amount;
  frequency?: FrequencyInput;
  description?: string;
  metadata?: Metadata | null;
  /** Can change only before the first payment. */
  start_date?: string;
  end_date?: string | null;
  max_retries?: number;
  status?: 'active' | 'paused' | 'cancelled';
}

/** A coming occurrence; `reason` says why it is not at the day or hour that was asked for. */
export interface Occurrence {
  due_date: string;
  amount: Amount;
  reason: string | null;
}

const at = (id: string): string => `/api/v1/schedules/${segment(id)}`;

export class Schedules {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Creates a schedule; share its `consent_url` with the customer. */
  create(schedule: NewSchedule, options?: CallOptions): Promise<Schedule> {
    return this.#api.send({ method: 'POST', path: '/api/v1/schedules', body: schedule }, options);
  }

  get(id: string, options?: CallOptions): Promise<Schedule> {
    return this.#api.send({ method: 'GET', path: at(id) }, options);
  }

  /** Changes only the fields sent. What goes beyond the customer's consent waits for a new one: see `consented`. */
  update(id: string, changes: ScheduleChanges, options?: CallOptions): Promise<Schedule> {
    return this.#api.send({ method: 'PUT', path: at(id), body: changes }, options);
  }

  list(
    query?: ListQuery & { status?: ScheduleStatus },
    options?: CallOptions,
  ): ListPromise<Schedule> {
    return listOf(this.#api, '/api/v1/schedules', query, options);
  }

  /** `customerId`: the `id` of a schedule's `customer`. */
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

  /** The coming occurrences: 10 unless told otherwise, 100 at most. */
  upcoming(
    id: string,
    query?: { limit?: number },
    options?: CallOptions,
  ): Promise<{ data: Occurrence[] }> {
    return this.#api.send(
      { method: 'GET', path: `${at(id)}/upcoming`, query: query ?? {} },
      options,
    );
  }

  /** Occurrences that fall due meanwhile are skipped. */
  pause(id: string, options?: CallOptions): Promise<Schedule> {
    return this.update(id, { status: 'paused' }, options);
  }

  /** Throws 409 `consent_required` where no consent is live. */
  resume(id: string, options?: CallOptions): Promise<Schedule> {
    return this.update(id, { status: 'active' }, options);
  }

  /** For good. The customer's consent is revoked too; a payment that is with the bank may still arrive. */
  cancel(id: string, options?: CallOptions): Promise<Schedule> {
    return this.update(id, { status: 'cancelled' }, options);
  }
}
