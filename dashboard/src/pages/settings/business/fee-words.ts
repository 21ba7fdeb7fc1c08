import type { Fees } from '@recollect/sdk';

const BASIS_POINTS_OF_A_PERCENT = 100;
const PENCE_OF_A_POUND = 100;
const POUNDS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

/** Formats fee terms: "1.5% + £0.20", "£0.20", or "No fee". */
export function feeWords({ fixed_pence, basis_points }: Omit<Fees, 'from'>): string {
  const parts = [
    basis_points === 0 ? [] : [`${basis_points / BASIS_POINTS_OF_A_PERCENT}%`],
    fixed_pence === 0 ? [] : [POUNDS.format(fixed_pence / PENCE_OF_A_POUND)],
  ].flat();
  return parts.length === 0 ? 'No fee' : parts.join(' + ');
}
