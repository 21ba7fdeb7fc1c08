import { useState } from 'react';
import { type Totals, useListTotals } from '../../../api/list-query.ts';
import type { ScheduleFilter } from '../../../api/schedules.ts';
import { Can } from '../../../app/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { formatMoney } from '../../../ui/values/money.tsx';
import { countWords } from '../../overview/figures.ts';
import { ManyDialog } from './many-dialog.tsx';
import { ACTS, type ManyAct } from './many-words.ts';
import type { Selection } from './selection.ts';
import './many.css';

const NAMES = Object.keys(ACTS) as ManyAct[];

interface SelectionBarProps {
  selection: Pick<Selection<never>, 'count' | 'chosen' | 'chooseAll' | 'clear'>;
  filter: ScheduleFilter;
}

/** How many schedules match and what they collect; once some are chosen, what can be done with them. */
export function SelectionBar({ selection, filter }: SelectionBarProps) {
  const [act, setAct] = useState<ManyAct | null>(null);
  const totals = useListTotals('/api/v1/schedules', { ...filter }).data;
  if (totals === undefined || totals.total === 0) return null;
  const { chosen, chooseAll, clear } = selection;
  const count = selection.count ?? totals.total;
  const isAll = selection.count === null;
  return (
    <section className="selection-bar" aria-label="Selected schedules">
      <p className="selection-count" role="status">
        {chosen === null
          ? totalsOf(totals)
          : `${count.toLocaleString('en-GB')} of ${countWords(totals.total, 'schedule')} selected`}
      </p>
      <Can do="manage_schedules">
        {isAll ? null : (
          <Button variant="ghost" size="small" onPress={chooseAll}>
            Select all {totals.total.toLocaleString('en-GB')}
          </Button>
        )}
        {chosen === null ? (
          <LinkButton variant="ghost" size="small" to="/schedules/changes">
            Recent changes
          </LinkButton>
        ) : (
          <div className="selection-acts">
            {NAMES.map((name) => (
              <Button key={name} size="small" onPress={() => setAct(name)}>
                {ACTS[name].button}
              </Button>
            ))}
            <Button variant="ghost" size="small" onPress={clear}>
              Clear
            </Button>
          </div>
        )}
      </Can>
      {act === null || chosen === null ? null : (
        <ManyDialog act={act} chosen={chosen} count={count} onClose={() => setAct(null)} />
      )}
    </section>
  );
}

/** Says how many match, and what one collection of each takes: “120 schedules, £4,198.80 a collection together”. */
function totalsOf({ total, total_amount: amount }: Totals): string {
  if (amount === undefined) return countWords(total, 'schedule');
  return `${countWords(total, 'schedule')}, ${formatMoney(amount)} if each collects once`;
}
