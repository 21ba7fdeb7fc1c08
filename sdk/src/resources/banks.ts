import type { Api, CallOptions } from '../api.ts';
import type { Reply } from '../reply.ts';
import type { Bank } from '../types.ts';

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
