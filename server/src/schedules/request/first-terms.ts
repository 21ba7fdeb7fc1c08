import { invalid } from '../../platform/values/errors.ts';
import { planSeries } from '../terms/plan.ts';
import type { Terms } from '../terms/schedule.ts';
import { limitsIn, refuseLowLimits } from './limits-body.ts';
import { type CreateBody, instantOf } from './request.ts';

/** The part of a new schedule that defines what is collected and when. */
export type TermsBody = Pick<
  CreateBody,
  | 'amount'
  | 'frequency'
  | 'start_date'
  | 'end_date'
  | 'limits'
  | 'amount_mode'
  | 'non_working_day'
  | 'first_payment'
>;

/** Returns the first terms of a schedule from a checked body. Throws 400 if no occurrence fits, or the limits are too low. */
export function firstTerms(body: TermsBody, timeZone: string, now: Temporal.Instant): Terms {
  const startDate = instantOf(body.start_date);
  const planned = planSeries({
    frequency: body.frequency,
    startDate,
    endDate: instantOf(body.end_date),
    timeZone,
    now,
    nonWorkingDay: body.non_working_day,
  });
  if ('errors' in planned) throw invalid(planned.errors);
  const terms: Terms = {
    version: 1,
    amountPence: body.amount.value,
    amountMode: body.amount_mode ?? 'fixed',
    currency: body.amount.currency,
    startDate,
    series: planned.series,
    limits: limitsIn(body.limits),
    firstPence: body.first_payment?.amount.value ?? null,
  };
  refuseLowLimits(terms, body.limits);
  return terms;
}
