import Type, { type Static } from 'typebox';
import { limitPassed } from '../../merchants/keys/key-limits.ts';
import { findKey } from '../../merchants/keys/key-store.ts';
import { KeyLimitsView, viewKeyLimits } from '../../merchants/keys/key-view.ts';
import type { ApiKey } from '../../merchants/keys/keys.ts';
import {
  AmountOrZero,
  Described,
  Fields,
  Id,
  Instant,
  ListQuery,
  NamedObject,
  OneOf,
  OrNull,
  Text,
} from '../../platform/http/schemas/schemas.ts';
import type { Asked } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { MONEY_ACTS } from '../acts/money-act.ts';
import { isExpired, type PreparedAct } from './act.ts';

const OPERATIONS = Object.keys(MONEY_ACTS);
const STATUSES = [
  'prepared',
  'waiting_for_approval',
  'done',
  'declined',
  'replaced',
  'expired',
] as const;

/** The body of POST /prepared_acts. */
export const PrepareInput = Fields(
  {
    operation: OneOf(
      OPERATIONS,
      'The endpoint that does it, by its `operationId` in this document.',
    ),
    params: Type.Record(Type.String(), Type.String({ maxLength: 64 }), {
      description: 'What stands in the path of that endpoint, such as `id`; else an empty object.',
      examples: [{ id: 'sch_032atfSALfDo4duUde5x6C' }],
    }),
    body: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The body of that endpoint; an empty object, where it takes none.',
      examples: [{ amount: { value: 1250, currency: 'GBP' } }],
    }),
    purpose: Type.Optional(
      OrNull(
        Type.String({ minLength: 1, maxLength: 200, examples: ['invoice 1041'] }),
        'What it is for, in a few words of your own that stay the same when you ask again, such as the number ' +
          'of an invoice. One ' +
          'purpose for one schedule or payment is one act. Null: the same request is one act for 24 hours.',
      ),
    ),
  },
  'An act to be prepared.',
);

export const PreparedActAnswer = NamedObject(
  'PreparedAct',
  {
    id: Id('act', 'The act’s id, by which it is committed.'),
    operation: OneOf(OPERATIONS, 'The endpoint that does it, by its `operationId`.'),
    status: OneOf(
      STATUSES,
      '`prepared`: nothing has happened yet. `waiting_for_approval`: it was committed beyond the limits of the ' +
        'key, and a member of ' +
        'the team is asked. `done`: it has happened, once. `declined`: a member has declined it, for good. `replaced`: the key ' +
        'prepared something else for the same purpose. `expired`: it was not committed or approved in time.',
    ),
    summary: Text('What happens when it is committed, in a sentence.'),
    amount: Described(AmountOrZero, 'What it takes, as the limits of the key count it.'),
    asks: Type.Array(
      OneOf(
        ['customer', 'member'],
        '`customer`: they have to agree before it takes effect. `member`: somebody of the team has to approve it in the dashboard.',
      ),
      { description: 'Who else is asked.' },
    ),
    about_id: OrNull(
      Type.String(),
      'The schedule or payment that it is about. Null: it creates a schedule.',
    ),
    object_id: OrNull(Type.String(), 'What it has made or changed. Null: it is not done.'),
    limits: OrNull(KeyLimitsView, 'The limits of the key now. Null: it has none.'),
    key_id: Id('key', 'The API key that prepared it.'),
    key_name: Text('The name of that key.'),
    agent: OrNull(Type.String(), 'The name that the agent gave itself. Null: none.'),
    decided_by: OrNull(
      Type.String(),
      'The id of the member who approved or declined it. Null: nobody did.',
    ),
    created_at: Described(Instant, 'When it was prepared.'),
    expires_at: Described(Instant, 'Until when it can be committed or approved.'),
    ended_at: OrNull(Instant, 'When it was done, declined or replaced. Null: it was not.'),
  },
  'Something that an API key has prepared, and its outcome.',
);
export type PreparedActView = Static<typeof PreparedActAnswer>;

/** The filter of the list. */
export const ActQuery = Fields({
  ...ListQuery.properties,
  status: Type.Optional(
    OneOf(
      ['prepared', 'waiting_for_approval', 'done', 'declined', 'replaced'],
      'Only acts in this status. Those that have expired are among `prepared` and `waiting_for_approval`.',
    ),
  ),
});

/** Returns acts in the only form in which they leave the service. */
export async function viewActs(
  { tx, now, merchantId }: Asked,
  acts: readonly PreparedAct[],
): Promise<PreparedActView[]> {
  const keyIds = [...new Set(acts.map(({ keyId }) => keyId))];
  const found = await Promise.all(keyIds.map((keyId) => findKey(tx, merchantId, keyId)));
  const keys = new Map(found.flatMap((one) => (one === null ? [] : [[one.key.keyId, one.key]])));
  return acts.map((act) => view(act, keys.get(act.keyId) ?? null, now));
}

/** Returns one act in that form. */
export async function viewAct(asked: Asked, act: PreparedAct): Promise<PreparedActView> {
  const [one] = await viewActs(asked, [act]);
  if (one === undefined) throw new Error('nothing came back');
  return one;
}

function view(act: PreparedAct, key: ApiKey | null, now: Temporal.Instant): PreparedActView {
  const { limits = null } = key ?? {};
  return {
    id: act.actId,
    operation: act.operation,
    status: isExpired(act, now) ? 'expired' : WORDS[act.status],
    summary: act.summary,
    amount: { value: act.amountPence, currency: 'GBP' },
    asks: [
      ...(act.asksCustomer ? (['customer'] as const) : []),
      ...(asksMember(act, limits, now) ? (['member'] as const) : []),
    ],
    about_id: act.aboutId,
    object_id: act.objectId,
    limits: limits && viewKeyLimits(limits, now),
    key_id: act.keyId,
    key_name: key?.name ?? act.keyId,
    agent: act.agent === '' ? null : act.agent,
    decided_by: act.decidedBy,
    created_at: formatInstant(act.createdAt),
    expires_at: formatInstant(act.expiresAt),
    ended_at: formatInstant(act.endedAt),
  };
}

const WORDS: Readonly<Record<PreparedAct['status'], PreparedActView['status']>> = {
  prepared: 'prepared',
  waiting: 'waiting_for_approval',
  done: 'done',
  declined: 'declined',
  replaced: 'replaced',
};

function asksMember(
  { status, amountPence }: PreparedAct,
  limits: ApiKey['limits'],
  now: Temporal.Instant,
): boolean {
  if (status !== 'prepared') return status === 'waiting';
  return limits !== null && limitPassed(limits, amountPence, now) !== null;
}
