import type { CustomerErasure } from '@recollect/sdk';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CheckboxField } from '../../ui/fields/checkbox-field.tsx';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { saveFile } from '../../ui/save-file.ts';

interface PersonalDataProps {
  customerId: string;
  /** How the title of the dialog calls the customer. */
  label: string;
  isErased: boolean;
  /** Fetches everything that is held of them. */
  onExport: (reason: string) => Promise<unknown>;
  onErase: (erasure: Required<CustomerErasure>) => Promise<unknown>;
}

type DialogProps<K extends keyof PersonalDataProps> = Pick<PersonalDataProps, K> & {
  onClose: () => void;
};

const REASON = {
  name: 'reason',
  label: 'Reason',
  description: 'Who asked for it, and when. It is kept in the activity, so name nobody here.',
  maxLength: 500,
  rules: { required: 'Say who asked for it, and when.' },
} as const;

function ExportDialog({
  customerId,
  label,
  onExport,
  onClose,
}: DialogProps<'customerId' | 'label' | 'onExport'>) {
  const form = useForm({ defaultValues: { reason: '' } });
  return (
    <FormDialog
      onClose={onClose}
      title={`Export the data of ${label}`}
      size="small"
      form={form}
      onSubmit={async ({ reason }) => {
        const held = await onExport(reason.trim());
        saveFile(`${customerId}.json`, JSON.stringify(held, null, 2), 'application/json');
      }}
      confirmLabel="Download data"
    >
      <p>
        The file holds everything that is stored about this customer. Hand it to nobody but them.
      </p>
      <TextField control={form.control} {...REASON} />
    </FormDialog>
  );
}

function EraseDialog({ label, onErase, onClose }: DialogProps<'label' | 'onErase'>) {
  const form = useForm({ defaultValues: { reason: '', metadata: false, confirmed: '' } });
  return (
    <FormDialog
      onClose={onClose}
      title={`Erase ${label}?`}
      form={form}
      onSubmit={async ({ reason, metadata }) => {
        await onErase({ reason: reason.trim(), metadata });
        toast('The personal data is erased.', 'success');
      }}
      confirmLabel="Erase for good"
      tone="danger"
    >
      <Notice tone="danger" title="This cannot be undone">
        Name, phone number, email address, bank account, reference and notes are deleted everywhere.
        Payments, refunds and settlements stay, under the customer’s ID.
      </Notice>
      <TextField control={form.control} {...REASON} />
      <CheckboxField
        control={form.control}
        name="metadata"
        label="Erase the metadata of their schedules too"
      />
      <TextField
        control={form.control}
        name="confirmed"
        label="Type ERASE to confirm"
        autoComplete="off"
        rules={{ validate: (text) => text === 'ERASE' || 'Type ERASE in capital letters.' }}
      />
    </FormDialog>
  );
}

/** What a customer may ask for: a copy of what is held of them, and its erasure. */
export function PersonalData(props: PersonalDataProps) {
  const [open, setOpen] = useState<'export' | 'erase' | null>(null);
  const close = () => setOpen(null);
  return (
    <Card title="Personal data">
      <div className="stack">
        <p className="quiet">
          For a customer who asks what is held of them, or asks to be forgotten.
        </p>
        <div className="actions">
          <Button onPress={() => setOpen('export')}>Export their data…</Button>
          <Button variant="danger" onPress={() => setOpen('erase')} isDisabled={props.isErased}>
            Erase…
          </Button>
        </div>
      </div>
      {open === 'export' ? <ExportDialog {...props} onClose={close} /> : null}
      {open === 'erase' ? <EraseDialog {...props} onClose={close} /> : null}
    </Card>
  );
}
