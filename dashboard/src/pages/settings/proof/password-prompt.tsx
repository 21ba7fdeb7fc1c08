import type { ReactNode } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { DialogActions } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { YourPassword } from './your-password.tsx';

interface Asked {
  password: string;
}

interface PasswordPromptProps {
  form: UseFormReturn<Asked>;
  /** What will happen. */
  children: ReactNode;
  confirmLabel: string;
  tone?: 'primary' | 'danger';
  onCancel: () => void;
  /** If it throws, the error is shown and the prompt stays open. */
  onPassword: (password: string) => Promise<unknown>;
}

/** Returns the form of a PasswordPrompt. While it is submitted, the dialog around it is busy. */
export function usePasswordForm(): UseFormReturn<Asked> {
  return useForm<Asked>({ defaultValues: { password: '' } });
}

/** Asks for the password before a sensitive action; goes into a Dialog. */
export function PasswordPrompt(props: PasswordPromptProps) {
  const { form } = props;
  const { isSubmitting } = form.formState;
  return (
    <Form form={form} onSubmit={({ password }) => props.onPassword(password)}>
      {props.children}
      <YourPassword control={form.control} name="password" autoFocus />
      <DialogActions>
        <Button onPress={props.onCancel} isDisabled={isSubmitting}>
          Cancel
        </Button>
        <Button variant={props.tone ?? 'primary'} type="submit" isPending={isSubmitting}>
          {props.confirmLabel}
        </Button>
      </DialogActions>
    </Form>
  );
}
