import { type Api, type CallOptions, segment } from '../api.ts';
import type { ListQuery } from '../paging.ts';
import type { Reply } from '../reply.ts';
import type { ApiKey, NewApiKey } from '../types.ts';
import type { KeyLimitsInput, Scope } from '../values.ts';
import { type ListPromise, listOf } from './list.ts';

const PATH = '/api/v1/api_keys';

export class ApiKeys {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(query?: ListQuery, options?: CallOptions): ListPromise<ApiKey> {
    return listOf(this.#api, PATH, query, options);
  }

  /** Returns the key that this client uses: what it may do, its limits, and how much of them is used today. */
  own(options?: CallOptions): Reply<ApiKey> {
    return this.#api.send({ method: 'GET', path: '/api/v1/api_key' }, options);
  }

  /**
   * Creates a key. `scopes` default to all of your own scopes except `keys`; `allowed_ips`, IPv4 and IPv6 addresses and CIDR
   * ranges, to anywhere; `limits`, what the key may do on its own, to none.
   */
  create(
    key: {
      name: string;
      scopes?: Scope[];
      allowed_ips?: string[] | null;
      limits?: KeyLimitsInput | null;
    },
    options?: CallOptions,
  ): Reply<NewApiKey> {
    return this.#api.send({ method: 'POST', path: PATH, body: key }, options);
  }

  /** Replaces a key; the old one keeps working for `overlap_hours` (0 to 168, default 24). */
  rotate(
    id: string,
    overlap: { overlap_hours?: number } = {},
    options?: CallOptions,
  ): Reply<NewApiKey> {
    return this.#api.send(
      { method: 'POST', path: `${PATH}/${segment(id)}/rotate`, body: overlap },
      options,
    );
  }

  /** Changes the addresses that a key may be used from (null: anywhere), or its limits (null: none). */
  update(
    id: string,
    changes: { allowed_ips?: string[] | null; limits?: KeyLimitsInput | null },
    options?: CallOptions,
  ): Reply<ApiKey> {
    return this.#api.send(
      { method: 'PUT', path: `${PATH}/${segment(id)}`, body: changes },
      options,
    );
  }

  /** Revokes a key immediately. */
  revoke(id: string, options?: CallOptions): Reply<ApiKey> {
    return this.#api.send({ method: 'DELETE', path: `${PATH}/${segment(id)}` }, options);
  }
}
