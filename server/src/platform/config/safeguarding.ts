import { oneOf, variable } from './readers.ts';

/** In which seat the operator holds customers' money: docs/rules/safeguarding.md#three-seats. */
export const SEATS = ['agent', 'institution', 'initiation_only'] as const;
export type Seat = (typeof SEATS)[number];

/** Who safeguards, and at which time of day the books are taken. */
export interface Safeguarding {
  seat: Seat;
  /** London time. */
  at: Temporal.PlainTime;
}

function timeOfDay(value: string): Temporal.PlainTime {
  if (!/^([01]\d|2[0-2]):[0-5]\d$/.test(value))
    throw new Error('must be a time such as 06:30, before 23:00: the day has to answer it');
  return Temporal.PlainTime.from(value);
}

export const SAFEGUARDING_VARIABLES = {
  SAFEGUARDING_SEAT: variable(
    "agent of the e-money issuer, institution of its own, or initiation_only: whose duty it is to safeguard customers' money",
    'agent',
    oneOf(SEATS),
  ),
  SAFEGUARDING_AT: variable(
    'the reconciliation point: the London time at which each reconciliation day compares what is owed with what is held',
    '00:00',
    timeOfDay,
  ),
} as const;
