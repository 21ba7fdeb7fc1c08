import { listMerchants, type MerchantFilter } from '../../../operators/merchants/store.ts';
import { viewListedMerchant } from '../../../operators/merchants/view.ts';
import type { Config } from '../../../platform/config/config.ts';
import { withPlatform } from '../session/offline.ts';

const MOST_LISTED = 1000;

/** `merchant list`: the newest 1,000 merchants at most, as the operators' API shows them. */
export function listMerchantsCommand(config: Config, filter: MerchantFilter): Promise<object[]> {
  return withPlatform(config, ({ db }) =>
    db.read(async (tx) => {
      const { rows } = await listMerchants(tx, filter, { limit: MOST_LISTED, offset: 0 });
      return rows.map(viewListedMerchant);
    }),
  );
}
