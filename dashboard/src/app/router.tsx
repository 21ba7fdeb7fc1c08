import { createBrowserRouter, type RouteObject } from 'react-router';
import { CrashOutside, CrashPage } from '../pages/crash-page.tsx';
import { NotFoundPage } from '../pages/not-found-page.tsx';
import { BASE } from './base.ts';
import { Starting } from './frame.tsx';
import { page } from './page-route.ts';
import { Root } from './root.tsx';

const collections: RouteObject[] = [
  page('/', async () => (await import('../pages/overview/overview-page.tsx')).OverviewPage),
  page(
    '/attention',
    async () => (await import('../pages/attention/attention-page.tsx')).AttentionPage,
  ),
  page(
    '/schedules',
    async () => (await import('../pages/schedules/list/schedules-page.tsx')).SchedulesPage,
  ),
  page(
    '/schedules/new',
    async () => (await import('../pages/schedules/change/new-schedule-page.tsx')).NewSchedulePage,
  ),
  page(
    '/schedules/import',
    async () => (await import('../pages/schedules/import/import-page.tsx')).ImportPage,
  ),
  page(
    '/schedules/changes',
    async () => (await import('../pages/schedules/many/changes-page.tsx')).ChangesPage,
  ),
  page(
    '/schedules/changes/:id',
    async () => (await import('../pages/schedules/many/change-page.tsx')).ChangePage,
  ),
  page(
    '/schedules/:id',
    async () => (await import('../pages/schedules/show/schedule-page.tsx')).SchedulePage,
  ),
  page(
    '/schedules/:id/change',
    async () =>
      (await import('../pages/schedules/change/change-schedule-page.tsx')).ChangeSchedulePage,
  ),
  page(
    '/customers',
    async () => (await import('../pages/customers/customers-page.tsx')).CustomersPage,
  ),
  page(
    '/customers/:id',
    async () => (await import('../pages/customers/customer-page.tsx')).CustomerPage,
  ),
];

const money: RouteObject[] = [
  page('/payments', async () => (await import('../pages/payments/payments-page.tsx')).PaymentsPage),
  page(
    '/payments/:id',
    async () => (await import('../pages/payments/payment-page.tsx')).PaymentPage,
  ),
  page('/disputes', async () => (await import('../pages/disputes/disputes-page.tsx')).DisputesPage),
  page(
    '/disputes/:id',
    async () => (await import('../pages/disputes/dispute-page.tsx')).DisputePage,
  ),
  page('/refunds', async () => (await import('../pages/refunds/refunds-page.tsx')).RefundsPage),
  page(
    '/settlements',
    async () => (await import('../pages/settlements/settlements-page.tsx')).SettlementsPage,
  ),
  page(
    '/settlements/match',
    async () => (await import('../pages/settlements/match-page.tsx')).MatchPage,
  ),
  page(
    '/settlements/:id',
    async () => (await import('../pages/settlements/settlement-page.tsx')).SettlementPage,
  ),
];

const reports: RouteObject[] = [
  page('/reports', async () => (await import('../pages/reports/failures-page.tsx')).FailuresPage),
  page(
    '/reports/arrears',
    async () => (await import('../pages/reports/arrears-page.tsx')).ArrearsPage,
  ),
  page(
    '/reports/cohorts',
    async () => (await import('../pages/reports/cohorts-page.tsx')).CohortsPage,
  ),
  page(
    '/reports/calendar',
    async () => (await import('../pages/reports/calendar-page.tsx')).CalendarPage,
  ),
  page(
    '/reports/statement',
    async () => (await import('../pages/reports/statement-page.tsx')).StatementPage,
  ),
  page(
    '/reports/accounting',
    async () => (await import('../pages/reports/accounting-page.tsx')).AccountingPage,
  ),
];

const connections: RouteObject[] = [
  page(
    '/webhooks',
    async () => (await import('../pages/webhooks/endpoints-page.tsx')).EndpointsPage,
  ),
  page(
    '/webhooks/endpoints/:id',
    async () => (await import('../pages/webhooks/endpoint-page.tsx')).EndpointPage,
  ),
  page(
    '/webhooks/events',
    async () => (await import('../pages/webhooks/events-page.tsx')).EventsPage,
  ),
  page(
    '/webhooks/events/:id',
    async () => (await import('../pages/webhooks/event-page.tsx')).EventPage,
  ),
  page('/agents', async () => (await import('../pages/agents/agents-page.tsx')).AgentsPage),
  page('/developers', async () => (await import('../pages/developers/keys-page.tsx')).KeysPage),
  page(
    '/developers/requests',
    async () => (await import('../pages/developers/requests-page.tsx')).RequestsPage,
  ),
  page(
    '/developers/requests/:id',
    async () => (await import('../pages/developers/request-page.tsx')).RequestPage,
  ),
  page(
    '/developers/quickstart',
    async () => (await import('../pages/developers/quickstart-page.tsx')).QuickstartPage,
  ),
  page('/sandbox', async () => (await import('../pages/sandbox/sandbox-page.tsx')).SandboxPage),
];

const settings: RouteObject[] = [
  page(
    '/settings',
    async () => (await import('../pages/settings/business/business-page.tsx')).BusinessPage,
  ),
  page(
    '/settings/team',
    async () => (await import('../pages/settings/team/team-page.tsx')).TeamPage,
  ),
  page(
    '/settings/activity',
    async () => (await import('../pages/settings/team/activity-page.tsx')).ActivityPage,
  ),
  page(
    '/settings/emails',
    async () => (await import('../pages/settings/emails/emails-page.tsx')).EmailsPage,
  ),
  page(
    '/settings/security',
    async () => (await import('../pages/settings/security/security-page.tsx')).SecurityPage,
  ),
];

const publicRoutes: RouteObject[] = [
  page('/sign-in', async () => (await import('../pages/sign-in/sign-in-page.tsx')).SignInPage),
  page('/single-sign-on', async () => (await import('../pages/sign-in/sso-page.tsx')).SsoPage),
  page('/join', async () => (await import('../pages/sign-in/join-page.tsx')).JoinPage),
  page(
    '/forgotten-password',
    async () =>
      (await import('../pages/sign-in/forgotten-password-page.tsx')).ForgottenPasswordPage,
  ),
  page(
    '/new-password',
    async () => (await import('../pages/sign-in/new-password-page.tsx')).NewPasswordPage,
  ),
];

/** Every page below /dashboard. */
export const router = createBrowserRouter(
  [
    {
      Component: Root,
      ErrorBoundary: CrashOutside,
      HydrateFallback: Starting,
      children: [
        ...publicRoutes,
        {
          lazy: async () => ({ Component: (await import('./shell.tsx')).Shell }),
          children: [
            {
              ErrorBoundary: CrashPage,
              children: [
                ...collections,
                ...money,
                ...reports,
                ...connections,
                ...settings,
                { path: '*', Component: NotFoundPage },
              ],
            },
          ],
        },
      ],
    },
  ],
  { basename: BASE },
);
