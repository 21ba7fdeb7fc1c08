import { type Route, route } from '../../platform/http/calls/route.ts';
import type { ScheduleDeps } from '../change/service.ts';
import { importLines } from './service.ts';
import { ImportAnswer, ImportInput } from './view.ts';

/** Returns the endpoint that imports schedules from a CSV file: docs/rules/import.md. */
export function importRoute(deps: ScheduleDeps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/schedules/import',
    summary: 'Import schedules from a CSV file',
    description:
      'Creates a schedule for each line that is valid and was not imported before; the others are listed with what is wrong. ' +
      'Send a long file in pieces, each with the heading. A file may be sent again: it creates only what is missing. ' +
      'Refused while the operator has you suspended, unless it is a check.',
    tag: 'Schedules',
    operationId: 'importSchedules',
    scope: 'schedules',
    permission: 'manage_schedules',
    proof: 'never',
    body: ImportInput,
    response: ImportAnswer,
    leavesWork: ({ data }) => data.some((line) => line.status === 'created' && !line.consent_url),
    handle: (call) => importLines(deps, call, call.body),
  });
}
