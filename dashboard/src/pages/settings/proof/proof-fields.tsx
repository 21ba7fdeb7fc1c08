import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { YourPassword } from './your-password.tsx';

/** The fields of a form that asks for proof of identity. */
export interface ProofValues {
  password: string;
  code: string;
}

interface ProofFieldsProps {
  control: Control<ProofValues>;
  /** Whether this member has a second factor, which is then required too. */
  withCode: boolean;
  autoFocus?: boolean;
}

interface CodeFieldProps<V extends FieldValues> {
  control: Control<V>;
  name: FieldPath<V>;
}

/** The code of a member who has a second factor. */
export function CodeField<V extends FieldValues>(props: CodeFieldProps<V>) {
  return (
    <TextField
      {...props}
      label="Code"
      description="The code from your authenticator app, or one of your backup codes."
      rules={{ required: 'Enter a code.' }}
      autoComplete="one-time-code"
      maxLength={32}
      isCode
    />
  );
}

/** The password, and a code if the member has a second factor. */
export function ProofFields({ control, withCode, autoFocus = false }: ProofFieldsProps) {
  return (
    <>
      <YourPassword control={control} name="password" autoFocus={autoFocus} />
      {withCode ? <CodeField control={control} name="code" /> : null}
    </>
  );
}

/** Returns the part of it that is sent. */
export function proofOf({ password, code }: ProofValues): { password: string; code?: string } {
  return code.trim() === '' ? { password } : { password, code: code.trim() };
}
