import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { forgetPassword } from '../../api/people/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/fields/form.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

function Outcome({ byEmail }: { byEmail: boolean }) {
  return byEmail ? (
    <Notice tone="success" title="Check your email">
      If this address belongs to a member of a team, we have sent a link to it. The link works once,
      for an hour. You can ask for another one in five minutes.
    </Notice>
  ) : (
    <Notice tone="info" title="This service sends no email">
      An owner of your team can create a reset link for you under Settings, Team.
    </Notice>
  );
}

/** /forgotten-password */
export function ForgottenPasswordPage() {
  const [byEmail, setByEmail] = useState<boolean | null>(null);
  const form = useForm({ defaultValues: { email: '' } });
  return (
    <SignInFrame title="Forgotten your password?" lead="We email you a link to choose a new one.">
      <div className="stack">
        {byEmail === null ? (
          <Form
            form={form}
            onSubmit={async ({ email }) => setByEmail(await forgetPassword(email.trim()))}
          >
            <TextField
              control={form.control}
              name="email"
              label="Email address"
              type="email"
              autoComplete="username"
              rules={{ required: 'Enter your email address.' }}
            />
            <Button variant="primary" type="submit" isPending={form.formState.isSubmitting}>
              Email me a link
            </Button>
          </Form>
        ) : (
          <Outcome byEmail={byEmail} />
        )}
        <p className="quiet small">
          <Link to="/sign-in">Back to sign-in</Link>
        </p>
      </div>
    </SignInFrame>
  );
}
