import { useForm } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { Form } from '../../ui/fields/form.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { type FoundCustomer, type FoundCustomers, useFindCustomers } from '../api/customers.ts';

function Matches({ data: rows, has_more: hasMore }: FoundCustomers) {
  if (rows.length === 0)
    return (
      <Card>
        <Empty title="No customers match" />
      </Card>
    );
  return (
    <Card
      title="Customers found"
      lead={
        hasMore ? 'More customers match. Type more of what you know to find the others.' : undefined
      }
      isFlush
    >
      <DataTable<FoundCustomer>
        label="Customers"
        rows={rows}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/customers/${id}`}
        columns={[
          { header: 'Name', cell: ({ name }) => name ?? '–' },
          { header: 'Number', cell: ({ number }) => number },
          { header: 'Reference', cell: ({ reference }) => reference ?? '–' },
          { header: 'Merchant', cell: ({ merchant_name }) => merchant_name },
        ]}
      />
    </Card>
  );
}

/** Finds customers of all merchants. What is typed here stays out of the address, because it may name a person. */
export function FindCustomer({ searched }: { searched: string }) {
  const search = useFindCustomers();
  const form = useForm({ defaultValues: { q: searched, reason: '' } });
  return (
    <>
      <Card title="Find a customer">
        <Form
          form={form}
          onSubmit={({ q, reason }) => search.mutateAsync({ q: q.trim(), reason: reason.trim() })}
        >
          <TextField
            control={form.control}
            name="q"
            label="Name, phone number, email or reference"
            description="Three letters or more of a name, or the last four digits of a number. Shows ten at most."
            autoComplete="off"
            maxLength={200}
            rules={{ required: 'Enter what you know of the customer.' }}
          />
          <TextField
            control={form.control}
            name="reason"
            label="Reason"
            description="Who asked, and when. It is kept in the activity of each customer shown, so name nobody here."
            maxLength={500}
            rules={{ required: 'Say who asked, and when.' }}
          />
          <div className="actions">
            <Button type="submit" variant="primary" isPending={form.formState.isSubmitting}>
              Find customers
            </Button>
          </div>
        </Form>
      </Card>
      {search.data === undefined ? null : <Matches {...search.data} />}
    </>
  );
}
