import type { ChangedSchedule, ScheduleChange } from '../../../api/schedule-changes.ts';
import type { Tone } from '../../../ui/badge.tsx';
import { Badge } from '../../../ui/badge.tsx';
import type { Column } from '../../../ui/data/data-table.tsx';
import { formatMoney } from '../../../ui/values/money.tsx';

/** The states of a change of many schedules. */
export const STATUSES: Readonly<Record<ScheduleChange['status'], { tone: Tone; label: string }>> = {
  preview: { tone: 'neutral', label: 'Preview' },
  running: { tone: 'info', label: 'Under way' },
  done: { tone: 'success', label: 'Done' },
};

/** What a change means for a schedule. */
export const EFFECTS: Readonly<Record<ChangedSchedule['effect'], string>> = {
  within_consent: 'No new consent needed',
  needs_consent: 'New consent needed',
  awaiting_consent: 'Waiting for consent',
  unchanged: 'Already so',
  refused: 'Cannot be changed',
};

const TONES: Readonly<Record<ChangedSchedule['effect'], Tone>> = {
  within_consent: 'success',
  needs_consent: 'warning',
  awaiting_consent: 'info',
  unchanged: 'neutral',
  refused: 'danger',
};

const LINKS: Readonly<Record<NonNullable<ChangedSchedule['link']>, string>> = {
  by_email: 'Link sent by email',
  by_text: 'Link sent by text message',
  already: 'Link was sent earlier today',
  unreachable: 'No address to send the link to',
  nothing_waits: '',
};

/** The columns of the schedules of a change. */
export const CHANGED_COLUMNS: readonly Column<ChangedSchedule>[] = [
  {
    header: 'Schedule',
    cell: ({ description, shown }) => (
      <span className="two-lines">
        <span className="main-line">{description}</span>
        <span className="quiet">{shown.customer}</span>
      </span>
    ),
  },
  {
    header: 'Amount',
    cell: ({ amount_before: before, amount_after: after }) =>
      before.value === after.value ? (
        formatMoney(before)
      ) : (
        <span className="money">
          {formatMoney(before)} <span aria-hidden="true">→</span>
          <span className="visually-hidden"> becomes </span> {formatMoney(after)}
        </span>
      ),
  },
  {
    header: 'Effect',
    cell: ({ effect, reason, link }) => (
      <span className="two-lines">
        <Badge tone={TONES[effect]}>{EFFECTS[effect]}</Badge>
        {reason === null ? null : <span className="quiet">{sentence(reason)}</span>}
        {link === null ? null : <span className="quiet">{LINKS[link]}</span>}
      </span>
    ),
  },
  { header: 'Status', cell: ({ state }) => STATES[state] },
];

const STATES: Readonly<Record<ChangedSchedule['state'], string>> = {
  planned: 'Not yet',
  done: 'Done',
  failed: 'Failed, can be run again',
};

const sentence = (reason: string): string => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
