import Type, { type Static } from 'typebox';
import { londonDay } from '../../laws/reconciliation/london-day.ts';
import { ISSUER, reconcile } from '../../laws/reconciliation/reconciliation.ts';
import { listItems } from '../../laws/reconciliation/reconciliation-store.ts';
import { findReport, listReports } from '../../laws/reconciliation/report-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import { mapList, pageOf, slicePage } from '../../platform/http/lists/page.ts';
import { Fields, ListOf, ListQuery, NamedObject } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { invalid, notFound } from '../../platform/values/errors.ts';
import type { Issuer } from '../../wallets/issuer.ts';
import {
  ADMIN_REASON,
  type AdminRoute,
  adminRoute,
  adminRouteWithOwnTransactions,
  readDay,
} from '../admin/route.ts';
import { resolveDifference } from './service.ts';
import { DifferenceView, FullReportView, ReportView, viewDifference, viewReport } from './view.ts';

const tag = 'Reconciliation';
const DateParams = Type.Object({ date: Type.String() });
async function showReport(
  tx: Tx,
  date: Temporal.PlainDate,
): Promise<Static<typeof FullReportView>> {
  const [report, items] = await Promise.all([
    findReport(tx, ISSUER, date),
    listItems(tx, ISSUER, date),
  ]);
  if (report === null) throw notFound('report');
  return { ...viewReport(report), differences: items.map(viewDifference) };
}

/** The endpoints of the daily reconciliation. */
export function reconciliationRoutes(platform: Platform, issuer: Issuer): AdminRoute[] {
  return [
    ...reportRoutes(),
    runRoute(platform, issuer),
    adminRoute({
      method: 'GET',
      role: 'auditor',
      path: '/reconciliation/differences',
      summary: 'List the differences that nobody has resolved, oldest first',
      tag,
      operationId: 'listDifferences',
      command: 'reconcile differences',
      query: ListQuery,
      response: ListOf(DifferenceView),
      async handle(call) {
        const items = await listItems(call.tx, ISSUER);
        const page = slicePage('differences', items, pageOf(call), ({ item }) => item);
        return mapList(page, viewDifference);
      },
    }),
    adminRoute({
      method: 'POST',
      role: 'payments',
      path: '/reconciliation/differences/resolve',
      summary: 'Resolve a difference',
      tag,
      operationId: 'resolveDifference',
      command: 'reconcile resolve',
      body: Fields({
        item: Type.String({ minLength: 1, maxLength: 500 }),
        resolution: { ...ADMIN_REASON, description: 'How it was resolved.' },
      }),
      response: NamedObject('ResolvedDifference', { item: Type.String() }),
      errors: ['not_found'],
      async handle({ tx, now, operator, body: { item, resolution } }) {
        const by = { item, who: operator.name, how: resolution };
        if (!(await resolveDifference(tx, now, by))) throw notFound('open difference');
        return { item };
      },
    }),
  ];
}

const reportRoutes = (): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/reconciliation/reports',
    summary: 'List the daily reports, newest first',
    tag,
    operationId: 'listReports',
    command: 'reconcile list',
    query: ListQuery,
    response: ListOf(ReportView),
    handle: async (call) => mapList(await listReports(call.tx, ISSUER, pageOf(call)), viewReport),
  }),
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/reconciliation/reports/:date',
    summary: 'Read the report of a day with its differences',
    tag,
    operationId: 'getReport',
    command: 'reconcile show',
    params: DateParams,
    response: FullReportView,
    errors: ['not_found'],
    handle: ({ tx, params }) => showReport(tx, readDay('date', params.date)),
  }),
];

const runRoute = (platform: Platform, issuer: Issuer): AdminRoute =>
  adminRouteWithOwnTransactions(platform, {
    method: 'POST',
    role: 'payments',
    path: '/reconciliation/reports/:date/run',
    summary: 'Reconcile a day with the issuer now',
    tag,
    operationId: 'runReconciliation',
    command: 'reconcile run',
    params: DateParams,
    response: FullReportView,
    async handle({ platform: acting, now, params }) {
      const date = readDay('date', params.date);
      if (Temporal.PlainDate.compare(date, londonDay(now)) > 0)
        throw invalid({ date: 'must not lie in the future' });
      await reconcile(acting, issuer, date);
      return acting.db.read((tx) => showReport(tx, date));
    },
  });
