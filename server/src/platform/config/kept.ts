import { variable } from './readers.ts';

const YEARS = /^P[1-9]\d?Y$/;

function years(value: string): Temporal.Duration | 'off' {
  if (value === 'off') return value;
  if (!YEARS.test(value)) throw new Error('must be whole years such as P6Y, or off');
  return Temporal.Duration.from(value);
}

export const KEPT_VARIABLES = {
  CUSTOMERS_KEPT_FOR: variable(
    'how long after the end of the relationship customers are erased, in years; off: only by hand',
    'P6Y',
    years,
  ),
} as const;
