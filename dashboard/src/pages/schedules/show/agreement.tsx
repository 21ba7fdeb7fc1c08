import type { ReactNode } from 'react';
import type { ScheduleConsent } from '../../../../../server/src/dashboard/schedules/view.ts';
import { KeyValue } from '../../../ui/data/key-value.tsx';
import { Progress } from '../../../ui/data/progress.tsx';
import { Id } from '../../../ui/values/id.tsx';
import { formatMoney } from '../../../ui/values/money.tsx';
import { When } from '../../../ui/values/when.tsx';
import { DownloadFile } from '../../lists/download-csv.tsx';
import { CURRENCY } from '../form/schedule-form.ts';

type Granted = NonNullable<ScheduleConsent['agreement']>;
type Limit = Granted['limits'][number];

const PERIODS: Readonly<Record<Limit['period'], string>> = {
  payment: 'Each payment',
  day: 'Each day',
  week: 'Each week',
  fortnight: 'Each fortnight',
  month: 'Each month',
  half_year: 'Each half year',
  year: 'Each year',
};

const money = (pence: number): string => formatMoney({ value: pence, currency: CURRENCY });

/** What the customer agreed to at the bank: limits with used and remaining amounts, and the schedules that share it. */
export function Agreement(props: { agreement: Granted; scheduleId: string }) {
  const { agreement, scheduleId } = props;
  const others = agreement.schedules.filter((id) => id !== scheduleId);
  const items: [string, ReactNode][] = [
    ['Bank', agreement.bank.name],
    ['Granted', <When key="granted" at={agreement.granted_at} as="datetime" />],
    [
      'Valid',
      agreement.valid_to === null ? (
        'Until withdrawn'
      ) : (
        <span key="valid">
          Until <When at={agreement.valid_to} as="datetime" />
        </span>
      ),
    ],
    ['Consent ID', <Id key="id" value={agreement.consent_id} />],
  ];
  if (agreement.bank_consent_id !== null)
    items.push(['At the bank', <Id key="bank" value={agreement.bank_consent_id} />]);
  return (
    <div className="agreement">
      <KeyValue items={items} />
      <p>
        <DownloadFile
          of={`/api/schedules/${encodeURIComponent(scheduleId)}/consent`}
          ending="pdf"
          label="Download what they agreed to"
        />
      </p>
      <div>
        <h3>Limits the customer agreed to</h3>
        <ul className="limits">
          {agreement.limits.map((limit) => (
            <LimitLine key={`${limit.period} ${limit.alignment}`} limit={limit} />
          ))}
        </ul>
      </div>
      {others.length === 0 ? null : (
        <div>
          <h3>Also collecting under it</h3>
          <ul className="shared">
            {others.map((id) => (
              <li key={id}>
                <Id value={id} to={`/schedules/${id}`} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function LimitLine({ limit }: { limit: Limit }) {
  const { period, amount, used, planned, left, to } = limit;
  const name = PERIODS[period];
  return (
    <li>
      <span className="limit-head">
        <strong>{name}</strong>
        <span className="money">up to {money(amount)}</span>
      </span>
      {used === null || left === null ? null : (
        <>
          <Progress
            label={`${name}: ${money(used)} of ${money(amount)} used`}
            value={amount === 0 ? 0 : used / amount}
          />
          <span className="limit-foot quiet">
            <span>
              {money(used)} used,{planned ? ` ${money(planned)} planned,` : null} {money(left)} left
            </span>
            {to === null ? null : (
              <span>
                until <When at={to} as="date" />
              </span>
            )}
          </span>
        </>
      )}
    </li>
  );
}
