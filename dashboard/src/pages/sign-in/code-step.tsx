import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { enterWithCode } from '../../api/people/sign-in.ts';
import { BRAND } from '../../ui/brand.tsx';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/fields/form.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';

interface CodeStepProps {
  onEntered: () => void;
  /** Goes back to the password. */
  onBack?: () => void;
}

/** Asks for the second factor. */
export function CodeStep({ onEntered, onBack }: CodeStepProps) {
  const [kind, setKind] = useState<'totp' | 'backup'>('totp');
  const form = useForm({ defaultValues: { code: '' } });
  const isBackup = kind === 'backup';
  const change = () => {
    form.reset();
    setKind(isBackup ? 'totp' : 'backup');
  };
  return (
    <Form
      form={form}
      onSubmit={async ({ code }) => {
        await enterWithCode(kind, code);
        onEntered();
      }}
    >
      <TextField
        key={kind}
        control={form.control}
        name="code"
        label={isBackup ? 'Backup code' : 'Six-digit code'}
        description={
          isBackup
            ? 'One of the codes you saved when you set up two-factor sign-in. Each works once.'
            : `Open your authenticator app and enter the code for ${BRAND}.`
        }
        rules={{ required: 'Enter the code.' }}
        inputMode={isBackup ? 'text' : 'numeric'}
        autoComplete={isBackup ? 'off' : 'one-time-code'}
        maxLength={isBackup ? 32 : 7}
        isCode
        autoFocus
      />
      <Button variant="primary" type="submit" isPending={form.formState.isSubmitting}>
        Sign in
      </Button>
      <div className="door-links">
        <Button variant="ghost" size="small" onPress={change}>
          {isBackup ? 'Use a code from the app' : 'Use a backup code'}
        </Button>
        {onBack === undefined ? null : (
          <Button variant="ghost" size="small" onPress={onBack}>
            Start again
          </Button>
        )}
      </div>
    </Form>
  );
}
