import type { FrequencyType } from '../../schedules/terms/frequency.ts';

/**
 * The dates of a series in SQL, from the columns of its terms alone: another computation than the product's own
 * (`schedules/terms/occurrences.ts`), so that the laws do not repeat its faults. Bank holidays are not known here.
 */

const MONTHS: Readonly<Record<Exclude<FrequencyType, 'daily' | 'weekly'>, number>> = {
  monthly: 1,
  quarterly: 3,
  yearly: 12,
};
const MONTHS_OF_TYPE = Object.entries(MONTHS).map(([type, n]) => `WHEN '${type}' THEN ${n}`);

/** Less the time of day, the local moment is the date, even if a clock change moved it past midnight. */
const sinceMidnightOf = (terms: string, at: string): string =>
  `((${at} AT TIME ZONE ${terms}.time_zone) - ${terms}.time_of_day)`;

/** SQL: the date on which occurrence `n` of terms falls, before it moves to a working day. */
function nominalDate(terms: string, n: string): string {
  const anchor = `${sinceMidnightOf(terms, `${terms}.first_at`)}::date`;
  const months = `CASE ${terms}.frequency_type ${MONTHS_OF_TYPE.join(' ')} END`;
  const month = `(date_trunc('month', ${anchor}) + (${n}) * ${terms}.frequency_interval * (${months}) * interval '1 month')`;
  const last = `(${month} + interval '1 month' - interval '1 day')::date`;
  return `CASE ${terms}.frequency_type
    WHEN 'daily' THEN ${anchor} + (${n}) * ${terms}.frequency_interval
    WHEN 'weekly' THEN ${anchor} + (${n}) * ${terms}.frequency_interval * 7
    ELSE least(${month}::date + ${terms}.frequency_day - 1, ${last}) END`;
}

/** SQL: when occurrence `n` of terms falls due, before it moves to a working day. */
export const nominalMoment = (terms: string, n: string): string =>
  `((${nominalDate(terms, n)} + ${terms}.time_of_day) AT TIME ZONE ${terms}.time_zone)`;

/** No occurrence moves further to a working day: over Christmas and Easter it is four days. */
export const FURTHEST_MOVE = `interval '6 days'`;

/**
 * SQL: whether `at` may be occurrence `n` of terms: on its date and at its time, which clock changes shift by an hour or two; or
 * where the terms say so on a day from Monday to Friday near by.
 */
export function mayBe(terms: string, n: string, at: string): string {
  const local = `(${sinceMidnightOf(terms, at)} + interval '1 hour')`;
  const date = nominalDate(terms, n);
  return `(${local}::time < '04:00' AND (${local}::date = ${date}
    OR ${terms}.non_working_day <> 'same' AND extract(isodow FROM ${local}) < 6
      AND ${local} - (${date}) < ${FURTHEST_MOVE} AND (${date}) - ${local} < ${FURTHEST_MOVE}))`;
}
