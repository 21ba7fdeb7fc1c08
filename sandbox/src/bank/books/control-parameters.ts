import { decimalOf } from '../wire/money.ts';
import { type PeriodicLimit, periodAt } from '../wire/periods.ts';

/** What a customer agreed to, in the bank's terms: `ControlParameters` of the Open Banking VRP standard. */
export interface ControlParameters {
  maximumIndividualPence: number;
  periodicLimits: PeriodicLimit[];
  /** First day on which payments may be made, in London. */
  validFrom: Temporal.PlainDate;
  /** Last day on which payments may be made, in London. */
  validTo: Temporal.PlainDate | null;
}

/** A payment that counts towards the limits: any that did not end as RJCT or BLCK. */
export interface CountedPayment {
  day: Temporal.PlainDate;
  amountPence: number;
}

/** Why a payment breaches the control parameters, and the field concerned. */
interface Breach {
  message: string;
  path: string;
}

/** How much of one limit is used in the period of a given day. */
export interface LimitUse {
  limit: PeriodicLimit;
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
  allowedPence: number;
  usedPence: number;
}

const AMOUNT = 'Data.Instruction.InstructedAmount';

/** Returns the first breach that a payment of `amountPence` on `day` would cause, or null. */
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

/** Returns every periodic limit and how much of it is used in the period containing `day`. */
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

/** Returns the first day of the earliest period containing `day`: earlier payments count towards no limit. */
export function countedSince(
  { periodicLimits, validFrom }: ControlParameters,
  day: Temporal.PlainDate,
): Temporal.PlainDate {
  if (Temporal.PlainDate.compare(day, validFrom) < 0) return day; // no period has started
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
