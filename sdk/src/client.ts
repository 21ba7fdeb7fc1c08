import { Api, type Call, type CallOptions, type ClientOptions } from './api.ts';
import type { Reply } from './reply.ts';
import { ApiKeys } from './resources/api-keys.ts';
import { Banks } from './resources/banks.ts';
import { Customers } from './resources/customers.ts';
import { Disputes } from './resources/disputes.ts';
import { Events } from './resources/events.ts';
import { MerchantSettings } from './resources/merchant.ts';
import { Payments } from './resources/payments.ts';
import { PreparedActs } from './resources/prepared-acts.ts';
import { Refunds } from './resources/refunds.ts';
import { Sandbox } from './resources/sandbox.ts';
import { ManySchedules } from './resources/schedule-changes.ts';
import { Schedules } from './resources/schedules.ts';
import { Settlements } from './resources/settlements.ts';
import { Wallets } from './resources/wallets.ts';
import { WebhookEndpoints } from './resources/webhook-endpoints.ts';

/**
 * Client of the Recollect API. Names and shapes match the HTTP API. Every POST and PUT, except those of `sandbox`, carries an
 * `Idempotency-Key`, the same on each attempt, so retries are safe.
 */
export class Recollect {
  readonly schedules: Schedules;
  readonly scheduleChanges: ManySchedules;
  readonly customers: Customers;
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly disputes: Disputes;
  readonly settlements: Settlements;
  readonly wallets: Wallets;
  readonly banks: Banks;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly events: Events;
  readonly merchant: MerchantSettings;
  readonly apiKeys: ApiKeys;
  readonly preparedActs: PreparedActs;
  readonly sandbox: Sandbox;
  readonly #api: Api;

  /** Throws TypeError if the API key is missing or the base URL is invalid. */
  constructor(options: ClientOptions) {
    const api = new Api(options);
    this.#api = api;
    this.schedules = new Schedules(api);
    this.scheduleChanges = new ManySchedules(api);
    this.customers = new Customers(api);
    this.payments = new Payments(api);
    this.refunds = new Refunds(api);
    this.disputes = new Disputes(api);
    this.settlements = new Settlements(api);
    this.wallets = new Wallets(api);
    this.banks = new Banks(api);
    this.webhookEndpoints = new WebhookEndpoints(api);
    this.events = new Events(api);
    this.merchant = new MerchantSettings(api);
    this.apiKeys = new ApiKeys(api);
    this.preparedActs = new PreparedActs(api);
    this.sandbox = new Sandbox(api);
  }

  /**
   * Sends a request for which there is no method, to a service that is newer than this package: with the same key, time-outs and
   * retries. `path` begins with `/`; encode the ids in it.
   */
  request<T = unknown>(
    method: Call['method'],
    path: `/${string}`,
    { query, body }: Pick<Call, 'query' | 'body'> = {},
    options?: CallOptions,
  ): Reply<T> {
    const parts = { ...(query && { query }), ...(body && { body }) };
    return this.#api.send<T>({ method, path, ...parts }, options);
  }
}
