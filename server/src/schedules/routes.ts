import Type, { type Static } from 'typebox';
import { type Call, type Route, route } from '../platform/http/calls/route.ts';
import {
  AMOUNT_QUERY,
  IdQuery,
  MonthQuery,
  monthOf,
  readAmounts,
  readSpan,
  SearchQuery,
  SortBy,
  SPAN_QUERY,
} from '../platform/http/lists/list-filters.ts';
import { pageOf } from '../platform/http/lists/page.ts';
import { Fields, IdParams, ListOf, ListQuery, OneOf } from '../platform/http/schemas/schemas.ts';
import { SCHEDULE_SORTS, SCHEDULE_STATUSES, type ScheduleFilter } from './books/list-store.ts';
import { matchSchedules } from './books/match.ts';
import { changeOccurrence, restoreOccurrence } from './change/change-occurrence.ts';
import {
  createSchedule,
  type ScheduleDeps,
  showSchedule,
  showSchedules,
} from './change/service.ts';
import { showUpcoming } from './change/upcoming.ts';
import { updateSchedule } from './change/update.ts';
import { importRoute } from './import/routes.ts';
import { createErrors, occurrenceErrors, updateErrors } from './request/request.ts';
import {
  CreateSchema,
  OccurrenceAnswer,
  OccurrenceInput,
  OccurrenceParams,
  ScheduleAnswer,
  UpcomingAnswer,
  UpdateSchema,
} from './request/schemas.ts';

const tag = 'Schedules';

/** Returns the endpoints of schedules; docs/rules/schedules.md describes them. */
export function scheduleRoutes(deps: ScheduleDeps): Route[] {
  return [
    createRoute(deps),
    importRoute(deps),
    ...readRoutes(deps),
    updateRoute(deps),
    ...occurrenceRoutes(deps),
  ];
}

function createRoute(deps: ScheduleDeps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/schedules',
    summary: 'Create a schedule',
    tag,
    operationId: 'createSchedule',
    scope: 'schedules',
    permission: 'manage_schedules',
    proof: 'never',
    body: CreateSchema,
    response: ScheduleAnswer,
    check: createErrors,
    errors: ['customer_not_found', 'merchant_suspended'],
    leavesWork: ({ status }) => status === 'active', // otherwise it waits for the customer
    handle: (call) => createSchedule(deps, call, call.body),
  });
}

function updateRoute(deps: ScheduleDeps): Route {
  return route({
    method: 'PUT',
    path: '/api/v1/schedules/:id',
    summary: 'Update a schedule',
    description: 'Only the fields sent are changed. `status` pauses, resumes or cancels.',
    tag,
    operationId: 'updateSchedule',
    scope: 'schedules',
    permission: 'manage_schedules',
    proof: 'never',
    params: IdParams,
    body: UpdateSchema,
    response: ScheduleAnswer,
    check: updateErrors,
    errors: ['not_found', 'consent_required', 'schedule_cancelled', 'request_in_progress'],
    handle: (call) => updateSchedule(deps, call, call.params.id, call.body),
  });
}

function occurrenceRoutes(deps: ScheduleDeps): Route[] {
  const path = '/api/v1/schedules/:id/upcoming/:due_date';
  return [
    route({
      method: 'PUT',
      path,
      summary: 'Set the amount of a coming occurrence, or skip it',
      tag,
      operationId: 'changeUpcoming',
      scope: 'schedules',
      permission: 'manage_schedules',
      proof: 'never',
      params: OccurrenceParams,
      body: OccurrenceInput,
      response: OccurrenceAnswer,
      check: occurrenceErrors,
      errors: ['not_found', 'schedule_cancelled', 'occurrence_passed', 'limit_exceeded'],
      leavesWork: () => false,
      handle: (call) =>
        changeOccurrence(deps, call, call.params.id, call.params.due_date, call.body),
    }),
    route({
      method: 'DELETE',
      path,
      summary: 'Take back what was set for a coming occurrence',
      tag,
      operationId: 'restoreUpcoming',
      scope: 'schedules',
      permission: 'manage_schedules',
      proof: 'never',
      params: OccurrenceParams,
      response: OccurrenceAnswer,
      errors: ['not_found', 'schedule_cancelled', 'occurrence_passed'],
      leavesWork: () => false,
      handle: (call) => restoreOccurrence(call, call.params.id, call.params.due_date),
    }),
  ];
}

const ScheduleQuery = Fields({
  ...ListQuery.properties,
  q: SearchQuery,
  status: Type.Optional(OneOf([...SCHEDULE_STATUSES, 'failing'])),
  error_code: IdQuery,
  customer_id: IdQuery,
  started: MonthQuery,
  ...SPAN_QUERY,
  ...AMOUNT_QUERY,
  sort: SortBy(SCHEDULE_SORTS),
});

type ListCall = Call<unknown, Static<typeof ScheduleQuery>, unknown>;

async function filterOf(deps: ScheduleDeps, call: ListCall): Promise<ScheduleFilter> {
  const { query } = call;
  const { status, error_code: reason, customer_id: customerId, sort } = query;
  const isFailing = status === 'failing' || reason !== undefined;
  return {
    status: status === 'failing' ? 'active' : status,
    failing: isFailing ? { reason } : undefined,
    customerId,
    sort,
    match: await matchSchedules(deps.platform, call, query.q),
    started: await startedIn(deps, call),
    ...readSpan(query),
    ...readAmounts(query),
  };
}

/** Returns the month in which they first became active; its days are those of the merchant's time zone. */
async function startedIn(
  { merchantFacts }: ScheduleDeps,
  { tx, merchantId, query }: ListCall,
): Promise<ScheduleFilter['started']> {
  const month = monthOf('started', query.started, null);
  if (month === null) return null;
  const { timeZone } = await merchantFacts(tx, merchantId);
  const begins = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).toInstant();
  return { since: begins(month), until: begins(month.add({ months: 1 })) };
}

function readRoutes(deps: ScheduleDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/schedules',
      summary: 'List schedules',
      tag,
      operationId: 'listSchedules',
      scope: 'schedules',
      permission: 'read',
      description:
        '`from` and `to` are of `created_at`. An amount is the one that is collected until the customer agrees to another. `q` is words of the description, an id or its beginning, an amount in pounds, what finds a customer, or the bank’s id of a payment. `failing`: active, and its latest collection failed for good; `error_code` is why. `started`: first became active in this month.',
      query: ScheduleQuery,
      response: ListOf(ScheduleAnswer),
      errors: ['not_found'],
      handle: async (call) => showSchedules(deps, call, await filterOf(deps, call), pageOf(call)),
    }),
    route({
      method: 'GET',
      path: '/api/v1/schedules/:id',
      summary: 'Get a schedule',
      tag,
      operationId: 'getSchedule',
      scope: 'schedules',
      permission: 'read',
      params: IdParams,
      response: ScheduleAnswer,
      errors: ['not_found'],
      handle: (call) => showSchedule(deps, call, call.params.id),
    }),
    route({
      method: 'GET',
      path: '/api/v1/schedules/:id/upcoming',
      summary: 'List the coming occurrences of a schedule',
      tag,
      operationId: 'listUpcoming',
      scope: 'schedules',
      permission: 'read',
      params: IdParams,
      query: Fields({ limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }) }),
      response: UpcomingAnswer,
      errors: ['not_found'],
      handle: (call) => showUpcoming(call, call.params.id, call.query.limit),
    }),
    route({
      method: 'GET',
      path: '/api/v1/customers/:customer_id/schedules',
      summary: 'List the schedules of a customer',
      tag,
      operationId: 'listSchedulesOfCustomer',
      scope: 'schedules',
      permission: 'read',
      params: Type.Object({ customer_id: Type.String({ minLength: 1, maxLength: 64 }) }),
      query: ListQuery,
      response: ListOf(ScheduleAnswer),
      errors: ['not_found'],
      handle: (call) =>
        showSchedules(deps, call, { customerId: call.params.customer_id }, pageOf(call)),
    }),
  ];
}
