import { type Api, type CallOptions, segment } from '../api.ts';
import type { Reply } from '../reply.ts';
import type {
  CustomerChanges,
  CustomerDetails,
  CustomerErasure,
  CustomerExport,
  CustomerQuery,
  ErasedCustomer,
} from '../types.ts';
import { type ListPromise, listOf } from './list.ts';

const at = (id: string): string => `/api/v1/customers/${segment(id)}`;

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
