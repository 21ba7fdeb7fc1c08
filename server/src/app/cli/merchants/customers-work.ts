import { reindexCustomers } from '../../../customers/reindex.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Tx } from '../../../platform/db/db.ts';
import type { Platform } from '../../../platform/platform.ts';
import { formatInstant } from '../../../platform/time/calendar.ts';
import { ApiError } from '../../../platform/values/errors.ts';
import { eraseCustomer, exportCustomer } from '../../../privacy/service.ts';
import { findCustomer } from '../../../privacy/store.ts';
import { reindexSchedules } from '../../../schedules/books/reindex.ts';
import { withPlatform } from '../session/offline.ts';
import type { CommandResult } from '../session/output.ts';

export interface EraseOptions {
  reason: string;
  metadata?: boolean;
}

/** Runs work on one customer in a transaction; a refusal is its result. */
function onCustomer(
  config: Config,
  customerId: string,
  work: (platform: Platform, tx: Tx, merchantId: string) => Promise<string>,
): Promise<CommandResult> {
  return withPlatform(config, async (platform) => {
    try {
      const line = await platform.db.transaction(async (tx) => {
        const customer = await findCustomer(tx, customerId);
        return customer === null ? null : work(platform, tx, customer.merchantId);
      });
      if (line === null) return { line: `there is no customer ${customerId}`, isDone: false };
      return { line, isDone: true };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { line: error.message, isDone: false };
    }
  });
}

/** `customer erase`. */
export function eraseCommand(
  config: Config,
  customerId: string,
  { reason, metadata = false }: EraseOptions,
): Promise<CommandResult> {
  return onCustomer(config, customerId, async (platform, tx, merchantId) => {
    const erasure = { merchantId, customerId, reason, metadata };
    const at = await eraseCustomer(platform, tx, platform.clock.now(), erasure);
    return `${customerId}: erased at ${formatInstant(at)}`;
  });
}

/** `customer export`: JSON on the standard output. */
export function exportCommand(
  config: Config,
  customerId: string,
  reason: string,
): Promise<CommandResult> {
  return onCustomer(config, customerId, async (platform, tx, merchantId) => {
    const asked = { merchantId, customerId, reason };
    return JSON.stringify(await exportCustomer(platform, tx, platform.clock.now(), asked), null, 2);
  });
}

/** `customer reindex`. */
export function reindexCommand(config: Config): Promise<CommandResult> {
  return withPlatform(config, async (platform) => {
    const customers = await reindexCustomers(platform);
    const schedules = await reindexSchedules(platform);
    return { line: `${customers} customers and ${schedules} schedules indexed`, isDone: true };
  });
}
