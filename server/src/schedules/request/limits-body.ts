import { invalid } from '../../platform/values/errors.ts';
import {
  AS_NEEDED,
  type LimitedTerms,
  limitErrors,
  limitsOf,
  periodName,
} from '../limits/limits.ts';
import type { AskedLimits } from '../terms/schedule.ts';
import type { LimitsBody } from './request.ts';

/** Returns the limits that a body asks for; those it leaves out stay as they are. */
export function limitsIn(
  body: LimitsBody | null | undefined,
  present: AskedLimits = AS_NEEDED,
): AskedLimits {
  if (body === undefined) return present;
  if (body === null) return AS_NEEDED;
  const { per_payment: perPayment, per_period: perPeriod } = body;
  return {
    perPaymentPence:
      perPayment === undefined ? present.perPaymentPence : (perPayment?.value ?? null),
    perPeriodPence: perPeriod === undefined ? present.perPeriodPence : (perPeriod?.value ?? null),
  };
}

/** Whether a body's limits are those that the schedule shows: a client may send back what it has read. */
export function isSameLimits(body: LimitsBody | null, terms: LimitedTerms): boolean {
  const { limits = AS_NEEDED } = terms;
  if (body === null) return limits.perPaymentPence === null && limits.perPeriodPence === null;
  const shown = limitsOf(terms);
  const asked = limitsIn(body, shown);
  const isSamePeriod = body.period === undefined || body.period === periodName(shown.periodType);
  return (
    isSamePeriod &&
    asked.perPaymentPence === shown.perPaymentPence &&
    asked.perPeriodPence === shown.perPeriodPence
  );
}

/** Throws 400 if a body asks for limits below what the terms need, or for another period than theirs. */
export function refuseLowLimits(terms: LimitedTerms, body: LimitsBody | null | undefined): void {
  if (body === undefined || body === null) return;
  const errors = limitErrors(terms, limitsIn(body));
  const period = periodName(limitsOf(terms).periodType);
  if (body.period !== undefined && body.period !== period)
    errors['limits.period'] = `follows from the frequency: ${period}`;
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
