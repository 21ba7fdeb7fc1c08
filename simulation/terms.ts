import type { CreateBody, UpdateBody } from '../server/src/schedules/request/request.ts';
import { FREQUENCY_TYPES, type FrequencyType } from '../server/src/schedules/terms/frequency.ts';
import type { FrequencyInput } from '../server/src/schedules/terms/plan.ts';
import type { NonWorkingDay } from '../server/src/schedules/terms/working-day.ts';
import type { About, Chance } from './chance.ts';

/** Every type that is longer than a month. */
const LONGER = FREQUENCY_TYPES.slice(FREQUENCY_TYPES.indexOf('monthly') + 1) as [
  FrequencyType,
  ...FrequencyType[],
];
const CUSTOMERS_TO_SCHEDULES = 0.85;
/** In a short run more is collected daily and weekly: months would hardly be seen. */
const OFTEN = 3;

/** How often to collect: month ends, leap days and long intervals among them. */
function frequencyOf(chance: Chance, isShort: boolean, ...about: About): FrequencyInput {
  const drawn = chance.share(...about, 'frequency');
  const share = isShort ? drawn ** OFTEN : drawn;
  if (share < 0.04) return { type: 'daily', interval: intervalOf(chance, ...about) };
  if (share < 0.3) return { type: 'weekly', day: chance.whole(1, 7, ...about, 'day') };
  if (share < 0.55) return 'monthly'; // on the day of its start
  const day = chance.pick([1, 15, 28, 29, 30, 31, 31], ...about, 'day');
  if (share < 0.9) return { type: 'monthly', day };
  return chance.pick<FrequencyInput>([...LONGER, { type: 'monthly', day, interval: 2 }], ...about);
}

/** In days: mostly each, or every second. */
const intervalOf = (chance: Chance, ...about: About): number =>
  chance.pick([1, 1, 1, 2, 2, 3, 5], ...about, 'interval');

const isDaily = (frequency: FrequencyInput): boolean =>
  typeof frequency !== 'string' && frequency.type === 'daily';

/** What happens to days that are no working days. */
const policyOf = (chance: Chance, ...about: About): NonWorkingDay =>
  chance.pick(['same', 'same', 'next', 'previous'], ...about, 'policy');

/** In pence. */
function amountOf(chance: Chance, ...about: About): CreateBody['amount'] {
  return { value: chance.whole(1, 20_000, ...about, 'amount'), currency: 'GBP' };
}

/** What a merchant asks for when it makes its n-th schedule; `most`: its schedules, and days until they begin. */
export function newTerms(
  chance: Chance,
  now: Temporal.Instant,
  merchant: number,
  n: number,
  most: { schedules: number; days: number; isShort: boolean },
): CreateBody {
  const customers = Math.ceil(most.schedules * CUSTOMERS_TO_SCHEDULES);
  const customer = chance.whole(0, customers, 'customer of', merchant, n);
  const about = ['schedule', merchant, n] as const;
  const startsAt = now
    .toZonedDateTimeISO('Europe/London')
    .add({ days: chance.whole(1, most.days, ...about, 'start') })
    .withPlainTime({ hour: chance.pick([9, 9, 9, 0, 1, 2, 17, 23], ...about, 'hour') });
  const amount = amountOf(chance, ...about);
  const hasEnd = chance.happens(0.15, ...about, 'end');
  const frequency = frequencyOf(chance, most.isShort, ...about);
  return {
    amount,
    frequency,
    ...(isDaily(frequency) ? {} : { non_working_day: policyOf(chance, ...about) }),
    customer: {
      phone: `+4477${String(merchant).padStart(2, '0')}${String(customer).padStart(6, '0')}`,
    },
    description: `Subscription ${n}`,
    start_date: startsAt.toInstant().toString(),
    ...(hasEnd
      ? {
          end_date: startsAt
            .add({ days: chance.whole(30, 300, ...about, 'last') })
            .toInstant()
            .toString(),
        }
      : {}),
    max_retries: chance.whole(0, 5, ...about, 'retries'),
    // Limits that were asked for might have no room for a first payment.
    ...(chance.happens(0.2, ...about, 'limits')
      ? { limits: widerThan(amount) }
      : firstPayment(chance, ...about)),
    ...(chance.happens(0.12, ...about, 'mode') ? { amount_mode: 'per_occurrence' } : {}),
  };
}

/** Now and then something at once: less than an occurrence, or more. */
function firstPayment(chance: Chance, ...about: About): Pick<CreateBody, 'first_payment'> {
  const isAsked = chance.happens(0.3, ...about, 'first');
  return isAsked ? { first_payment: { amount: amountOf(chance, ...about, 'first') } } : {};
}

/** Limits that leave room for one and a half payments at once. */
function widerThan({ value, currency }: CreateBody['amount']): CreateBody['limits'] {
  return { per_payment: { value: Math.ceil(value * 1.5), currency } };
}

/** What a merchant changes of a schedule. */
export function changedTerms(chance: Chance, now: Temporal.Instant, ...about: About): UpdateBody {
  const share = chance.share(...about, 'change');
  if (share < 0.6) return { amount: amountOf(chance, ...about, 'new') };
  if (share < 0.8) return { frequency: frequencyOf(chance, false, ...about, 'new') };
  if (share < 0.85) return { description: 'Something else', max_retries: 2 };
  if (share < 0.92) return { non_working_day: policyOf(chance, ...about) };
  const days = chance.whole(1, 90, ...about, 'end');
  return { end_date: now.add({ hours: 24 * days }).toString() };
}
