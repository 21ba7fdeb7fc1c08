import Type from 'typebox';
import { Amount, Failure, Id, Instant } from '../../platform/http/schemas/schemas.ts';
import type { EventDescriptions } from '../../platform/state/events.ts';
import { FrequencyAnswer } from './frequency-schemas.ts';
import { Status } from './schemas.ts';

const about = { schedule_id: Id('sch'), customer_id: Id('cus') };

const StatusChange = Type.Object({
  ...about,
  status: Status,
  reason: Type.String(),
  created_at: Instant,
});

/** The events about a schedule and its consent: docs/rules/webhooks.md#event-kinds. */
export const SCHEDULE_EVENTS = {
  'schedule.setup_success': {
    description: 'The customer agreed: to a new schedule, or to changed terms',
    data: Type.Object({
      ...about,
      amount: Amount,
      frequency: FrequencyAnswer,
      created_at: Instant,
    }),
  },
  'schedule.setup_failed': {
    description: 'The customer did not agree; `error.code` says why',
    data: Type.Object({ ...about, error: Failure, created_at: Instant }),
  },
  'schedule.cancelled': { description: 'The schedule is over, and why', data: StatusChange },
  'schedule.paused': {
    description: 'Nothing is collected until it is resumed',
    data: StatusChange,
  },
  'schedule.resumed': { description: 'It is collected again', data: StatusChange },
  'consent.reauthentication_needed': {
    description:
      'The bank wants the customer to confirm the consent again, on the page of `portal_url`; nothing is collected until then',
    data: Type.Object({ ...about, created_at: Instant }),
  },
  'consent.revoked': {
    description: 'The customer or the bank ended the consent, and with it the schedule',
    data: Type.Object({ ...about, reason: Type.String(), created_at: Instant }),
  },
} satisfies EventDescriptions;
