import type { Tone } from '../../../ui/badge.tsx';
import { formatMoney } from '../../../ui/values/format-money.ts';
import type { Breach, Day } from '../../api/safeguarding.ts';

export const pounds = (value: number): string => formatMoney({ value, currency: 'GBP' });

/** Says what a day found: a short word for its badge. */
export function resultOf(day: Day): readonly [Tone, string] {
  if (day.unknown !== null) return ['warning', 'Could not be compared'];
  if (day.internal_difference_pence !== 0) return ['danger', 'Our books differ'];
  const external = day.external_difference_pence ?? 0;
  if (external !== 0)
    return ['danger', `${pounds(Math.abs(external))} ${external < 0 ? 'less' : 'more'} held`];
  const short = day.recalled_pence - day.own_pence - day.paid_in_pence + day.taken_out_pence;
  if (short > 0) return ['danger', `${pounds(short)} short`];
  if (day.fees_pence > 0) return ['warning', `${pounds(day.fees_pence)} to take out`];
  return ['success', 'Agrees'];
}

/** Says what a breach is about, in a sentence. */
export const BREACHES: Readonly<Record<Breach['kind'], string>> = {
  no_run: 'No reconciliation was made',
  not_compared: 'The issuer’s figure could not be read',
  not_answered: 'Nobody answered the reconciliation',
  shortfall: 'A shortfall was not paid in',
  excess: 'Own money was not taken out',
  difference: 'A difference was not answered',
  receipt: 'Money was not allocated to a client',
};
