import { RecollectError } from '@recollect/sdk';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSearchParams } from 'react-router';
import { setPassword } from '../../api/people/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/fields/form.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { CodeStep } from './code-step.tsx';
import { useEnter } from './enter.ts';
import { DeadLink } from './join-page.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

type Step = 'password' | 'code' | 'dead';

/** /new-password?token=… */
export function NewPasswordPage() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const [step, setStep] = useState<Step>(token === '' ? 'dead' : 'password');
  const form = useForm({ defaultValues: { password: '' } });
  const enter = useEnter();
  const change = async ({ password }: { password: string }) => {
    try {
      const { needsCode } = await setPassword(token, password);
      toast('Your new password is set.', 'success');
      if (needsCode) setStep('code');
      else enter();
    } catch (error) {
      if (!(error instanceof RecollectError && error.status === 404)) throw error;
      setStep('dead');
    }
  };
  if (step === 'dead')
    return (
      <DeadLink
        title="This link is no longer valid"
        advice="Password reset links work once and expire. Ask for a new one on the sign-in page."
      />
    );
  if (step === 'code')
    return (
      <SignInFrame title="One more step" lead="Your account is protected by two-factor sign-in.">
        <CodeStep onEntered={enter} />
      </SignInFrame>
    );
  return (
    <SignInFrame
      title="Choose a new password"
      lead="You will be signed in here and signed out everywhere else."
    >
      <Form form={form} onSubmit={change}>
        <PasswordField
          control={form.control}
          name="password"
          label="New password"
          autoComplete="new-password"
          rules={{ required: 'Choose a password.' }}
        />
        <Button variant="primary" type="submit" isPending={form.formState.isSubmitting}>
          Set the password and sign in
        </Button>
      </Form>
    </SignInFrame>
  );
}
