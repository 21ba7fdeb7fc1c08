import { createBrowserRouter } from 'react-router';
import { BASE } from '../app/base.ts';
import { Starting } from '../app/frame.tsx';
import { page } from '../app/page-route.ts';
import { Root } from '../app/root.tsx';
import { CrashOutside, CrashPage } from '../pages/crash-page.tsx';
import { NotFoundPage } from '../pages/not-found-page.tsx';

/** Every page below /console. */
export const router = createBrowserRouter(
  [
    {
      Component: Root,
      ErrorBoundary: CrashOutside,
      HydrateFallback: Starting,
      children: [
        page('/sign-in', async () => (await import('./pages/sign-in-page.tsx')).SignInPage),
        {
          lazy: async () => ({ Component: (await import('./shell.tsx')).Shell }),
          children: [
            {
              ErrorBoundary: CrashPage,
              children: [
                page('/', async () => (await import('./pages/overview-page.tsx')).OverviewPage),
                page(
                  '/merchants',
                  async () => (await import('./pages/merchants/merchants-page.tsx')).MerchantsPage,
                ),
                page(
                  '/merchants/new',
                  async () =>
                    (await import('./pages/merchants/new-merchant-page.tsx')).NewMerchantPage,
                ),
                page('/search', async () => (await import('./pages/search-page.tsx')).SearchPage),
                page(
                  '/merchants/:id',
                  async () => (await import('./pages/merchants/merchant-page.tsx')).MerchantPage,
                ),
                page(
                  '/customers/:id',
                  async () => (await import('./pages/customer-page.tsx')).CustomerPage,
                ),
                page(
                  '/operators',
                  async () => (await import('./pages/operators/operators-page.tsx')).OperatorsPage,
                ),
                page(
                  '/operators/:id',
                  async () => (await import('./pages/operators/operator-page.tsx')).OperatorPage,
                ),
                page(
                  '/banks',
                  async () => (await import('./pages/banks/banks-page.tsx')).BanksPage,
                ),
                page(
                  '/payments',
                  async () => (await import('./pages/waiting/payments-page.tsx')).PaymentsPage,
                ),
                page(
                  '/settlements',
                  async () =>
                    (await import('./pages/waiting/settlements-page.tsx')).SettlementsPage,
                ),
                page(
                  '/overdue',
                  async () => (await import('./pages/overdue-page.tsx')).OverduePage,
                ),
                page(
                  '/unallocated',
                  async () => (await import('./pages/unallocated-page.tsx')).UnallocatedPage,
                ),
                page(
                  '/unallocated/:id',
                  async () => (await import('./pages/item-page.tsx')).ItemPage,
                ),
                page(
                  '/reconciliation',
                  async () => (await import('./pages/reconciliation-page.tsx')).ReconciliationPage,
                ),
                page('/users', async () => (await import('./pages/users-page.tsx')).UsersPage),
                page(
                  '/activity',
                  async () => (await import('./pages/activity-page.tsx')).ActivityPage,
                ),
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
