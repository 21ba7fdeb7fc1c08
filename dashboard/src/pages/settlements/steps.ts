import type { Settlement } from '@recollect/sdk';

/** What changes a settlement's sum; below zero: it takes from it. */
export interface Step {
  name: string;
  kind: 'collected' | 'taken' | 'given' | 'paid';
  value: number;
  /** Where its bar begins and ends, in pence. */
  from: number;
  to: number;
}

type Sums = Pick<Settlement, 'amount' | 'gross' | 'refunds' | 'fees' | 'carried'>;

/** Returns how a settlement's amount comes about: from what was collected, by what was netted, to what is paid out. */
export function stepsOf({ gross, refunds, fees, carried, amount }: Sums): Step[] {
  const steps: Step[] = [
    { name: 'Collected', kind: 'collected', value: gross.value, from: 0, to: gross.value },
  ];
  const net = (name: string, taken: number): void => {
    if (taken === 0) return;
    const from = steps.at(-1)?.to ?? 0;
    const kind = taken > 0 ? 'taken' : 'given';
    steps.push({ name, kind, value: -taken, from, to: from - taken });
  };
  net(refunds.value < 0 ? 'Failed refunds returned' : 'Refunds', refunds.value);
  net('Fees', fees.value);
  net('Recalled collections', carried.value);
  const paid = { name: 'Paid out', kind: 'paid', value: amount.value, from: 0 } as const;
  return [...steps, { ...paid, to: amount.value }];
}
