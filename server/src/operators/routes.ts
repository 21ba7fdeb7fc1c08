import type { Bank } from '../banks/bank.ts';
import type { Route } from '../platform/http/route.ts';
import type { Platform } from '../platform/platform.ts';
import type { Issuer } from '../wallets/issuer.ts';
import { accessRoutes } from './access/routes.ts';
import { activityRoutes } from './activity/routes.ts';
import { bankRoutes } from './banks/routes.ts';
import { customerDataRoutes } from './customers/routes.ts';
import { merchantRoutes } from './merchants/routes.ts';
import { paymentRoutes } from './payments/routes.ts';
import { reconciliationRoutes } from './reconciliation/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { unallocatedRoutes } from './unallocated/routes.ts';
import { userRoutes } from './users/routes.ts';

/** What the operators' API works with. */
export interface AdminDeps {
  platform: Platform;
  banks: ReadonlyMap<string, Bank>;
  issuer: Issuer;
}

/** All endpoints of the operators' API. */
export function adminRoutes(deps: AdminDeps): Route[] {
  const { platform, banks, issuer } = deps;
  return [
    ...accessRoutes(platform),
    ...merchantRoutes(platform),
    ...bankRoutes(banks),
    ...paymentRoutes(deps),
    ...unallocatedRoutes(deps),
    ...reconciliationRoutes(platform, issuer),
    ...userRoutes(platform),
    ...customerDataRoutes(platform),
    ...searchRoutes(),
    ...activityRoutes(),
  ];
}
