import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db } from './db.ts';
import type { Ids } from './ids.ts';
import type { Log } from './log.ts';
import type { Vault } from './vault.ts';

/** What every slice stands on; made once by app and passed to each service. */
export interface Platform {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly vault: Vault;
  readonly log: Log;
  readonly config: Config;
  /** Tells the engine that something may be due now. */
  wake(): void;
}
