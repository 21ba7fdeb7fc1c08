import type { Access } from './access.ts';
import type { Bank, BankDeps } from './bank.ts';
import type { Json } from './fields.ts';
import type { KeyedRequest } from './idempotency.ts';

/** One call that was let in: authenticated, and with a signed body where one is due. */
export interface Call {
  deps: BankDeps;
  bank: Bank;
  access: Access;
  now: Temporal.Instant;
  /** The id in the address, or an empty text. */
  id: string;
  /** The JSON body; throws U010 when there is none. */
  body(): Json;
  /** The idempotency key with what was asked for; throws U006 or U007. */
  keyed(): KeyedRequest;
}

export interface Reply {
  status: number;
  body?: object;
  /** Break the connection instead of answering. */
  drop?: boolean;
}
