import type { LedgerEntry } from '../../../../server/src/dashboard/payments/view.ts';
import { DataTable } from '../../ui/data/data-table.tsx';
import { Id } from '../../ui/values/id.tsx';
import { Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { accountWords, transferWords } from './outcome-words.ts';

/** Transfers of the ledger: from which account (debit) to which (credit). */
export function LedgerEntries({ entries, none }: { entries: LedgerEntry[]; none: string }) {
  if (entries.length === 0) return <p className="quiet">{none}</p>;
  return (
    <div className="framed">
      <DataTable<LedgerEntry>
        label="Ledger entries"
        rows={entries}
        rowKey={(entry) => entry.id}
        columns={[
          { header: 'Entry', cell: (entry) => transferWords(entry.kind) },
          {
            header: 'Debit → credit',
            cell: ({ debit, credit }) =>
              `${accountWords(debit.kind)} → ${accountWords(credit.kind)}`,
          },
          { header: 'When', cell: (entry) => <When at={entry.at} as="datetime" /> },
          { header: 'Transfer', cell: (entry) => <Id value={entry.id} /> },
          { header: 'Amount', align: 'end', cell: (entry) => <Money amount={entry.amount} /> },
        ]}
      />
    </div>
  );
}
