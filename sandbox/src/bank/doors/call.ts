import type { Bank, BankDeps } from '../bank.ts';
import type { Json } from '../wire/fields.ts';
import type { KeyedRequest } from '../wire/idempotency.ts';
import type { Access } from './access.ts';

/** An authenticated call, with a signed body where one is required. */
export interface Call {
  deps: BankDeps;
  bank: Bank;
  access: Access;
  now: Temporal.Instant;
  /** The id in the path, or an empty string. */
  id: string;
  /** Returns the JSON body; throws U010 if there is none. */
  body(): Json;
  /** Returns the idempotency key with the request it belongs to; throws U006 or U007. */
  keyed(): KeyedRequest;
}

export interface Reply {
  status: number;
  body?: object;
  /** Drop the connection instead of responding. */
  drop?: boolean;
}
