import Type, { type Static } from 'typebox';
import { type Call, type Route, route } from '../platform/http/calls/route.ts';
import { SortBy } from '../platform/http/lists/list-filters.ts';
import { pageOf } from '../platform/http/lists/page.ts';
import {
  Fields,
  IdParams,
  ListQuery,
  MoneyListOf,
  SUM_QUERY,
} from '../platform/http/schemas/schemas.ts';
import { readFilter } from './books/filter.ts';
import { SCHEDULE_SORTS, type ScheduleFilter } from './books/list-store.ts';
import { requestAnotherAccount } from './change/another-account.ts';
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
import { manyChangesRoutes } from './many/routes.ts';
import { ScheduleFilterQuery } from './request/list-query.ts';
import {
  OccurrenceAnswer,
  OccurrenceInput,
  OccurrenceParams,
  UpcomingAnswer,
} from './request/occurrence-schemas.ts';
import { createErrors, occurrenceErrors, updateErrors } from './request/request.ts';
import { CreateSchema, ScheduleAnswer, UpdateSchema } from './request/schemas.ts';

const tag = 'Schedules';

/** Returns the endpoints of schedules; docs/rules/schedules.md describes them. */
export function scheduleRoutes(deps: ScheduleDeps): Route[] {
  return [
    createRoute(deps),
    importRoute(deps),
    ...readRoutes(deps),
    updateRoute(deps),
    consentRoute(deps),
    ...occurrenceRoutes(deps),
    ...manyChangesRoutes(deps),
  ];
}

function createRoute(deps: ScheduleDeps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/schedules',
    summary: 'Create a schedule',
    description:
      'The response has the `consent_url` to give to the customer; nothing is collected until they have agreed there. ' +
      'With your setting `reuse_consent` it is `active` at once where an earlier consent of the customer covers it. ' +
      'Refused while the operator has you suspended, and for a `user_id` that is no customer of yours.',
    tag,
    operationId: 'createSchedule',
    scope: 'schedules',
    permission: 'manage_schedules',
    proof: 'never',
    body: CreateSchema,
    response: ScheduleAnswer,
    check: createErrors,
    errors: ['customer_not_found', 'customer_erased', 'merchant_suspended'],
    leavesWork: ({ status }) => status === 'active', // otherwise it waits for the customer
    handle: (call) => createSchedule(deps, call, call.body),
  });
}

function updateRoute(deps: ScheduleDeps): Route {
  return route({
    method: 'PUT',
    path: '/api/v1/schedules/:id',
    summary: 'Update a schedule',
    description:
      'Changes only the fields sent. A change beyond what the customer agreed to waits for a new consent: the response ' +
      'has its `consent_url`, and collections go by `consented` until then. `status` pauses, resumes or cancels: a ' +
      'pause or a cancellation ends payments that wait, and sends nothing more; `payments_under_way` lists what may ' +
      'still arrive. A resume is refused without a consent in force, any change of a cancelled schedule, and a change ' +
      'of terms while a consent is being set up at the bank.',
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

function consentRoute(deps: ScheduleDeps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/schedules/:id/consent',
    summary: 'Ask the customer for another account',
    description:
      'Makes a new link for the terms that you asked for last: for a customer who has changed banks, or has lost the ' +
      'link. The response has its `consent_url`, and a link before it stops working. A consent in force stays in force ' +
      'until the customer has agreed at the new link, and is deleted at its bank then; if they do not agree, the ' +
      'schedule goes on as it was. What waits then is collected from the new account, if its limits have room for it. ' +
      'Refused for a schedule that is cancelled (`schedule_cancelled`) or has nothing more to collect ' +
      '(`schedule_ended`), and while a consent is being set up at the bank (`request_in_progress`).',
    tag,
    operationId: 'requestAnotherAccount',
    scope: 'schedules',
    permission: 'manage_schedules',
    proof: 'never',
    params: IdParams,
    response: ScheduleAnswer,
    errors: ['not_found', 'schedule_cancelled', 'schedule_ended', 'request_in_progress'],
    handle: (call) => requestAnotherAccount(deps, call, call.params.id),
  });
}

function occurrenceRoutes(deps: ScheduleDeps): Route[] {
  const path = '/api/v1/schedules/:id/upcoming/:due_date';
  return [
    route({
      method: 'PUT',
      path,
      summary: 'Set the amount of a coming occurrence, or skip it',
      description:
        'It replaces what was set before. Refused once the occurrence has fallen due, and for an amount for which the ' +
        'customer’s limits have no room beside the other occurrences of the period: then `details.available` says how ' +
        'many pence they have.',
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
      summary: 'Undo what was set for a coming occurrence',
      description:
        'It collects the usual amount again; with `amount_mode: "per_occurrence"` none is set then. Refused once the occurrence has fallen due.',
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
  ...ScheduleFilterQuery.properties,
  ...SUM_QUERY,
  sort: SortBy(SCHEDULE_SORTS),
});

type ListCall = Call<unknown, Static<typeof ScheduleQuery>, unknown>;

async function filterOf(deps: ScheduleDeps, call: ListCall): Promise<ScheduleFilter> {
  const { tx, merchantId, query } = call;
  const zone = async () => (await deps.merchantFacts(tx, merchantId)).timeZone;
  return { ...(await readFilter(deps.platform, call, query, zone)), sort: query.sort };
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
        'The newest first, unless sorted otherwise. All filters together decide. Of a schedule whose change waits for the customer, `amount_from`, `amount_to` and `total_amount` take the `amount` that was asked for, as each item shows it.',
      query: ScheduleQuery,
      response: MoneyListOf(ScheduleAnswer),
      errors: ['not_found'],
      handle: async (call) => showSchedules(deps, call, await filterOf(deps, call), pageOf(call)),
    }),
    route({
      method: 'GET',
      path: '/api/v1/schedules/:id',
      summary: 'Get a schedule',
      description:
        'As it is now. Of one that is paused or cancelled it lists the payments that may still arrive.',
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
      description:
        'When each is due under the present terms, and what it collects. A cancelled schedule has none.',
      tag,
      operationId: 'listUpcoming',
      scope: 'schedules',
      permission: 'read',
      params: IdParams,
      query: Fields({
        limit: Type.Integer({
          minimum: 1,
          maximum: 100,
          default: 10,
          description: 'How many to return.',
        }),
      }),
      response: UpcomingAnswer,
      errors: ['not_found'],
      handle: (call) => showUpcoming(call, call.params.id, call.query.limit),
    }),
    route({
      method: 'GET',
      path: '/api/v1/customers/:customer_id/schedules',
      summary: 'List the schedules of a customer',
      description: 'The newest first, in every status.',
      tag,
      operationId: 'listSchedulesOfCustomer',
      scope: 'schedules',
      permission: 'read',
      params: Type.Object({ customer_id: Type.String({ minLength: 1, maxLength: 64 }) }),
      query: ListQuery,
      response: MoneyListOf(ScheduleAnswer),
      errors: ['not_found'],
      handle: (call) =>
        showSchedules(deps, call, { customerId: call.params.customer_id }, pageOf(call)),
    }),
  ];
}
