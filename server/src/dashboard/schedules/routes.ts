import Type from 'typebox';
import { type Route, route } from '../../platform/http/calls/route.ts';
import { pageOf } from '../../platform/http/lists/page.ts';
import { Fields, IdParams, ListQuery } from '../../platform/http/schemas/schemas.ts';
import { createErrors, updateErrors } from '../../schedules/request/request.ts';
import { CreateSchema, UpdateSchema } from '../../schedules/request/schemas.ts';
import { type ConsentDeps, showConsent } from './consent.ts';
import { givePortalLink } from './portal-link.ts';
import { previewChange, previewTerms } from './preview.ts';
import { remindCustomer } from './remind.ts';
import { showTimeline } from './timeline.ts';
import {
  ChangePreview,
  PortalLink,
  Reminded,
  ScheduleConsent,
  TermsPreview,
  TimelineList,
} from './view.ts';

const tag = 'Dashboard';

/** Returns the routes that preview and explain a merchant's schedules. */
export function dashboardScheduleRoutes(deps: ConsentDeps): Route[] {
  return [...previewRoutes(deps), ...timelineRoutes(deps)];
}

function previewRoutes(deps: ConsentDeps): Route[] {
  const { amount, frequency, start_date, end_date, limits, amount_mode, non_working_day } =
    CreateSchema.properties;
  const { first_payment } = CreateSchema.properties;
  return [
    route({
      method: 'POST',
      path: '/api/schedules/preview',
      summary: 'Preview what a new schedule would collect',
      description: 'Nothing is written.',
      tag,
      operationId: 'previewTerms',
      scope: null,
      permission: 'read',
      proof: 'never',
      body: Fields({
        amount,
        frequency,
        start_date,
        end_date,
        limits,
        amount_mode,
        non_working_day,
        first_payment,
        user_id: Type.Optional(Type.String({ maxLength: 100 })),
        customer_reference: Type.Optional(Type.String({ maxLength: 100 })),
      }),
      response: TermsPreview,
      check: createErrors,
      handle: (call) => previewTerms(deps, call, call.body),
    }),
    route({
      method: 'POST',
      path: '/api/schedules/:id/preview',
      summary: 'Preview what a change of a schedule would need and bring',
      description: 'Nothing is written.',
      tag,
      operationId: 'previewChange',
      scope: null,
      permission: 'read',
      proof: 'never',
      params: IdParams,
      body: UpdateSchema,
      response: ChangePreview,
      check: updateErrors,
      errors: ['not_found', 'consent_required', 'schedule_cancelled', 'request_in_progress'],
      handle: (call) => previewChange(deps, call, call.params.id, call.body),
    }),
  ];
}

const { limit, after } = ListQuery.properties;

function timelineRoutes(deps: ConsentDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/schedules/:id/timeline',
      summary: 'List what happened to a schedule, and why',
      tag,
      operationId: 'getScheduleTimeline',
      scope: null,
      permission: 'read',
      params: IdParams,
      query: Fields({ limit, after }),
      response: TimelineList,
      errors: ['not_found'],
      handle: (call) => showTimeline(call, call.params.id, pageOf(call)),
    }),
    route({
      method: 'GET',
      path: '/api/schedules/:id/consent',
      summary: 'Get the consent of a schedule: its link, limits and history',
      tag,
      operationId: 'getScheduleConsent',
      scope: null,
      permission: 'read',
      params: IdParams,
      response: ScheduleConsent,
      errors: ['not_found'],
      handle: (call) => showConsent(deps, call, call.params.id),
    }),
    route({
      method: 'POST',
      path: '/api/schedules/:id/portal_link',
      summary: "Get the link to the customer's page, which is recorded",
      tag,
      operationId: 'getPortalLink',
      scope: null,
      permission: 'manage_schedules',
      proof: 'never',
      params: IdParams,
      response: PortalLink,
      errors: ['not_found'],
      leavesWork: () => false,
      handle: (call) => givePortalLink(deps, call, call.params.id),
    }),
    route({
      method: 'POST',
      path: '/api/schedules/:id/remind',
      summary: 'Send the customer the link to the consent that waits for them',
      description: 'Once a day at most.',
      tag,
      operationId: 'remindCustomer',
      scope: null,
      permission: 'manage_schedules',
      proof: 'never',
      params: IdParams,
      response: Reminded,
      errors: ['not_found', 'consent_decided', 'customer_without_email', 'reminded_already'],
      handle: (call) => remindCustomer(deps, call, call.params.id),
    }),
  ];
}
