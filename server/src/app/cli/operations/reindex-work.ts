import { reindexCustomers } from '../../../customers/reindex.ts';
import type { Config } from '../../../platform/config/config.ts';
import { reindexSchedules } from '../../../schedules/books/reindex.ts';
import { withPlatform } from '../session/offline.ts';

/** `customer reindex`. */
export function reindexCommand(config: Config): Promise<string> {
  return withPlatform(config, async (platform) => {
    const customers = await reindexCustomers(platform);
    const schedules = await reindexSchedules(platform);
    return `${customers} customers and ${schedules} schedules indexed`;
  });
}
