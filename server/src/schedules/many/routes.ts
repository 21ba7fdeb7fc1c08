import Type from 'typebox';
import { type Route, route } from '../../platform/http/calls/route.ts';
import { pageOf } from '../../platform/http/lists/page.ts';
import { Fields, IdParams, ListOf, ListQuery, OneOf } from '../../platform/http/schemas/schemas.ts';
import type { ScheduleDeps } from '../change/service.ts';
import { changeErrors, MOST_SCHEDULES, ScheduleChangeBody } from './body.ts';
import { EFFECTS, LINE_STATES } from './line.ts';
import { requestScheduleChange, runChange, showChange, showChanges, showLines } from './service.ts';
import { ChangeLineAnswer, ScheduleChangeAnswer } from './view.ts';

const tag = 'Schedules';
const scope = 'schedules';
const path = '/api/v1/schedule_changes';

/** Returns the endpoints that change many schedules at once: docs/rules/schedules.md#many-schedules-at-once. */
export function manyChangesRoutes(deps: ScheduleDeps): Route[] {
  return [...changingRoutes(deps), ...readingRoutes()];
}

function changingRoutes(deps: ScheduleDeps): Route[] {
  return [
    route({
      method: 'POST',
      path,
      summary: 'Change many schedules',
      description:
        `Changes up to ${MOST_SCHEDULES} schedules, named by id or by the filter of the list: their amount (the same for all, ` +
        'or by per cent), limits or status. Each changes as with an update of it alone, once; the response says how many ' +
        'do so without a new consent. With `preview` nothing changes yet: run the change by its id. A schedule that anybody ' +
        'changes in between is refused and keeps its terms. One change of yours runs at a time. A change is kept for 90 days.',
      tag,
      operationId: 'createScheduleChange',
      scope,
      permission: 'manage_schedules',
      proof: 'never',
      body: ScheduleChangeBody,
      response: ScheduleChangeAnswer,
      check: changeErrors,
      errors: ['not_found', 'request_in_progress'],
      leavesWork: ({ status }) => status === 'running',
      handle: (call) => requestScheduleChange(deps, call, call.body),
    }),
    route({
      method: 'POST',
      path: `${path}/:id/run`,
      summary: 'Run a change of many schedules',
      description:
        'Starts a change that was asked for as a preview, or runs its failed lines again. Of a change that runs, or has nothing left to do, it changes nothing.',
      tag,
      operationId: 'runScheduleChange',
      scope,
      permission: 'manage_schedules',
      proof: 'never',
      params: IdParams,
      response: ScheduleChangeAnswer,
      errors: ['not_found', 'request_in_progress'],
      leavesWork: ({ status }) => status === 'running',
      handle: (call) => runChange(call, call.params.id),
    }),
  ];
}

function readingRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path,
      summary: 'List changes of many schedules',
      description: 'The newest first, of the last 90 days.',
      tag,
      operationId: 'listScheduleChanges',
      scope,
      permission: 'read',
      query: ListQuery,
      response: ListOf(ScheduleChangeAnswer),
      handle: (call) => showChanges(call, pageOf(call)),
    }),
    route({
      method: 'GET',
      path: `${path}/:id`,
      summary: 'Get a change of many schedules',
      description: 'How far it is, and how many schedules have which effect.',
      tag,
      operationId: 'getScheduleChange',
      scope,
      permission: 'read',
      params: IdParams,
      response: ScheduleChangeAnswer,
      errors: ['not_found'],
      handle: (call) => showChange(call, call.params.id),
    }),
    route({
      method: 'GET',
      path: `${path}/:id/lines`,
      summary: 'List the schedules of a change',
      description: 'In the order in which they are changed, each with what becomes of it.',
      tag,
      operationId: 'listScheduleChangeLines',
      scope,
      permission: 'read',
      params: IdParams,
      query: Fields({
        ...ListQuery.properties,
        effect: Type.Optional(
          OneOf(EFFECTS, 'Only schedules for which the change has this effect.'),
        ),
        state: Type.Optional(OneOf(LINE_STATES, 'Only lines in this state.')),
      }),
      response: ListOf(ChangeLineAnswer),
      errors: ['not_found'],
      handle: ({ params, query, ...call }) =>
        showLines(call, params.id, query, pageOf({ params, query })),
    }),
  ];
}
