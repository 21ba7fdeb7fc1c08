import type { ChangeOfSchedules } from '@recollect/sdk';
import { useState } from 'react';
import { type Totals, useListTotals } from '../../../api/list-query.ts';
import { type ChosenSchedules, usePreviewMany } from '../../../api/schedule-changes.ts';
import type { ScheduleFilter } from '../../../api/schedules.ts';
import { Can } from '../../../app/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { formatMoney } from '../../../ui/values/money.tsx';
import { countWords } from '../../overview/figures.ts';
import { ManyDialog } from './many-dialog.tsx';
import { ACTS, type ManyAct } from './many-words.ts';
import { MOST_SCHEDULES } from './most-schedules.ts';
import type { Selection } from './selection.ts';
import './many.css';

const NAMES = Object.keys(ACTS) as ManyAct[];

const CHANGES: Readonly<Record<Exclude<ManyAct, 'amount'>, ChangeOfSchedules>> = {
  pause: { status: 'paused' },
  resume: { status: 'active' },
  cancel: { status: 'cancelled' },
  link: { send_link: true },
};

/** Schedules in these states collect; a total with others in it would be money that nobody pays. */
const COLLECTING: readonly unknown[] = ['active', 'paused', 'failing'];

interface SelectionBarProps {
  selection: Pick<Selection<never>, 'count' | 'chosen' | 'chooseAll' | 'clear'>;
  filter: ScheduleFilter;
}

/** How many schedules match, and what they collect if all of them do; once some are chosen, what can be done with them. */
export function SelectionBar({ selection, filter }: SelectionBarProps) {
  const isSummed = COLLECTING.includes(filter.status);
  const totals = useListTotals('/api/v1/schedules', { ...filter }, isSummed).data;
  if (totals === undefined || totals.total === 0) return null;
  const { chosen, chooseAll, clear } = selection;
  const { total } = totals;
  const count = selection.count ?? total;
  const isAll = selection.count === null;
  return (
    <section className="selection-bar" aria-label="Selected schedules">
      <p className="selection-count" role="status">
        {chosen === null ? totalsOf(totals) : selectedOf(count, total, isAll)}
      </p>
      <Can do="manage_schedules">
        {isAll ? null : <SelectAll total={total} onPress={chooseAll} />}
        {chosen === null ? null : <Acts chosen={chosen} count={count} onClear={clear} />}
      </Can>
      {chosen === null ? (
        <LinkButton variant="ghost" size="small" to="/schedules/changes">
          Recent changes
        </LinkButton>
      ) : null}
    </section>
  );
}

function SelectAll({ total, onPress }: { total: number; onPress: () => void }) {
  if (total > MOST_SCHEDULES)
    return (
      <p className="quiet small">
        To select all, narrow the filters to {MOST_SCHEDULES.toLocaleString('en-GB')} schedules.
      </p>
    );
  return (
    <Button variant="ghost" size="small" onPress={onPress}>
      Select all {total.toLocaleString('en-GB')}
    </Button>
  );
}

interface ActsProps {
  chosen: ChosenSchedules;
  count: number;
  onClear: () => void;
}

function Acts({ chosen, count, onClear }: ActsProps) {
  const [act, setAct] = useState<ManyAct | null>(null);
  const preview = usePreviewMany();
  const begin = (name: ManyAct) => {
    setAct(name);
    preview.reset();
    if (name !== 'amount') preview.mutate({ ...chosen, change: CHANGES[name] });
  };
  return (
    <div className="selection-acts">
      {NAMES.map((name) => (
        <Button key={name} size="small" onPress={() => begin(name)}>
          {ACTS[name].button}
        </Button>
      ))}
      <Button variant="ghost" size="small" onPress={onClear}>
        Clear selection
      </Button>
      {act === null ? null : (
        <ManyDialog
          title={ACTS[act].title(countWords(count, 'schedule'))}
          preview={preview}
          onAmount={
            act === 'amount' ? (change) => preview.mutateAsync({ ...chosen, change }) : undefined
          }
          onClose={() => setAct(null)}
        />
      )}
    </div>
  );
}

/** Says how many match, and what their amounts add up to: “120 schedules, £4,198.80 together”. */
function totalsOf({ total, total_amount: amount }: Totals): string {
  const count = countWords(total, 'schedule');
  return amount === undefined ? count : `${count}, ${formatMoney(amount)} together`;
}

function selectedOf(count: number, total: number, isAll: boolean): string {
  const selected = `${count.toLocaleString('en-GB')} of ${countWords(total, 'schedule')} selected`;
  return isAll ? `${selected}. To leave some out, clear the selection first.` : selected;
}
