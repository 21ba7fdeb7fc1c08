import { useForm } from 'react-hook-form';
import { FormDialog, type FormDialogProps } from '../../../ui/fields/form-dialog.tsx';
import { YourPassword } from './your-password.tsx';

interface PasswordFormValues {
  password: string;
}

interface PasswordDialogProps
  extends Omit<FormDialogProps<PasswordFormValues>, 'form' | 'aliases' | 'onSubmit'> {
  /** As `onSubmit` of a FormDialog. */
  onPassword: (password: string) => Promise<unknown>;
}

/** Says what will happen, and asks for the password. */
export function PasswordDialog({ onPassword, children, ...dialog }: PasswordDialogProps) {
  const form = useForm<PasswordFormValues>({ defaultValues: { password: '' } });
  return (
    <FormDialog {...dialog} form={form} onSubmit={({ password }) => onPassword(password)}>
      {children}
      <YourPassword control={form.control} name="password" autoFocus />
    </FormDialog>
  );
}
