import type { ReactNode } from 'react';
import { Page } from '../../../ui/page.tsx';
import { SubNav } from '../../../ui/sub-nav.tsx';

const PAGES = [
  { to: '/safeguarding', label: 'Days' },
  { to: '/safeguarding/breaches', label: 'Breaches' },
  { to: '/safeguarding/papers', label: 'Papers' },
];

/** The frame of the pages about safeguarding. */
export function SafeguardingPage({
  lead,
  actions,
  children,
}: {
  lead: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Page title="Safeguarding" lead={lead} actions={actions}>
      <SubNav label="Safeguarding" items={PAGES} />
      {children}
    </Page>
  );
}
