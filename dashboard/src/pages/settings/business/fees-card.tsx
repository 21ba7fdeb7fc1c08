import type { Fees, Merchant } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { Card } from '../../../ui/card.tsx';
import { KeyValue } from '../../../ui/data/key-value.tsx';
import { When } from '../../../ui/values/when.tsx';
import { feeWords } from './fee-words.ts';

/** What the operator takes of each collection; only the operator changes it. */
export function FeesCard({ merchant }: { merchant: Merchant }) {
  const { fees, next_fees: next } = merchant;
  const items: [string, ReactNode][] = [['Per collection', <Terms key="now" fees={fees} />]];
  if (next !== null) items.push(['Changes to', <Terms key="next" fees={next} />]);
  return (
    <Card
      title="Fees"
      lead="Deducted from your settlements. Fees are not returned when you refund. Your operator sets these terms."
    >
      <KeyValue items={items} />
    </Card>
  );
}

function Terms({ fees }: { fees: Fees | null }) {
  if (fees === null) return 'No fee';
  return (
    <>
      {feeWords(fees)}, from <When at={fees.from} as="date" />
    </>
  );
}
