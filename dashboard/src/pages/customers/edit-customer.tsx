import { useForm } from 'react-hook-form';
import type { CustomerDetail } from '../../../../server/src/dashboard/customers/view.ts';
import { useUpdateCustomer } from '../../api/customers.ts';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { toast } from '../../ui/overlays/toast.tsx';

interface Values {
  name: string;
  email: string;
  reference: string;
  notes: string;
}

/** Edits what the team knows about a customer. */
export function EditCustomer({
  customer,
  onClose,
}: {
  customer: CustomerDetail;
  onClose: () => void;
}) {
  const { name, email, reference, notes } = customer;
  const form = useForm<Values>({
    defaultValues: {
      name: name ?? '',
      email: email ?? '',
      reference: reference ?? '',
      notes: notes ?? '',
    },
  });
  const update = useUpdateCustomer(customer.id);
  const { control } = form;
  return (
    <FormDialog
      onClose={onClose}
      title="Edit customer"
      form={form}
      onSubmit={async (values) => {
        await update.mutateAsync(values);
        toast('Customer saved.', 'success');
      }}
      confirmLabel="Save customer"
      needsChange
    >
      <TextField control={control} name="name" label="Name" maxLength={140} autoFocus />
      <TextField
        control={control}
        name="email"
        label="Email address"
        type="email"
        maxLength={254}
      />
      <TextField
        control={control}
        name="reference"
        label="Your reference"
        description="Your own number or ID for this customer."
        maxLength={100}
      />
      <TextArea
        control={control}
        name="notes"
        label="Notes"
        description="For your team. Customers never see them."
        rows={5}
        maxLength={5000}
      />
    </FormDialog>
  );
}
