import { bankRoutes } from '../../banks/bank-routes.ts';
import { customerRoutes } from '../../customers/routes.ts';
import type { Authenticator } from '../../merchants/keys/authenticator.ts';
import { merchantRoutes } from '../../merchants/routes.ts';
import { paymentRoutes } from '../../payments/api/routes.ts';
import type { Route } from '../../platform/http/calls/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { privacyRoutes } from '../../privacy/routes.ts';
import { refundRoutes } from '../../refunds/routes.ts';
import { scheduleRoutes } from '../../schedules/routes.ts';
import { settlementRoutes } from '../../settlements/routes.ts';
import { walletRoutes } from '../../wallets/routes.ts';
import { webhookRoutes } from '../../webhooks/routes.ts';
import type { Partners, Service } from './service.ts';

/** Returns every endpoint of the API. */
export function allRoutes(
  platform: Platform,
  authenticator: Authenticator,
  {
    customers,
    schedules,
    settlements,
    refunds,
  }: Pick<Service, 'customers' | 'schedules' | 'settlements' | 'refunds'>,
  banks: Partners['banks'],
): Route[] {
  return [
    ...customerRoutes(customers),
    ...privacyRoutes(platform),
    ...scheduleRoutes(schedules),
    ...paymentRoutes(platform),
    ...refundRoutes(refunds),
    ...settlementRoutes(settlements),
    ...walletRoutes(),
    ...bankRoutes(banks),
    ...webhookRoutes(platform),
    ...merchantRoutes({ platform, authenticator }),
  ];
}
