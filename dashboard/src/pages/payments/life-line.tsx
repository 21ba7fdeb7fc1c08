import type { Payment } from '@recollect/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useBankName } from '../../api/banks.ts';
import { usePaymentEvidence } from '../../api/payments.ts';
import { useRefundsOf } from '../../api/refunds.ts';
import { useSettlement } from '../../api/settlements.ts';
import type { Tone } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { When } from '../../ui/values/when.tsx';
import { lifeOf, type Point, type Progress } from './life.ts';
import type { Next } from './life-next.ts';

/** Where a payment is between its due date and the pay-out, as one line, and what comes next. */
export function LifeLine({ payment }: { payment: Payment }) {
  const bankName = useBankName(payment.bank_id);
  const { data: evidence } = usePaymentEvidence(payment.id);
  const { data: settlement } = useSettlement(payment.settlement_id);
  const { data: refunds = [] } = useRefundsOf(payment.id, payment.status === 'success');
  const ledger = evidence?.ledger ?? [];
  const { points, next } = lifeOf(payment, { bankName, ledger, settlement, refunds });
  return (
    <Card title="Progress">
      <div className="life">
        <ol>
          {points.map((point) => (
            <LifePoint key={point.title} point={point} />
          ))}
        </ol>
      </div>
      {next === null ? null : <WhatIsNext next={next} />}
    </Card>
  );
}

const TONES: Readonly<Record<Progress, Tone>> = {
  done: 'success',
  now: 'info',
  problem: 'warning',
  stopped: 'danger',
  later: 'neutral',
};

/** Says to those who do not see the colour of a point what it means; the others have their words. */
const UNSEEN: Partial<Record<Progress, string>> = { now: 'in progress', later: 'to come' };

function LifePoint({ point }: { point: Point }) {
  const { title, progress, at, detail, to } = point;
  const unseen = UNSEEN[progress];
  const name: ReactNode = to === null ? title : <Link to={to}>{title}</Link>;
  return (
    <li className={`life-point life-${progress} tone-${TONES[progress]}`}>
      <span className="life-dot" aria-hidden="true" />
      <div className="life-words">
        <p className="life-title">
          {name}
          {unseen === undefined ? null : <span className="visually-hidden">, {unseen}</span>}
        </p>
        {at === null ? null : (
          <p className="life-at">
            <When at={at} as="datetime" />
          </p>
        )}
        {detail === null ? null : <p className="life-detail">{detail}</p>}
      </div>
    </li>
  );
}

function WhatIsNext({ next: { text, at } }: { next: Next }) {
  return (
    <p className="life-next">
      {text}
      {at === null ? null : (
        <>
          {' '}
          on <When at={at} as="datetime" />.
        </>
      )}
    </p>
  );
}
