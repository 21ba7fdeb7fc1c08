import Type, { type Static } from 'typebox';
import {
  AmountOrZero,
  Described,
  Id,
  Instant,
  NamedObject,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { Change } from './body.ts';
import { EFFECTS, type Effect, LINE_STATES } from './line.ts';
import type { ChangeRow, Count, LineRow } from './store.ts';

const Lines = (description: string) => Type.Integer({ minimum: 0, description, examples: [87] });

/** A change of many schedules in responses: docs/rules/schedules.md#many-schedules-at-once. */
export const ScheduleChangeAnswer = NamedObject(
  'ScheduleChange',
  {
    id: Id('chg', 'The change’s id.'),
    status: OneOf(
      ['preview', 'running', 'done'],
      '`preview`: nothing was changed yet. `running`: schedules are being changed, one after the other. `done`: every line is done, refused or failed.',
    ),
    change: Change,
    total: Lines('How many schedules it is about: the set is fixed when the change is asked for.'),
    within_consent: Lines('How many change without a new consent.'),
    needs_consent: Lines('How many need a new consent; until then they collect as agreed.'),
    awaiting_consent: Lines(
      'How many still wait for the customer’s consent; their link shows the change.',
    ),
    unchanged: Lines('How many are already as asked.'),
    refused: Lines('How many cannot be changed; their lines say why.'),
    done: Lines('How many lines are done: changed, unchanged or refused.'),
    failed: Lines('How many lines failed for now. Run the change again for these.'),
    amount_before: Described(
      AmountOrZero,
      'What their amounts add up to before, as the list of schedules does; without those that are refused.',
    ),
    amount_after: Described(AmountOrZero, 'The same once the change has taken effect.'),
    created_at: Described(Instant, 'When it was asked for.'),
    started_at: OrNull(Instant, 'When it was started. Null: it is a preview.'),
    finished_at: OrNull(Instant, 'When its last line ended. Null: it is not done.'),
  },
  'A change of many schedules at once.',
);
export type ScheduleChangeView = Static<typeof ScheduleChangeAnswer>;

/** One schedule of it in responses. */
export const ChangeLineAnswer = NamedObject(
  'ScheduleChangeLine',
  {
    schedule_id: Id('sch', 'The schedule.'),
    description: Type.String({
      description: 'What its payments are for.',
      examples: ['Broadband'],
    }),
    amount_before: Described(AmountOrZero, 'Its amount when the change was asked for.'),
    amount_after: Described(AmountOrZero, 'Its amount after the change.'),
    effect: OneOf(
      EFFECTS,
      '`within_consent`: it changes without a new consent. `needs_consent`: the customer has to agree again. `awaiting_consent`: the customer has not agreed to the schedule yet. `unchanged`: it is already so. `refused`: it cannot be changed.',
    ),
    state: OneOf(
      LINE_STATES,
      '`planned`: not carried out yet. `done`: carried out, or nothing to do. `failed`: it can be run again.',
    ),
    error_code: OrNull(
      Type.String({ examples: ['schedule_changed'] }),
      'Why it is refused or failed. `schedule_changed`: the schedule was changed after the change was asked for. `effect_changed`: it would now have another effect than was said. The others are [error codes](docs/errors). Null: neither.',
    ),
    reason: OrNull(
      Type.String({ examples: ['more than £40.00, the most for one payment'] }),
      'Why it is refused or failed, or why the customer has to agree, in words. Null: neither.',
    ),
    link: OrNull(
      OneOf(
        ['by_email', 'by_text', 'already', 'unreachable', 'nothing_waits'],
        '`by_email`, `by_text`: the customer was sent the consent link. `already`: they were sent it earlier today. `unreachable`: they have no address.',
      ),
      'What came of sending the customer the consent link. Null: nothing was to be sent, or not yet.',
    ),
  },
  'One schedule of a change.',
);
export type ChangeLineView = Static<typeof ChangeLineAnswer>;

const gbp = (value: number) => ({ value, currency: 'GBP' });
const sum = (counts: readonly Count[], of: (one: Count) => number): number =>
  counts.reduce((all, one) => all + of(one), 0);

/** Returns how far a change is. */
export function statusOf({
  startedAt,
  dueAt,
}: Pick<ChangeRow, 'startedAt' | 'dueAt'>): ScheduleChangeView['status'] {
  if (startedAt === null) return 'preview';
  return dueAt === null ? 'done' : 'running';
}

/** Converts a change to its form in responses; `counts` are of its lines. */
export function viewChange(row: ChangeRow, counts: readonly Count[]): ScheduleChangeView {
  const withEffect = (effect: Effect) => counts.filter((one) => one.effect === effect);
  const count = (some: readonly Count[]) => sum(some, (one) => one.count);
  const valid = counts.filter((one) => one.effect !== 'refused');
  return {
    id: row.changeId,
    status: statusOf(row),
    change: row.change,
    total: count(counts),
    within_consent: count(withEffect('within_consent')),
    needs_consent: count(withEffect('needs_consent')),
    awaiting_consent: count(withEffect('awaiting_consent')),
    unchanged: count(withEffect('unchanged')),
    refused: count(withEffect('refused')),
    done: count(counts.filter((one) => one.state === 'done')),
    failed: count(counts.filter((one) => one.state === 'failed')),
    amount_before: gbp(sum(valid, (one) => one.beforePence)),
    amount_after: gbp(sum(valid, (one) => one.afterPence)),
    created_at: formatInstant(row.createdAt),
    started_at: formatInstant(row.startedAt),
    finished_at: formatInstant(row.finishedAt),
  };
}

/** Converts a line to its form in responses. */
export function viewLine(row: LineRow): ChangeLineView {
  const isRefused = row.effect === 'refused';
  return {
    schedule_id: row.scheduleId,
    description: row.description,
    amount_before: gbp(row.amountPence),
    amount_after: gbp(isRefused ? row.amountPence : (row.newAmountPence ?? row.amountPence)),
    effect: row.effect,
    state: row.state,
    error_code: row.errorCode,
    reason: row.reason,
    link: row.link,
  };
}
