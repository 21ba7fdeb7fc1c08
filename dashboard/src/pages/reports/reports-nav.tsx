import { SubNav } from '../../ui/sub-nav.tsx';

const ITEMS = [
  { to: '/reports', label: 'Failures' },
  { to: '/reports/arrears', label: 'Arrears' },
  { to: '/reports/cohorts', label: 'Cohorts' },
  { to: '/reports/calendar', label: 'Calendar' },
  { to: '/reports/statement', label: 'Statement' },
  { to: '/reports/accounting', label: 'Accounting' },
];

/** The tabs of the reports. */
export function ReportsNav() {
  return <SubNav label="Reports" items={ITEMS} />;
}
