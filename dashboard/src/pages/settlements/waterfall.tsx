import type { Settlement } from '@recollect/sdk';
import { Card } from '../../ui/card.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { type Step, stepsOf } from './steps.ts';
import './settlements.css';

/** How a settlement's amount comes about: each step in words and numbers, and as a bar that begins where the last one ended. */
export function Waterfall({ settlement }: { settlement: Settlement }) {
  const steps = stepsOf(settlement);
  const most = Math.max(1, ...steps.flatMap(({ from, to }) => [from, to]));
  return (
    <Card title="How it adds up">
      <dl className="waterfall">
        {steps.map((step) => (
          <div key={step.name} className={`waterfall-step waterfall-${step.kind}`}>
            <dt>{step.name}</dt>
            <dd className="money">{signedMoney(step, settlement.amount.currency)}</dd>
            <dd className="waterfall-track" aria-hidden="true">
              <span style={positionOf(step, most)} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** What is netted has its sign. */
function signedMoney({ kind, value }: Step, currency: string): string {
  const money = formatMoney({ value: Math.abs(value), currency });
  return kind === 'taken' ? `−${money}` : kind === 'given' ? `+${money}` : money;
}

function positionOf({ from, to }: Step, most: number) {
  const share = (pence: number): string => `${(pence / most) * 100}%`;
  return { insetInlineStart: share(Math.min(from, to)), inlineSize: share(Math.abs(to - from)) };
}
