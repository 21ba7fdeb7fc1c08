import type { Api, CallOptions } from '../api.ts';
import type { Reply } from '../reply.ts';
import type { Merchant, MerchantChanges } from '../types.ts';

export class MerchantSettings {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  get(options?: CallOptions): Reply<Merchant> {
    return this.#api.send({ method: 'GET', path: '/api/v1/merchant' }, options);
  }

  update(changes: MerchantChanges, options?: CallOptions): Reply<Merchant> {
    return this.#api.send({ method: 'PUT', path: '/api/v1/merchant', body: changes }, options);
  }
}
