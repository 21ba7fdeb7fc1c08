import { withNotices } from '../../notices/from-events.ts';
import { makeNotify } from '../../notices/notify.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Platform } from '../../platform/platform.ts';
import { changeHolidays } from '../../platform/time/calendar.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { type Ids, makeIds } from '../../platform/values/ids.ts';
import { makeVault } from '../../platform/vault/vault.ts';
import { makeFanOut } from '../../webhooks/fan-out.ts';
import { keysForStart } from './keys.ts';

/** Makes a platform over an open, migrated database, and sets the calendar of its process. It wakes no engine. */
export function makePlatform(
  config: Config,
  db: Db,
  clock: Clock,
  log: Log,
  ids: Ids = makeIds(),
): Platform {
  changeHolidays(config.bankHolidays);
  const { encryption, blindIndex, signing } = keysForStart(config);
  const vault = makeVault(encryption, blindIndex, signing);
  const telling = makePublishing({ config, ids, vault });
  return { db, clock, ids, vault, log, config, ...telling, wake: () => undefined };
}

/** Makes what tells merchants and people of a change, in the transaction of the change: webhooks and notices. */
export function makePublishing(
  parts: Pick<Platform, 'config' | 'ids' | 'vault'>,
): Pick<Platform, 'fanOut' | 'notify'> {
  const notify = makeNotify(parts);
  return { notify, fanOut: withNotices(makeFanOut(parts.ids), notify) };
}
