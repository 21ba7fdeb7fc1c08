import { error, type LogEvent } from './log-event.ts';

/** Events of the log about the people of a team. */
export const TEAM_LOG_EVENTS = {
  'team.leaving_failed': error(
    'Could not remove or demote an owner whose time has come; the engine retries in an hour',
    'Read `err`; the owner stays one until then',
  ),
  'customer.not_erased': error(
    'Could not erase a customer whose time is over; trying again in a month',
    'Read `err`, and erase the customer by hand',
  ),
} as const satisfies Record<string, LogEvent>;
