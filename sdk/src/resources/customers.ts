import { type Api, type CallOptions, segment } from '../api.ts';
import type { Reply } from '../reply.ts';
import type { CreatedSort, ListQuery, PayingAccount, SpanQuery } from '../wire.ts';
import { type ListPromise, listOf } from './list.ts';

/** Who pays, in one of three forms: docs/rules/schedules.md#customers. */
export type CustomerIdentification =
  | { type: 'phone'; value: string }
  | { type: 'bank_account'; account_number: string; sort_code: string }
  | { type: 'user_id'; value: string };

/** What you know about a customer. `reference`: your own id. */
export interface CustomerProfile {
  name: string | null;
  email: string | null;
  reference: string | null;
}

/** The customer of a schedule: the identification you gave, the customer's id, and what you know about them, if anything. */
export type Customer = CustomerIdentification & { id: string } & {
  name?: string;
  email?: string;
  reference?: string;
};

/** The customer of a new schedule. Profile fields that you send change those of a known customer. */
export type CustomerInput = (CustomerIdentification | { phone: string }) & Partial<CustomerProfile>;

/** A customer as the customer endpoints return it. */
export type CustomerDetails = CustomerIdentification & { id: string } & CustomerProfile & {
    /** For your team; never shown to the customer. */
    notes: string | null;
    /** The bank of the latest granted consent. */
    bank: { id: string; name: string } | null;
    /** Masked. */
    paying_account: PayingAccount | null;
    created_at: string;
  };

/** Fields that are left out stay as they are; null clears one. */
export type CustomerChanges = Partial<CustomerProfile & { notes: string | null }>;

/** Why personal data are erased. */
export interface CustomerErasure {
  reason: string;
  /** Erases the metadata of their schedules too. */
  metadata?: boolean;
}

export interface ErasedCustomer {
  id: string;
  erased_at: string;
}

/** Everything that is held of one customer: rows by table, each column as text, what is no text as JSON. */
export interface CustomerExport {
  customer_id: string;
  merchant_id: string;
  exported_at: string;
  tables: Record<string, Record<string, string | null>[]>;
  /** Tables of which only the first rows are there. */
  cut_short: string[];
  /** What happened before may be in the archive, which holds no personal data; null: nothing is. */
  archived_before: string | null;
}

const at = (id: string): string => `/api/v1/customers/${segment(id)}`;

/** Which customers to list; `from` and `to` are of `created_at`. */
export interface CustomerQuery extends ListQuery, SpanQuery {
  /** What finds them. */
  q?: string;
  sort?: CreatedSort;
}

export class Customers {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists customers, newest first. `q`: words of a name, an email, your reference, a phone number or its last digits, a sort code
   * and account number, or an id.
   */
  list(query?: CustomerQuery, options?: CallOptions): ListPromise<CustomerDetails> {
    return listOf(this.#api, '/api/v1/customers', query, options);
  }

  get(id: string, options?: CallOptions): Reply<CustomerDetails> {
    return this.#api.send({ method: 'GET', path: at(id) }, options);
  }

  /** Changes only the fields sent. */
  update(id: string, changes: CustomerChanges, options?: CallOptions): Reply<CustomerDetails> {
    return this.#api.send({ method: 'PUT', path: at(id), body: changes }, options);
  }

  /**
   * Erases the customer's personal data for good; payments stay. `reason`: who asked for it, and when. Throws `customer_in_use`
   * while something is under way.
   */
  erase(id: string, erasure: CustomerErasure, options?: CallOptions): Reply<ErasedCustomer> {
    return this.#api.send({ method: 'POST', path: `${at(id)}/erase`, body: erasure }, options);
  }

  /** Returns everything that is held of the customer. `reason`: who asked for it, and when; kept in the activity. */
  export(id: string, reason: string, options?: CallOptions): Reply<CustomerExport> {
    return this.#api.send({ method: 'GET', path: `${at(id)}/export`, query: { reason } }, options);
  }
}
