import { useState } from 'react';
import { Link } from 'react-router';
import { REASONS, STATUSES } from '../../pages/disputes/dispute-words.ts';
import { ListPage } from '../../pages/lists/list-page.tsx';
import { useUrlFilter } from '../../pages/lists/url-filter.ts';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/data/data-table.tsx';
import { choicesOf } from '../../ui/fields/choices.ts';
import { FilterSelect } from '../../ui/fields/filter-select.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { type DisputeOfAll, useDisputesOfAll, useTakeCaseFile } from '../api/disputes.ts';
import { DecisionDialog } from '../decision-dialog.tsx';
import { For } from '../session.tsx';

function columns(choose: (dispute: DisputeOfAll) => void): Column<DisputeOfAll>[] {
  return [
    {
      header: 'Merchant',
      cell: (one) => <Link to={`/merchants/${one.merchant_id}`}>{one.merchant_name}</Link>,
    },
    { header: 'Reason', cell: ({ reason }) => REASONS[reason] },
    { header: 'Status', cell: ({ status }) => <StatusBadge status={status} of="dispute" /> },
    { header: 'Raised', cell: ({ created_at: at }) => <When at={at} as="datetime" /> },
    { header: 'Answer by', cell: ({ deadline }) => <When at={deadline} as="datetime" /> },
    { header: 'Payment', cell: ({ payment_id: id }) => <code>{id}</code> },
    { header: 'Amount', align: 'end', cell: ({ amount }) => <Money amount={amount} /> },
    {
      header: 'Actions',
      align: 'end',
      cell: (dispute) => (
        <For may="support">
          <Button size="small" onPress={() => choose(dispute)}>
            Case file…
          </Button>
        </For>
      ),
    },
  ];
}

/** The disputes of all merchants, by deadline. Merchants answer them; operators see which are late, and take case files. */
export function DisputesPage() {
  const url = useUrlFilter(['status']);
  const status = url.values.status || 'open';
  const take = useTakeCaseFile();
  const [chosen, setChosen] = useState<DisputeOfAll | null>(null);
  return (
    <ListPage
      title="Disputes"
      lead="Merchants answer them by the deadline. The nearest comes first."
      filters={
        <FilterSelect
          label="Status"
          {...url.field('status')}
          value={status}
          options={choicesOf(STATUSES)}
        />
      }
      url={url}
      query={useDisputesOfAll(status)}
      columns={columns(setChosen)}
      unmatched={{ title: 'No disputes in this status' }}
      empty={{ title: 'No open disputes' }}
    >
      {chosen === null ? null : (
        <DecisionDialog
          title="Take this case file?"
          confirmLabel="Download"
          onClose={() => setChosen(null)}
          onDecide={async (reason) => {
            const {
              name,
              media_type: type,
              content,
            } = await take.mutateAsync({
              id: chosen.id,
              reason,
            });
            const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
            saveFile(name, bytes, type);
          }}
        >
          It names the customer. That you took it, and why, is recorded.
        </DecisionDialog>
      )}
    </ListPage>
  );
}
