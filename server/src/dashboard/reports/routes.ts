import Type from 'typebox';
import type { Tx } from '../../platform/db/db.ts';
import { type Route, route } from '../../platform/http/calls/route.ts';
import { MonthQuery } from '../../platform/http/lists/list-filters.ts';
import { Fields, OneOf } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { journalRoute } from '../accounting/routes.ts';
import { DayInput } from './range.ts';
import {
  readStatement,
  reportAgeing,
  reportCalendar,
  reportCohorts,
  reportFailures,
  reserveReportSlot,
} from './service.ts';
import { Statement } from './statement-view.ts';
import { AgeingReport, CalendarReport, CohortReport, FailureReport } from './view.ts';

export interface ReportDeps {
  platform: Platform;
  merchantFacts(tx: Tx, merchantId: string): Promise<{ timeZone: string }>;
}

const tag = 'Dashboard';

/** Returns the routes of the reports; their days are those of the merchant's time zone. */
export const reportRoutes = (deps: ReportDeps): Route[] => [
  ...rangeRoutes(deps),
  ...monthRoutes(deps),
  journalRoute(zonedBy(deps)),
];

/** Takes a turn of the merchant's reports, and adds its time zone to a call. */
const zonedBy =
  ({ merchantFacts }: ReportDeps) =>
  async <T extends { tx: Tx; merchantId: string }>(call: T) => {
    await reserveReportSlot(call.tx, call.merchantId);
    return { ...call, ...(await merchantFacts(call.tx, call.merchantId)) };
  };

function rangeRoutes(deps: ReportDeps): Route[] {
  const zoned = zonedBy(deps);
  return [
    route({
      method: 'GET',
      path: '/api/reports/failures',
      summary: 'Report the payments that failed, by reason over time',
      description:
        'By due date, both days included: the last twelve weeks by default, a year at most.',
      tag,
      operationId: 'reportFailures',
      scope: null,
      permission: 'read',
      query: Fields({
        from: DayInput,
        to: DayInput,
        by: Type.Unsafe<'week' | 'month'>({ ...OneOf(['week', 'month']), default: 'week' }),
      }),
      response: FailureReport,
      handle: async (call) => reportFailures(await zoned(call), call.query),
    }),
    route({
      method: 'GET',
      path: '/api/reports/ageing',
      summary: 'Report what failed and was not collected since, by age',
      description: 'By due date, both days included; without them, everything.',
      tag,
      operationId: 'reportAgeing',
      scope: null,
      permission: 'read',
      query: Fields({ from: DayInput, to: DayInput }),
      response: AgeingReport,
      handle: async (call) => reportAgeing(deps.platform, await zoned(call), call.query),
    }),
    route({
      method: 'GET',
      path: '/api/reports/cohorts',
      summary: 'Report what schedules collected, by the month in which they became active',
      description: 'Both months included: the last six by default, twelve at most.',
      tag,
      operationId: 'reportCohorts',
      scope: null,
      permission: 'read',
      query: Fields({
        from: MonthQuery('The first month, such as 2026-03.'),
        to: MonthQuery('The last month.'),
      }),
      response: CohortReport,
      handle: async (call) => reportCohorts(await zoned(call), call.query),
    }),
  ];
}

function monthRoutes(deps: ReportDeps): Route[] {
  const zoned = zonedBy(deps);
  return [
    route({
      method: 'GET',
      path: '/api/reports/calendar',
      summary: 'Report a month day by day: planned, collected and paid out',
      description:
        'Payments by due date, settlements by the day they were paid out. By default the present month; a year ahead at most.',
      tag,
      operationId: 'reportCalendar',
      scope: null,
      permission: 'read',
      query: Fields({ month: MonthQuery('Such as 2026-03.') }),
      response: CalendarReport,
      handle: async (call) => reportCalendar(await zoned(call), call.query.month),
    }),
    route({
      method: 'GET',
      path: '/api/reports/statement',
      summary: 'Get the statement of a month of the wallet',
      description: 'By default the last month that is over.',
      tag,
      operationId: 'getStatement',
      scope: null,
      permission: 'read',
      query: Fields({ month: MonthQuery('Such as 2026-03.') }),
      response: Statement,
      handle: async (call) => readStatement(deps.platform, await zoned(call), call.query.month),
    }),
  ];
}
