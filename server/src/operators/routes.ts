import type { Bank } from '../banks/bank.ts';
import type { CaseFileDeps } from '../disputes/case-file/service.ts';
import type { Issuer } from '../wallets/issuer.ts';
import { accessRoutes } from './access/routes.ts';
import { activityRoutes } from './activity/routes.ts';
import type { AdminRoute } from './admin/route.ts';
import { bankRoutes } from './banks/routes.ts';
import type { Registration } from './banks/view.ts';
import { customerDataRoutes } from './customers/routes.ts';
import { decisionRoutes } from './decisions/routes.ts';
import { disputeRoutes } from './disputes/routes.ts';
import { accountRoutes } from './merchants/account-routes.ts';
import { type MerchantKeyDeps, merchantKeyRoutes } from './merchants/key-routes.ts';
import { merchantRoutes } from './merchants/routes.ts';
import { endOverdueRoute, overdueRoutes } from './overdue/routes.ts';
import type { EndingDeps } from './overdue/service.ts';
import { paymentRoutes } from './payments/routes.ts';
import { reconciliationRoutes } from './reconciliation/routes.ts';
import { requestRoutes } from './requests/routes.ts';
import { safeguardingRoutes } from './safeguarding/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { settlementRoutes } from './settlements/routes.ts';
import { unallocatedRoutes } from './unallocated/routes.ts';
import { userRoutes } from './users/routes.ts';

/** What the operators' API works with. */
export interface AdminDeps extends MerchantKeyDeps {
  banks: ReadonlyMap<string, Bank>;
  issuer: Issuer;
  /** The registrations with direct banks that are in use; absent: none. */
  direct?: () => readonly Registration[];
  /** What case files take besides; absent: there are none. */
  caseFiles?: CaseFileDeps;
  /** What ending something overdue takes besides; absent: it is listed alone. */
  ending?: Pick<EndingDeps, 'settlements' | 'refunds' | 'hooks'>;
}

/** All endpoints of the operators' API. */
export function adminRoutes(deps: AdminDeps): AdminRoute[] {
  const { platform, banks, issuer, direct = () => [] } = deps;
  return [
    ...accessRoutes(platform),
    ...requestRoutes(platform),
    ...merchantRoutes(platform),
    ...merchantKeyRoutes(deps),
    ...accountRoutes(deps),
    ...bankRoutes(banks, direct),
    ...decisionRoutes({ platform, banks }),
    ...paymentRoutes(deps),
    ...settlementRoutes(),
    ...(deps.caseFiles === undefined ? [] : disputeRoutes(deps.caseFiles)),
    ...overdueRoutes(),
    ...(deps.ending === undefined ? [] : [endOverdueRoute({ ...deps, ...deps.ending })]),
    ...unallocatedRoutes(deps),
    ...reconciliationRoutes(platform, issuer),
    ...safeguardingRoutes(platform, issuer),
    ...userRoutes(platform),
    ...customerDataRoutes(platform),
    ...searchRoutes(),
    ...activityRoutes(),
  ];
}
