import { useForm } from 'react-hook-form';
import { changePassword } from '../../../api/people/sign-in.ts';
import { queryClient, renew } from '../../../app/query-client.ts';
import { useMe } from '../../../app/session.tsx';
import { useNoPasswordHint } from '../../../app/session-context.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Form, FormActions } from '../../../ui/fields/form.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';

/** Changes the member's password. */
export function PasswordCard() {
  const { user } = useMe();
  const form = useForm({ defaultValues: { current: '', next: '' } });
  const change = async ({ current, next }: { current: string; next: string }) => {
    await changePassword(current, next);
    form.reset();
    await renew(queryClient);
    toast('Password changed. You are signed out everywhere else.', 'success');
  };
  return (
    <Card title="Password" lead="Changing it signs you out everywhere else.">
      <Form form={form} onSubmit={change}>
        <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
        <div className="form-row">
          <PasswordField
            control={form.control}
            name="current"
            label="Current password"
            description={useNoPasswordHint()}
            autoComplete="current-password"
            rules={{ required: 'Enter your current password.' }}
          />
          <PasswordField
            control={form.control}
            name="next"
            label="New password"
            autoComplete="new-password"
            rules={{ required: 'Choose a new password.' }}
          />
        </div>
        <FormActions>
          <Button variant="primary" type="submit" isPending={form.formState.isSubmitting}>
            Change password
          </Button>
        </FormActions>
      </Form>
    </Card>
  );
}
