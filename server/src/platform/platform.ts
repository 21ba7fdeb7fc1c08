import type { Config } from './config/config.ts';
import type { Db, Tx } from './db/db.ts';
import type { Log } from './log/log.ts';
import type { FanOut } from './state/events.ts';
import type { Notify } from './state/notify.ts';
import type { Clock } from './time/clock.ts';
import type { Ids } from './values/ids.ts';
import type { Vault } from './vault/vault.ts';

/** What every slice depends on; made once by app and passed to each service. */
export interface Platform {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly vault: Vault;
  readonly log: Log;
  readonly config: Config;
  /** Creates the deliveries of new events; `appendEvents` calls it. */
  readonly fanOut: FanOut;
  /** Writes notices to people. */
  readonly notify: Notify;
  /** Wakes the engine: something may be due now. */
  wake(): void;
}

/** The context of work within one transaction: the platform, the transaction, and the moment of all its changes. */
export interface Work {
  readonly platform: Platform;
  readonly tx: Tx;
  readonly now: Temporal.Instant;
}

/** A request of one merchant: its transaction, and the moment of all its changes. An endpoint's call is one. */
export interface Asked {
  readonly tx: Tx;
  readonly now: Temporal.Instant;
  readonly merchantId: string;
}

/** A request and who makes it: the id of an API key or a member, or the name of an operator. */
export interface AskedBy extends Asked {
  readonly actorId: string;
}
