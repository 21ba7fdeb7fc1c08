import { approvalRoutes } from '../../agents/prepared/routes.ts';
import type { Bank } from '../../banks/bank.ts';
import { accessRoutes } from '../../dashboard/access/routes.ts';
import { ssoRoutes } from '../../dashboard/access/sso-routes.ts';
import { activityRoutes } from '../../dashboard/activity/routes.ts';
import { attentionRoutes } from '../../dashboard/attention/routes.ts';
import { dashboardCustomerRoutes } from '../../dashboard/customers/routes.ts';
import { meRoutes } from '../../dashboard/me/routes.ts';
import { brandingRoutes } from '../../dashboard/notices/branding-routes.ts';
import { noticeRoutes } from '../../dashboard/notices/routes.ts';
import { overviewRoutes } from '../../dashboard/overview/routes.ts';
import { dashboardPaymentRoutes } from '../../dashboard/payments/routes.ts';
import { pulseRoutes } from '../../dashboard/pulse.ts';
import { reportRoutes } from '../../dashboard/reports/routes.ts';
import { requestRoutes } from '../../dashboard/requests/routes.ts';
import { type DashboardDeps, dashboardRoutes } from '../../dashboard/routes.ts';
import { savedViewRoutes } from '../../dashboard/saved-views/routes.ts';
import { dashboardScheduleRoutes } from '../../dashboard/schedules/routes.ts';
import { searchRoutes } from '../../dashboard/search/routes.ts';
import { settlementAccountRoutes } from '../../dashboard/settlement-account/routes.ts';
import { dashboardSettlementRoutes } from '../../dashboard/settlements/routes.ts';
import { teamRoutes } from '../../dashboard/team/routes.ts';
import { dashboardWebhookRoutes } from '../../dashboard/webhooks/routes.ts';
import type { SignIn } from '../../merchants/sign-in/sign-in.ts';
import { membershipsOf } from '../../merchants/team/service.ts';
import type { PlainRoutes, Route } from '../../platform/http/calls/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { caseFileDeps } from './case-files.ts';
import type { Service } from './service.ts';

/** The parts of the dashboard that are made here; the service supplies the rest. */
interface DashboardParts extends Pick<DashboardDeps, 'sandbox' | 'record'> {
  platform: Platform;
  service: Service;
  signIn: SignIn;
  banks: ReadonlyMap<string, Bank>;
}

/** Returns all routes below `/dashboard`, over a service. */
export function dashboardOf(parts: DashboardParts): PlainRoutes {
  const { platform, service, signIn, sandbox, record } = parts;
  return dashboardRoutes({
    platform,
    issuer: service.issuer,
    routes: [...service.routes, ...ownRoutes(parts)],
    bankName: nameIn(parts.banks),
    caseFiles: caseFileDeps(platform, parts.banks),
    who: (headers) => signIn.who(headers),
    membershipsOf: (userId) => platform.db.read((tx) => membershipsOf(tx, userId)),
    signIn: signIn.routes,
    providers: () => signIn.providers(),
    isProved: signIn.isProved,
    prove: (request, reply, proof) => signIn.prove(request, reply, proof),
    sandbox,
    record,
  });
}

const nameIn =
  (banks: DashboardParts['banks']) =>
  (bankId: string): string =>
    banks.get(bankId)?.name ?? bankId;

/** Returns the endpoints that only the dashboard has. */
export function ownRoutes({
  platform,
  service,
  banks,
}: Pick<DashboardParts, 'platform' | 'service' | 'banks'>): Route[] {
  const deps = { ...service.schedules, platform, bankName: nameIn(banks) };
  return [
    ...meRoutes(deps),
    ...pulseRoutes(),
    ...overviewRoutes(deps),
    ...attentionRoutes(deps),
    ...reportRoutes(deps),
    ...searchRoutes(deps),
    ...dashboardScheduleRoutes(deps),
    ...dashboardCustomerRoutes(service.customers),
    ...dashboardPaymentRoutes(deps),
    ...dashboardSettlementRoutes(),
    ...dashboardWebhookRoutes(),
    ...requestRoutes(),
    ...activityRoutes(),
    ...approvalRoutes(service.acts),
    ...noticeRoutes(platform),
    ...savedViewRoutes(platform),
    ...brandingRoutes(platform),
    ...settlementAccountRoutes({ platform, issuer: service.issuer }),
    ...accessRoutes(),
    ...ssoRoutes(platform),
    ...teamRoutes({ platform, authenticator: { distrust: service.distrustKey } }),
  ];
}
