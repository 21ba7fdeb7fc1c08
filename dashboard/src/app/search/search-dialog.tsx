import { type ReactNode, useRef, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox';
import { SearchField } from 'react-aria-components/SearchField';
import { useNavigate } from 'react-router';
import type { Found } from '../../../../server/src/dashboard/search/view.ts';
import { useSearch } from '../../api/search.ts';
import { useDebounced } from '../../pages/schedules/form/debounced.ts';
import { errorText } from '../../ui/error-text.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { formatWhen, When } from '../../ui/values/when.tsx';
import './search.css';

const PAUSE_MS = 200;

/** Searches schedules, payments, customers and settlements, and opens what is chosen. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const q = useDebounced(text.trim(), PAUSE_MS);
  const search = useSearch(q);
  const found = q === '' ? undefined : search.data;
  const groups = found === undefined ? [] : groupsOf(found).filter(({ lines }) => lines.length > 0);
  const input = useRef<HTMLInputElement>(null);
  const choose = (to: string) => {
    onClose();
    void navigate(to);
  };
  /** Enter opens the first match, unless the arrows have chosen another. It opens no guess. */
  const chooseFirst = () => {
    const isChosen = input.current?.hasAttribute('aria-activedescendant') === true;
    const [group] = groups;
    const first = group?.name === DID_YOU_MEAN ? undefined : group?.lines[0];
    if (!isChosen && first !== undefined && q === text.trim()) choose(first.to);
  };
  return (
    <Dialog isOpen onClose={onClose} title="Search" size="medium">
      <Autocomplete inputValue={text} onInputChange={setText} disableAutoFocusFirst>
        <SearchField
          aria-label="Search everything"
          autoFocus
          className="search-all-field"
          onSubmit={chooseFirst}
        >
          <Input
            ref={input}
            className="input"
            placeholder="Name, description, amount, reference, phone number or ID"
          />
        </SearchField>
        <p className="quiet search-all-state" role="status">
          {stateOf(q, search.error, found)}
        </p>
        <Results groups={groups} onChoose={choose} />
      </Autocomplete>
    </Dialog>
  );
}

function stateOf(q: string, error: unknown, found: Found | undefined): string {
  if (q === '') return 'Finds schedules, payments, customers and settlements.';
  if (error !== null) return errorText(error).advice;
  if (found === undefined) return 'Searching…';
  if (found.did_you_mean.length > 0) return 'Nothing matches exactly.';
  const count = Object.values(found).reduce((sum, list) => sum + list.length, 0);
  if (count === 0)
    return 'Nothing matches. Type three letters or more of a name, or the last four digits of a number.';
  return count === 1 ? '1 match' : `${count} matches`;
}

interface Line {
  to: string;
  title: string;
  detail: ReactNode;
  badge?: ReactNode;
}

interface Group {
  name: string;
  lines: Line[];
}

function Results({
  groups,
  onChoose,
}: {
  groups: readonly Group[];
  onChoose: (to: string) => void;
}) {
  return (
    <ListBox
      aria-label="Results"
      className="search-all-results"
      selectionMode="none"
      onAction={(key) => onChoose(String(key))}
    >
      {groups.map(({ name, lines }) => (
        <ListBoxSection key={name} id={name}>
          <Header className="search-all-group">{name}</Header>
          {lines.map((line) => (
            <ListBoxItem
              key={line.to}
              id={line.to}
              textValue={line.title}
              className="menu-item search-all-item"
            >
              <span className="search-all-words">
                <span>{line.title}</span>
                <span className="quiet">{line.detail}</span>
              </span>
              {line.badge}
            </ListBoxItem>
          ))}
        </ListBoxSection>
      ))}
    </ListBox>
  );
}

const DID_YOU_MEAN = 'Did you mean';

const customerLine = ({ id, label, number, reference }: Found['customers'][number]): Line => ({
  to: `/customers/${id}`,
  title: label,
  detail: reference === null ? number : `${number} · ${reference}`,
});

function groupsOf(found: Found): Group[] {
  return [
    { name: 'Customers', lines: found.customers.map(customerLine) },
    { name: DID_YOU_MEAN, lines: found.did_you_mean.map(customerLine) },
    {
      name: 'Schedules',
      lines: found.schedules.map(({ id, description, customer, amount, status }) => ({
        to: `/schedules/${id}`,
        title: description,
        detail: `${customer.label} · ${formatMoney(amount)}`,
        badge: <StatusBadge status={status} />,
      })),
    },
    {
      name: 'Payments',
      lines: found.payments.map(({ id, description, customer, amount, status, due_date }) => ({
        to: `/payments/${id}`,
        title: `${formatMoney(amount)} for ${description}`,
        detail: (
          <>
            {customer.label} · <When at={due_date} as="date" />
          </>
        ),
        badge: <StatusBadge status={status} of="payment" />,
      })),
    },
    {
      name: 'Settlements',
      lines: found.settlements.map(({ id, amount, status, settlement_date, ...one }) => ({
        to: `/settlements/${id}`,
        title: `${formatMoney(amount)} on ${formatWhen(settlement_date, 'UTC', 'date')}`,
        detail: `On your bank statement: ${one.statement_reference}`,
        badge: <StatusBadge status={status} of="settlement" />,
      })),
    },
  ];
}
