import { decimalOf } from './money.ts';
import { type PeriodicLimit, periodAt } from './periods.ts';

/** What a customer agreed to, in the bank's terms: `ControlParameters` of the Open Banking VRP standard. */
export interface ControlParameters {
  maximumIndividualPence: number;
  periodicLimits: PeriodicLimit[];
  /** First day on which payments may be made, in London. */
  validFrom: Temporal.PlainDate;
  /** Last day on which payments may be made, in London. */
  validTo: Temporal.PlainDate | null;
}

/** A payment that uses the limits: anything that did not end RJCT or BLCK. */
export interface CountedPayment {
  day: Temporal.PlainDate;
  amountPence: number;
}

/** Why a payment lies outside the control parameters, with the field it is about. */
interface Breach {
  message: string;
  path: string;
}

/** How much of one limit is used in the period of a day. */
export interface LimitUse {
  limit: PeriodicLimit;
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
  allowedPence: number;
  usedPence: number;
}

const AMOUNT = 'Data.Instruction.InstructedAmount';

/** The first control parameter that a payment of `amountPence` on `day` would break, or null. */
export function breachOf(
  parameters: ControlParameters,
  counted: CountedPayment[],
  day: Temporal.PlainDate,
  amountPence: number,
): Breach | null {
  if (Temporal.PlainDate.compare(day, parameters.validFrom) < 0) {
    return {
      message: `Payments are allowed from ${parameters.validFrom} on`,
      path: 'Data.ControlParameters.ValidFromDateTime',
    };
  }
  if (parameters.validTo && Temporal.PlainDate.compare(day, parameters.validTo) > 0) {
    return {
      message: `Payments were allowed until ${parameters.validTo}`,
      path: 'Data.ControlParameters.ValidToDateTime',
    };
  }
  if (amountPence > parameters.maximumIndividualPence) {
    return {
      message: 'Instruction exceeds the individual payment limit of the consent',
      path: AMOUNT,
    };
  }
  for (const use of limitUses(parameters, counted, day)) {
    if (use.usedPence + amountPence > use.allowedPence) {
      return { message: periodicMessage(use), path: AMOUNT };
    }
  }
  return null;
}

/** Every periodic limit with what is used of it in the period that `day` belongs to. */
export function limitUses(
  parameters: ControlParameters,
  counted: CountedPayment[],
  day: Temporal.PlainDate,
): LimitUse[] {
  return parameters.periodicLimits.map((limit) => {
    const period = periodAt(limit, parameters.validFrom, day);
    const usedPence = counted
      .filter((payment) => isWithin(payment.day, period.from, period.to))
      .reduce((sum, payment) => sum + payment.amountPence, 0);
    return { limit, ...period, usedPence };
  });
}

/** The first day of the periods that `day` belongs to: what was paid before it uses no limit any more. */
export function countedSince(
  { periodicLimits, validFrom }: ControlParameters,
  day: Temporal.PlainDate,
): Temporal.PlainDate {
  if (Temporal.PlainDate.compare(day, validFrom) < 0) return day; // no period has begun
  return periodicLimits
    .map((limit) => periodAt(limit, validFrom, day).from)
    .reduce((first, from) => (Temporal.PlainDate.compare(from, first) < 0 ? from : first), day);
}

function isWithin(
  day: Temporal.PlainDate,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): boolean {
  return Temporal.PlainDate.compare(day, from) >= 0 && Temporal.PlainDate.compare(day, to) <= 0;
}

function periodicMessage(use: LimitUse): string {
  const left = decimalOf(Math.max(0, use.allowedPence - use.usedPence));
  return (
    `Instruction exceeds the periodic limit (${use.limit.type}, ${use.limit.alignment}): ` +
    `${left} left from ${use.from} to ${use.to}`
  );
}
