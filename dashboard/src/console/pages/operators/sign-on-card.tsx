import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { When } from '../../../ui/values/when.tsx';
import { type Operator, useSetEmail } from '../../api/operators.ts';
import { ReasonField } from '../../decision-dialog.tsx';
import { useMay, useMe } from '../../session.tsx';

function EmailDialog({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const set = useSetEmail(operator.id);
  const form = useForm({ defaultValues: { email: operator.email ?? '', reason: '' } });
  return (
    <FormDialog
      onClose={onClose}
      title="Single sign-on"
      size="small"
      form={form}
      onSubmit={async ({ email, reason }) => {
        const change = { email: email.trim() || null, reason: reason.trim() };
        const { request } = await set.mutateAsync(change);
        toast(
          request === null ? 'The address is saved.' : 'A second operator must agree.',
          'success',
        );
      }}
      confirmLabel="Save"
    >
      <TextField
        control={form.control}
        name="email"
        label="Email address at your company’s sign-in"
        type="email"
        isRequired={false}
        description="Notices go there too. Empty ends single sign-on. Another’s address takes a second operator."
        autoFocus
      />
      <ReasonField control={form.control} name="reason" />
    </FormDialog>
  );
}

/** By which address an operator signs in through the identity provider. */
export function SignOnCard({ operator }: { operator: Operator }) {
  const [isOpen, setOpen] = useState(false);
  const { email, linked_at, removed_at } = operator;
  const isOwn = useMe().id === operator.id;
  const may = useMay('security') || isOwn;
  return (
    <Card
      title="Single sign-on"
      actions={
        removed_at === null && may ? (
          <Button size="small" onPress={() => setOpen(true)}>
            {email === null ? 'Set address…' : 'Change…'}
          </Button>
        ) : undefined
      }
    >
      {email === null ? (
        <p className="quiet">No address: this operator signs in with a key.</p>
      ) : (
        <p>
          {email},{' '}
          {linked_at === null ? (
            'not used yet'
          ) : (
            <>
              linked <When at={linked_at} as="relative" clock="real" />
            </>
          )}
        </p>
      )}
      {isOpen ? <EmailDialog operator={operator} onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}
