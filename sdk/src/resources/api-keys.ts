import { type Api, type CallOptions, segment } from '../api.ts';
import type { Reply } from '../reply.ts';
import type { ListQuery } from '../wire.ts';
import { type ListPromise, listOf } from './list.ts';

/** What an API key may do. A scope covers every call on that resource; for settlements, reading only. */
export type Scope =
  | 'schedules'
  | 'payments'
  | 'settlements'
  | 'customers'
  | 'webhooks'
  | 'merchant'
  | 'keys';

export interface ApiKey {
  id: string;
  name: string;
  /** The last four characters of the key. */
  hint: string;
  scopes: Scope[];
  /** The member who created the key. The key expires with their membership. Null: the operator created it. */
  made_by: string | null;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  /** The addresses and ranges that the key may be used from. Null: anywhere. */
  allowed_ips: string[] | null;
  /** The last use from another address, which was refused. */
  last_refused: { at: string; address: string } | null;
}

/** A newly created key. Only this response contains the key itself. */
export interface NewApiKey extends ApiKey {
  key: string;
}

const PATH = '/api/v1/api_keys';

export class ApiKeys {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(query?: ListQuery, options?: CallOptions): ListPromise<ApiKey> {
    return listOf(this.#api, PATH, query, options);
  }

  /**
   * Creates a key. `scopes` default to all of your own scopes except `keys`; `allowed_ips`, IPv4 and IPv6 addresses and CIDR
   * ranges, to anywhere.
   */
  create(
    key: { name: string; scopes?: Scope[]; allowed_ips?: string[] | null },
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

  /** Changes the addresses that a key may be used from; null: anywhere. */
  update(
    id: string,
    changes: { allowed_ips: string[] | null },
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
