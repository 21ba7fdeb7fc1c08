import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { type Operator, useSetRoles } from '../../api/operators.ts';
import { ReasonField } from '../../decision-dialog.tsx';
import { useMay } from '../../session.tsx';
import { RolesField } from './roles-field.tsx';

function RolesDialog({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const set = useSetRoles(operator.id);
  const form = useForm({ defaultValues: { roles: operator.roles, reason: '' } });
  return (
    <FormDialog
      onClose={onClose}
      title={`Roles of ${operator.name}`}
      form={form}
      onSubmit={async ({ roles, reason }) => {
        const { request } = await set.mutateAsync({ roles, reason: reason.trim() });
        toast(
          request === null ? 'The roles are saved.' : 'A second operator must agree.',
          'success',
        );
      }}
      confirmLabel="Save"
    >
      <p>Fewer roles count at once. More of them take a second operator.</p>
      <RolesField control={form.control} name="roles" />
      <ReasonField control={form.control} name="reason" />
    </FormDialog>
  );
}

/** What an operator may do. */
export function RolesCard({ operator }: { operator: Operator }) {
  const [isOpen, setOpen] = useState(false);
  const may = useMay('security') && operator.removed_at === null;
  return (
    <Card
      title="Roles"
      actions={
        may ? (
          <Button size="small" onPress={() => setOpen(true)}>
            Change roles…
          </Button>
        ) : undefined
      }
    >
      <p>{operator.roles.join(', ')}</p>
      {isOpen ? <RolesDialog operator={operator} onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}
