import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { DataTable } from '../../../ui/data/data-table.tsx';
import { Empty } from '../../../ui/data/empty.tsx';
import { AmountField } from '../../../ui/fields/amount-field.tsx';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { formatMoney } from '../../../ui/values/money.tsx';
import { When } from '../../../ui/values/when.tsx';
import { type Fees, type Merchant, useSetFees } from '../../api/merchants.ts';
import { For } from '../../session.tsx';

const PER_CENT = 100;
const PERCENTAGE = /^\d{1,3}(\.\d{1,2})?$/;

function FeesDialog({ merchant, onClose }: { merchant: Merchant; onClose: () => void }) {
  const set = useSetFees(merchant.id);
  const latest = merchant.fees.at(-1);
  const form = useForm({
    defaultValues: {
      fixed_pence: latest?.fixed_pence ?? 0,
      percentage: String((latest?.basis_points ?? 0) / PER_CENT),
      from: '',
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Set fees"
      size="small"
      form={form}
      onSubmit={async ({ fixed_pence, percentage, from }) => {
        const basis_points = Math.round(Number(percentage) * PER_CENT);
        await set.mutateAsync({ fixed_pence, basis_points, ...(from === '' ? {} : { from }) });
        toast('Fees are set.', 'success');
      }}
      confirmLabel="Set fees"
    >
      <AmountField
        control={form.control}
        name="fixed_pence"
        label="Fixed part of each collection"
        allowsZero
      />
      <TextField
        control={form.control}
        name="percentage"
        label="Share of the amount, in per cent"
        inputMode="decimal"
        rules={{
          validate: (text) =>
            (PERCENTAGE.test(String(text)) && Number(text) <= PER_CENT) ||
            'Enter 0 to 100, with up to two decimals.',
        }}
      />
      <TextField
        control={form.control}
        name="from"
        label="From"
        type="date"
        description="A day in London; tomorrow if left empty."
        isRequired={false}
      />
    </FormDialog>
  );
}

/** What the operator takes of each collection, and from when on. */
export function FeesCard({ merchant }: { merchant: Merchant }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title="Fees"
      isFlush
      actions={
        <For may="payments">
          <Button size="small" onPress={() => setOpen(true)}>
            Set fees…
          </Button>
        </For>
      }
    >
      {merchant.fees.length === 0 ? (
        <Empty title="No fees" />
      ) : (
        <DataTable<Fees>
          label="Fees"
          rows={merchant.fees.toReversed()}
          rowKey={({ from }) => from}
          columns={[
            { header: 'From', cell: ({ from }) => <When at={from} as="date" /> },
            {
              header: 'Fixed part',
              cell: ({ fixed_pence: value }) => formatMoney({ value, currency: 'GBP' }),
            },
            {
              header: 'Share',
              cell: ({ basis_points }) => `${(basis_points / PER_CENT).toFixed(2)} %`,
            },
          ]}
        />
      )}
      {isOpen ? <FeesDialog merchant={merchant} onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}
