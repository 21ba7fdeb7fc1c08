import Type from 'typebox';
import {
  Amount,
  Described,
  Failure,
  Id,
  Instant,
  OrNull,
  Text,
} from '../../platform/http/schemas/schemas.ts';
import type { EventDescriptions } from '../../platform/state/events.ts';
import { FirstPaymentAnswer } from './first-payment-schemas.ts';
import { FrequencyAnswer } from './frequency-schemas.ts';
import { Status } from './schemas.ts';

const about = {
  schedule_id: Id('sch', 'The schedule.'),
  customer_id: Id('cus', 'The customer of the schedule.'),
};

const happened = Described(Instant, 'When it happened.');

const StatusChange = Type.Object({
  ...about,
  status: Described(Status, 'The status that the schedule has now.'),
  reason: Text(
    'Why, in words such as `paused by the merchant`, or as a code such as `withdrawn_at_bank`.',
  ),
  created_at: happened,
});

/** The events about a schedule and its consent: docs/rules/webhooks.md#event-kinds. */
export const SCHEDULE_EVENTS = {
  'schedule.setup_success': {
    description:
      'the customer has agreed to a new schedule, to changed terms or to another account',
    data: Type.Object({
      ...about,
      amount: Described(Amount, 'What each occurrence collects from now on.'),
      frequency: FrequencyAnswer,
      first_payment: OrNull(
        FirstPaymentAnswer,
        'What is collected now, once. Null: nothing, as after every later consent of the schedule.',
      ),
      created_at: happened,
    }),
  },
  'schedule.setup_failed': {
    description:
      'the customer has not agreed. A new schedule is cancelled; of an older one the change, or the request for another account, is dropped, and it goes on as it was',
    data: Type.Object({
      ...about,
      error: Described(
        Failure,
        'Why. `consent_denied`: the customer said no. `consent_expired`: they did not decide in time. `consent_rejected`: ' +
          'the bank refused for good. `consent_account_mismatch`: they chose another account than the one you named.',
      ),
      created_at: happened,
    }),
  },
  'schedule.cancelled': { description: 'a schedule is over for good', data: StatusChange },
  'schedule.paused': {
    description:
      'a schedule is paused, and when one cannot resume at `resume_at` because no consent is in force',
    data: StatusChange,
  },
  'schedule.resumed': { description: 'a paused schedule collects again', data: StatusChange },
  'consent.reauthentication_needed': {
    description:
      'the bank wants the customer to confirm the consent again, on the page of `portal_url`; nothing is collected until then',
    data: Type.Object({ ...about, created_at: happened }),
  },
  'consent.revoked': {
    description: 'the customer or the bank has ended the consent, and with it the schedule',
    data: Type.Object({
      ...about,
      reason: Text(
        '`withdrawn_on_portal`: the customer ended it on the portal. `withdrawn_at_bank`: they ended it at the bank. ' +
          '`expired_at_bank`: the bank says that it has expired, before its agreed end.',
      ),
      created_at: happened,
    }),
  },
} satisfies EventDescriptions;
