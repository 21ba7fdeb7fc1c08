import type { Api, CallOptions } from '../api.ts';
import type { Reply } from '../reply.ts';

/** How a bank answers: `degraded` is sometimes, `down` is not at all. */
export type BankCondition = 'operational' | 'degraded' | 'down';

/** A bank that customers can choose. */
export interface Bank {
  bank_id: string;
  name: string;
  condition: BankCondition;
  /** Since when it is in that condition; null: it was not called yet. */
  since: string | null;
  /** The operator sends no payments to this bank for now; they wait. */
  stopped: boolean;
  operations: {
    operation: 'consent' | 'token' | 'funds' | 'payment' | 'read';
    condition: BankCondition;
    since: string | null;
  }[];
}

export class Banks {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Lists the banks that customers can choose, and how each answers. While one is down or stopped, its payments wait. */
  list(options?: CallOptions): Reply<{ data: Bank[] }> {
    return this.#api.send({ method: 'GET', path: '/api/v1/banks' }, options);
  }
}
