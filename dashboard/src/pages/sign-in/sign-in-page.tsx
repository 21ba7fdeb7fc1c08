import { useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { Link, useSearchParams } from 'react-router';
import { canUsePasskeys, enterWithPasskey } from '../../api/people/passkeys.ts';
import { enterWithPassword } from '../../api/people/sign-in.ts';
import { rememberedSso, ssoAddress } from '../../api/people/sso.ts';
import { Button } from '../../ui/button.tsx';
import { applyApiError, Form } from '../../ui/fields/form.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { KeyRound, LogIn } from '../../ui/icons.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { CodeStep } from './code-step.tsx';
import { useEnter } from './enter.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import { SignInProblem } from './sign-in-problem.tsx';

interface Credentials {
  email: string;
  password: string;
}

/** Leads to the provider of the team that this browser was signed in by before, or asks for the team. */
function SsoLink() {
  const [search] = useSearchParams();
  const team = rememberedSso();
  if (team === null)
    return (
      <p className="quiet small">
        <Link to="/single-sign-on">Use single sign-on</Link>
      </p>
    );
  return (
    <LinkButton href={ssoAddress(team, search.get('next'))}>
      <LogIn aria-hidden="true" />
      Sign in with your company’s account
    </LinkButton>
  );
}

function PasskeyButton({
  form,
  onEntered,
}: {
  form: UseFormReturn<Credentials>;
  onEntered: () => void;
}) {
  const [isPending, setPending] = useState(false);
  const enter = async () => {
    setPending(true);
    form.clearErrors();
    try {
      if (await enterWithPasskey()) onEntered();
    } catch (error) {
      applyApiError(form, error);
    } finally {
      setPending(false);
    }
  };
  return (
    <Button onPress={() => void enter()} isPending={isPending}>
      <KeyRound aria-hidden="true" />
      Sign in with a passkey
    </Button>
  );
}

function PasswordStep({ onEntered, onCode }: { onEntered: () => void; onCode: () => void }) {
  const form = useForm<Credentials>({ defaultValues: { email: '', password: '' } });
  return (
    <div className="stack">
      <SignInProblem />
      <Form
        form={form}
        onSubmit={async ({ email, password }) => {
          const { needsCode } = await enterWithPassword(email.trim(), password);
          if (needsCode) onCode();
          else onEntered();
        }}
      >
        <TextField
          control={form.control}
          name="email"
          label="Email address"
          type="email"
          autoComplete="username"
          rules={{ required: 'Enter your email address.' }}
        />
        <PasswordField
          control={form.control}
          name="password"
          label="Password"
          autoComplete="current-password"
          rules={{ required: 'Enter your password.' }}
        />
        <Button variant="primary" type="submit" isPending={form.formState.isSubmitting}>
          Sign in
        </Button>
      </Form>
      {canUsePasskeys ? (
        <>
          <p className="door-or">or</p>
          <PasskeyButton form={form} onEntered={onEntered} />
        </>
      ) : null}
      <SsoLink />
      <p className="quiet small">
        <Link to="/forgotten-password">Forgotten your password?</Link>
      </p>
    </div>
  );
}

/** /sign-in */
export function SignInPage() {
  const [isAsked, setAsked] = useState(false);
  const enter = useEnter();
  if (isAsked)
    return (
      <SignInFrame title="One more step" lead="Your account is protected by two-factor sign-in.">
        <CodeStep onEntered={enter} onBack={() => setAsked(false)} />
      </SignInFrame>
    );
  return (
    <SignInFrame title="Sign in" lead="Welcome back to your dashboard.">
      <PasswordStep onEntered={enter} onCode={() => setAsked(true)} />
    </SignInFrame>
  );
}
