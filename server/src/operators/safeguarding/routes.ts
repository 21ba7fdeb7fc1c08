import Type from 'typebox';
import { londonDay, startOf } from '../../laws/reconciliation/london-day.ts';
import { ISSUER } from '../../laws/reconciliation/reconciliation.ts';
import { firstPage, mapList, pageOf, slicePage } from '../../platform/http/lists/page.ts';
import {
  Fields,
  ListOf,
  ListQuery,
  NamedObject,
  OneOf,
} from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { ApiError, invalid, orNotFound } from '../../platform/values/errors.ts';
import { findFirstDay } from '../../safeguarding/agenda-store.ts';
import { findReceipts } from '../../safeguarding/books-store.ts';
import { BREACH_KINDS } from '../../safeguarding/breaches.ts';
import { dayToRun, endOf } from '../../safeguarding/day.ts';
import { MOST_OWN } from '../../safeguarding/figures.ts';
import { monthFigures } from '../../safeguarding/month.ts';
import { listEntries } from '../../safeguarding/register/store.ts';
import { makeRun } from '../../safeguarding/run.ts';
import { answerRun, explainBreach } from '../../safeguarding/service.ts';
import { findRun, findRuns, listBreaches, listRuns } from '../../safeguarding/store.ts';
import type { Issuer } from '../../wallets/issuer.ts';
import {
  ADMIN_REASON,
  type AdminRoute,
  adminRoute,
  adminRouteWithOwnTransactions,
  readDay,
} from '../admin/route.ts';
import { registerRoutes } from './register-routes.ts';
import {
  BreachView,
  DayView,
  FigureView,
  ReceiptView,
  viewBreach,
  viewDay,
  viewFigure,
  viewReceipt,
} from './view.ts';

const tag = 'Safeguarding';
const DateParams = Type.Object({ date: Type.String() });
const OwnMoney = (description: string, maximum: number) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum, description }));

/** The endpoints of the safeguarding day, its register of breaches and its figures. */
export function safeguardingRoutes(platform: Platform, issuer: Issuer): AdminRoute[] {
  return [
    ...dayRoutes(),
    runRoute(platform, issuer),
    ...breachRoutes(),
    receiptsRoute,
    monthRoute,
    ...registerRoutes(platform),
  ];
}

const dayRoutes = (): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/safeguarding/days',
    summary: 'List the reconciliations of what is owed and what is held, newest first',
    tag,
    operationId: 'listSafeguardingDays',
    command: 'safeguarding days',
    query: ListQuery,
    response: ListOf(DayView),
    handle: async (call) => mapList(await listRuns(call.tx, ISSUER, pageOf(call)), viewDay),
  }),
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/safeguarding/days/:date',
    summary: 'Read the reconciliation of a day',
    tag,
    operationId: 'getSafeguardingDay',
    command: 'safeguarding show',
    params: DateParams,
    response: DayView,
    errors: ['not_found'],
    handle: async ({ tx, params }) =>
      viewDay(
        orNotFound(await findRun(tx, ISSUER, readDay('date', params.date)), 'safeguarding day'),
      ),
  }),
  adminRoute({
    method: 'POST',
    role: 'payments',
    path: '/safeguarding/days/:date/answer',
    summary: 'Answer the reconciliation of a day',
    description: 'Once, and by the end of the day: what was found and what was done about it.',
    tag,
    operationId: 'answerSafeguardingDay',
    command: 'safeguarding answer',
    params: DateParams,
    body: Fields({
      answer: { ...ADMIN_REASON, description: 'What was found, and what was done about it.' },
      paid_in_pence: OwnMoney(
        'Own money that was paid in for a shortfall; 0 by default.',
        MOST_OWN,
      ),
      taken_out_pence: OwnMoney(
        'Own money that was taken out again; 0 by default.',
        Number.MAX_SAFE_INTEGER,
      ),
    }),
    response: DayView,
    errors: ['not_found', 'operation_refused'],
    async handle({ tx, now, operator, params, body }) {
      const given = {
        who: operator.name,
        says: body.answer,
        paidInPence: body.paid_in_pence ?? 0,
        takenOutPence: body.taken_out_pence ?? 0,
      };
      return viewDay(await answerRun({ tx, now }, readDay('date', params.date), given));
    },
  }),
];

const runRoute = (platform: Platform, issuer: Issuer): AdminRoute =>
  adminRouteWithOwnTransactions(platform, {
    method: 'POST',
    role: 'payments',
    path: '/safeguarding/days/run',
    summary: 'Make the reconciliation of today again, as of its point',
    tag,
    operationId: 'runSafeguardingDay',
    command: 'safeguarding run',
    response: DayView,
    async handle({ platform: acting, now }) {
      const day = dayToRun(now, acting.config.safeguarding.at);
      if (day === null)
        throw new ApiError('operation_refused', 'No reconciliation is due today yet.');
      return viewDay(await makeRun(acting, issuer, day));
    },
  });

const breachRoutes = (): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/safeguarding/breaches',
    summary: 'List what was not done by its time, newest first',
    tag,
    operationId: 'listSafeguardingBreaches',
    command: 'safeguarding breaches',
    query: ListQuery,
    response: ListOf(BreachView),
    handle: async (call) => mapList(await listBreaches(call.tx, ISSUER, pageOf(call)), viewBreach),
  }),
  adminRoute({
    method: 'POST',
    role: 'payments',
    path: '/safeguarding/breaches/explain',
    summary: 'Explain a breach',
    description:
      'A later explanation takes the place of an earlier one; both stay in the activity.',
    tag,
    operationId: 'explainSafeguardingBreach',
    command: 'safeguarding explain',
    body: Fields({
      kind: OneOf(BREACH_KINDS),
      about: Type.String({ minLength: 1, maxLength: 100 }),
      explanation: { ...ADMIN_REASON, description: 'Why it happened, and what was done.' },
    }),
    response: NamedObject('ExplainedBreach', { kind: Type.String(), about: Type.String() }),
    errors: ['not_found'],
    async handle({ tx, now, operator, body: { explanation, ...which } }) {
      await explainBreach({ tx, now }, which, { who: operator.name, says: explanation });
      return which;
    },
  }),
];

const receiptsRoute = adminRoute({
  method: 'GET',
  role: 'auditor',
  path: '/safeguarding/receipts',
  summary: 'List money that has arrived and is of no client yet, oldest first',
  tag,
  operationId: 'listUnallocatedReceipts',
  command: 'safeguarding receipts',
  query: ListQuery,
  response: ListOf(ReceiptView),
  async handle(call) {
    const open = (await findReceipts(call.tx, call.now)).filter(({ endedAt }) => endedAt === null);
    return mapList(
      slicePage('receipts', open, pageOf(call), ({ itemId }) => itemId),
      viewReceipt,
    );
  },
});

const monthRoute = adminRoute({
  method: 'GET',
  role: 'auditor',
  path: '/safeguarding/months/:month',
  summary: 'Read the figures of a month for the return to the regulator (REP027)',
  description:
    'Each with how it was made. What these books do not know is named, and not invented.',
  tag,
  operationId: 'getSafeguardingMonth',
  command: 'safeguarding month',
  params: Type.Object({ month: Type.String() }),
  response: NamedObject('SafeguardingMonth', {
    month: Type.String({ examples: ['2026-10'] }),
    figures: Type.Array(FigureView),
  }),
  async handle({ tx, now, params }) {
    const month = readMonth(params.month);
    const first = month.toPlainDate({ day: 1 });
    const last = first.with({ day: month.daysInMonth });
    const until = londonDay(now).subtract({ days: 1 });
    // The end of a day is the beginning of the next: what ends with the last of the month before is that month's.
    const span = {
      from: startOf(first).add({ milliseconds: 1 }),
      to: endOf(last).add({ milliseconds: 1 }),
    };
    const { data: breaches } = await listBreaches(tx, ISSUER, firstPage(MOST), span);
    const open = (await listEntries(tx)).filter(({ endedAt }) => endedAt === null);
    const figures = monthFigures({
      month,
      since: await findFirstDay(tx),
      until,
      runs: await findRuns(tx, ISSUER, first, last),
      breaches,
      entries: new Map(
        [...Map.groupBy(open, ({ kind }) => kind)].map(([kind, entries]) => [kind, entries.length]),
      ),
    });
    return { month: month.toString(), figures: figures.map(viewFigure) };
  },
});

const MOST = 10_000;

/** Reads a month such as 2026-10. Throws 400 `invalid_request` naming the field. */
function readMonth(text: string): Temporal.PlainYearMonth {
  try {
    return Temporal.PlainYearMonth.from(text);
  } catch {
    throw invalid({ month: 'must be a month such as 2026-10' });
  }
}
