import Type, { type Static } from 'typebox';
import { londonDay } from '../../laws/reconciliation/london-day.ts';
import { ISSUER, reconcile } from '../../laws/reconciliation/reconciliation.ts';
import { type ItemRow, listItems } from '../../laws/reconciliation/reconciliation-store.ts';
import {
  findReport,
  listReports,
  type StoredReport,
} from '../../laws/reconciliation/report-store.ts';
import type { Tx } from '../../platform/db/db.ts';
import {
  Fields,
  Instant,
  ListOf,
  ListQuery,
  NamedObject,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
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

const tag = 'Reconciliation';
const Day = Type.String({ examples: ['2026-11-23'] });
const DateParams = Type.Object({ date: Type.String() });
const Pence = Type.Integer();

const properties = {
  date: Day,
  made_at: Instant,
  lines: Type.Integer({ description: "Lines of the issuer's statement." }),
  open_differences: Type.Integer({ description: 'How many were open after it.' }),
  unknown: OrNull(Type.String({ description: 'What could not be compared, and why.' })),
  unknown_since: OrNull(Instant),
  totals: NamedObject('BookTotals', {
    wallets_pence: Pence,
    in_settlement_pence: Pence,
    unallocated_pence: Pence,
    fees_pence: Pence,
    claims_pence: Pence,
    owed_pence: Pence,
    outside_pence: Pence,
  }),
};
const ReportView = NamedObject('ReconciliationReport', properties);

const DifferenceView = NamedObject('Difference', {
  item: Type.String({ description: 'Its name, by which it is resolved.' }),
  date: Day,
  merchant_id: OrNull(Type.String()),
  amount_pence: OrNull(Type.Integer()),
  what: Type.String(),
  found_at: Instant,
  resolved_at: OrNull(Instant),
  resolved_by: OrNull(Type.String()),
  resolution: OrNull(Type.String()),
});

const FullReportView = NamedObject('ReconciliationReportInFull', {
  ...properties,
  differences: Type.Array(DifferenceView, {
    description: 'Those of the day, and all that are open.',
  }),
});

function viewReport(row: StoredReport): Static<typeof ReportView> {
  const { date, madeAt, lines, differences, unknown, unknownSince } = row;
  return {
    date: date.toString(),
    made_at: formatInstant(madeAt),
    lines,
    open_differences: differences,
    unknown,
    unknown_since: formatInstant(unknownSince),
    totals: {
      wallets_pence: row.walletsPence,
      in_settlement_pence: row.inSettlementPence,
      unallocated_pence: row.unallocatedPence,
      fees_pence: row.feesPence,
      claims_pence: row.claimsPence,
      owed_pence: row.owedPence,
      outside_pence: row.outsidePence,
    },
  };
}

/** Shows a difference, as the CSV does. */
const viewDifference = (item: ItemRow): Static<typeof DifferenceView> => ({
  item: item.item,
  date: item.date.toString(),
  merchant_id: item.merchantId,
  amount_pence: item.amountPence,
  what: item.what,
  found_at: formatInstant(item.foundAt),
  resolved_at: formatInstant(item.resolvedAt),
  resolved_by: item.resolvedBy,
  resolution: item.resolution,
});

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
      async handle({ tx, query: { limit, offset } }) {
        const items = await listItems(tx, ISSUER);
        const page = items.slice(offset, offset + limit);
        return { data: page.map(viewDifference), total: items.length };
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
    async handle({ tx, query }) {
      const { rows: reports, total } = await listReports(tx, ISSUER, query);
      return { data: reports.map(viewReport), total };
    },
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
