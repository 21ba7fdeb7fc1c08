import { createBrowserRouter, type RouteObject, redirect } from 'react-router';
import { BASE } from '../app/base.ts';
import { Starting } from '../app/frame.tsx';
import { page } from '../app/page-route.ts';
import { Root } from '../app/root.tsx';
import { CrashOutside, CrashPage } from '../pages/crash-page.tsx';
import { NotFoundPage } from '../pages/not-found-page.tsx';

/** Addresses of earlier versions, which lead to the queue of decisions. */
const MOVED: RouteObject[] = [
  { path: '/payments', loader: () => redirect('/decisions?kind=payment') },
  { path: '/settlements', loader: () => redirect('/decisions?kind=settlement') },
  { path: '/overdue', loader: () => redirect('/decisions') },
  { path: '/unallocated', loader: () => redirect('/decisions?kind=unallocated_money') },
  {
    path: '/unallocated/:id',
    loader: ({ params: { id = '' } }) => redirect(`/decisions/unallocated_money/${id}`),
  },
];

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
                  '/decisions',
                  async () => (await import('./pages/decisions/decisions-page.tsx')).DecisionsPage,
                ),
                page(
                  '/decisions/:kind/:id',
                  async () => (await import('./pages/decisions/decision-page.tsx')).DecisionPage,
                ),
                page(
                  '/disputes',
                  async () => (await import('./pages/disputes-page.tsx')).DisputesPage,
                ),
                ...MOVED,
                page(
                  '/reconciliation',
                  async () => (await import('./pages/reconciliation-page.tsx')).ReconciliationPage,
                ),
                page(
                  '/safeguarding',
                  async () => (await import('./pages/safeguarding/days-page.tsx')).DaysPage,
                ),
                page(
                  '/safeguarding/breaches',
                  async () => (await import('./pages/safeguarding/breaches-page.tsx')).BreachesPage,
                ),
                page(
                  '/safeguarding/papers',
                  async () => (await import('./pages/safeguarding/papers-page.tsx')).PapersPage,
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
