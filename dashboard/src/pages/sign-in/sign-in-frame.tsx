import './sign-in.css';
import type { ReactNode } from 'react';
import { BRAND, Help, Wordmark } from '../../ui/brand.tsx';
import { Check } from '../../ui/icons.tsx';
import { useTitle } from '../../ui/page.tsx';

const PROMISES = [
  'Collect straight from your customers’ banks, on the agreed dates',
  'See every attempt, its outcome and its evidence in one place',
  'Get paid the next business day, to the penny',
];

interface SignInFrameProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** The frame of the pages before sign-in: the form on one side, what the service is on the other. */
export function SignInFrame({ title, lead, children }: SignInFrameProps) {
  useTitle(title);
  return (
    <div className="door">
      <main id="main" className="door-main" tabIndex={-1}>
        <div className="door-inside">
          <p className="brand">
            <Wordmark />
          </p>
          <div className="door-head">
            <h1 tabIndex={-1}>{title}</h1>
            {lead === undefined ? null : <p className="quiet">{lead}</p>}
          </div>
          {children}
          <Help />
        </div>
      </main>
      <aside className="door-side" aria-label={`About ${BRAND}`}>
        <div className="door-promise">
          <p className="door-slogan">Recurring collections that simply arrive.</p>
          <ul>
            {PROMISES.map((promise) => (
              <li key={promise}>
                <Check aria-hidden="true" />
                {promise}
              </li>
            ))}
          </ul>
        </div>
      </aside>
    </div>
  );
}
