import { withKeyLimits } from '../../agents/acts/limited-keys.ts';
import type { ActDeps } from '../../agents/prepared/deps.ts';
import { preparedActRoutes } from '../../agents/prepared/routes.ts';
import type { Bank } from '../../banks/bank.ts';
import { bankRoutes } from '../../banks/bank-routes.ts';
import type { CustomerDeps } from '../../customers/directory.ts';
import { customerRoutes } from '../../customers/routes.ts';
import { caseFileRoutes } from '../../disputes/case-file/routes.ts';
import { disputeRoutes } from '../../disputes/routes.ts';
import type { Authenticator } from '../../merchants/keys/authenticator.ts';
import { merchantRoutes } from '../../merchants/routes.ts';
import { paymentRoutes } from '../../payments/api/routes.ts';
import type { Route } from '../../platform/http/calls/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { privacyRoutes } from '../../privacy/routes.ts';
import { refundRoutes } from '../../refunds/routes.ts';
import type { RefundDeps } from '../../refunds/service.ts';
import type { ScheduleDeps } from '../../schedules/change/service.ts';
import { scheduleRoutes } from '../../schedules/routes.ts';
import type { SettlementDeps } from '../../settlements/destination.ts';
import { settlementRoutes } from '../../settlements/routes.ts';
import { walletRoutes } from '../../wallets/routes.ts';
import { webhookRoutes } from '../../webhooks/routes.ts';
import { caseFileDeps } from './case-files.ts';

/** What the endpoints stand on. */
interface ApiParts {
  customers: CustomerDeps;
  schedules: ScheduleDeps;
  settlements: SettlementDeps;
  refunds: RefundDeps;
  banks: ReadonlyMap<string, Bank>;
}

/** Returns the endpoints of the API, which hold keys to their limits, and what API keys prepare. */
export function apiRoutes(
  platform: Platform,
  authenticator: Authenticator,
  { customers, schedules, settlements, refunds, banks }: ApiParts,
): { acts: ActDeps; routes: Route[] } {
  const routes = [
    ...customerRoutes(customers),
    ...privacyRoutes(platform),
    ...scheduleRoutes(schedules),
    ...paymentRoutes(platform),
    ...refundRoutes(refunds),
    ...disputeRoutes({ platform, refunds }),
    ...caseFileRoutes(caseFileDeps(platform, banks)),
    ...settlementRoutes(settlements),
    ...walletRoutes(),
    ...bankRoutes(banks),
    ...webhookRoutes(platform),
    ...merchantRoutes({ platform, authenticator }),
  ];
  const acts = { platform, routes };
  return { acts, routes: [...routes.map(withKeyLimits), ...preparedActRoutes(acts)] };
}
