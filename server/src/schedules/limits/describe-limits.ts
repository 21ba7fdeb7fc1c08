import type { StoredControlParameters } from '../../consents/consent.ts';
import { describeAmount } from '../terms/describe.ts';
import { BANK_TIME_ZONE } from './room.ts';

/** Describes the limits of a bank consent to its customer, a sentence each: the payment, the periods, how long it holds. */
export function describeLimits(params: StoredControlParameters): string[] {
  const from = day(params.validFrom);
  const periods = params.periodicLimits.map((limit) => {
    const amount = `Up to ${describeAmount(limit.amountPence)}`;
    const period = limit.periodType.toLowerCase();
    return limit.alignment === 'Consent'
      ? `${amount} per ${period}, counted from ${from}.`
      : `${amount} per calendar ${period}.`;
  });
  return [
    `Up to ${describeAmount(params.maximumAmountPence)} per payment.`,
    ...periods,
    params.validTo === null
      ? `From ${from}, with no end date, until you stop it.`
      : `From ${from} until ${day(params.validTo)}.`,
  ];
}

/** Formats "5 March 2026", by the calendar that banks count in. */
function day(instant: string): string {
  const date = Temporal.Instant.from(instant).toZonedDateTimeISO(BANK_TIME_ZONE);
  return date.toLocaleString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
}
