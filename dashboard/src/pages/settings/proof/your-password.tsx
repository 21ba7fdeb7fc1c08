import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { useEmail, useNoPasswordHint } from '../../../app/session-context.ts';
import { PasswordField } from '../../../ui/fields/password-field.tsx';

interface YourPasswordProps<V extends FieldValues> {
  control: Control<V>;
  name: FieldPath<V>;
  autoFocus?: boolean;
}

/** Asks for the signed-in user's password; includes their email address, so that a password manager offers the right one. */
export function YourPassword<V extends FieldValues>(props: YourPasswordProps<V>) {
  const email = useEmail();
  return (
    <>
      {email === null ? null : (
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      )}
      <PasswordField
        {...props}
        label="Your password"
        description={useNoPasswordHint()}
        autoComplete="current-password"
        rules={{ required: 'Enter your password.' }}
      />
    </>
  );
}
