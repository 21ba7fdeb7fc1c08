import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { YourPassword } from './your-password.tsx';

interface PasswordPromptProps {
  /** What will happen. */
  children: ReactNode;
  confirmLabel: string;
  tone?: 'primary' | 'danger';
  onCancel: () => void;
  /** What it throws is shown, and the prompt stays. */
  onPassword: (password: string) => Promise<unknown>;
}

/** Asks for the password before something that matters; goes into a Dialog. */
export function PasswordPrompt(props: PasswordPromptProps) {
  const form = useForm({ defaultValues: { password: '' } });
  return (
    <Form form={form} onSubmit={({ password }) => props.onPassword(password)}>
      {props.children}
      <YourPassword control={form.control} name="password" autoFocus />
      <DialogActions>
        <Button onPress={props.onCancel}>Cancel</Button>
        <Button
          variant={props.tone ?? 'primary'}
          type="submit"
          isPending={form.formState.isSubmitting}
        >
          {props.confirmLabel}
        </Button>
      </DialogActions>
    </Form>
  );
}
