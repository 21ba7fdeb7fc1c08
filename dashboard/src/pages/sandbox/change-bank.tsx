import type { SandboxBank } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { useChangeBank } from '../../api/sandbox.ts';
import { CheckboxGroup } from '../../ui/fields/checkbox-group.tsx';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { BANK_BEHAVIOURS } from './behaviours.ts';

interface Props {
  bank: SandboxBank;
  onClose: () => void;
}

/** Sets how a whole bank behaves, for all of its accounts. */
export function ChangeBank({ bank, onClose }: Props) {
  const form = useForm<{ behaviours: string[] }>({
    defaultValues: { behaviours: bank.behaviours },
  });
  const change = useChangeBank();
  return (
    <FormDialog
      onClose={onClose}
      title={`How ${bank.name} behaves`}
      form={form}
      onSubmit={async ({ behaviours }) => {
        await change.mutateAsync({ bankId: bank.bank_id, behaviours });
        toast(`${bank.name} updated.`, 'success');
      }}
      confirmLabel="Save bank"
      needsChange
    >
      <CheckboxGroup
        control={form.control}
        name="behaviours"
        label="For every account at this bank"
        options={BANK_BEHAVIOURS.map(({ name, label, summary }) => ({
          value: name,
          label,
          description: summary,
        }))}
      />
    </FormDialog>
  );
}
