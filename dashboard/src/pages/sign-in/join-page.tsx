import { RecollectError } from '@recollect/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSearchParams } from 'react-router';
import {
  acceptInvitation,
  type InvitationFacts,
  readInvitation,
} from '../../api/people/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/data/error-state.tsx';
import { Skeleton } from '../../ui/data/skeleton.tsx';
import { Form } from '../../ui/fields/form.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ROLE_TEXTS } from '../../ui/role.ts';
import { CodeStep } from './code-step.tsx';
import { useEnter } from './enter.ts';
import { SignInFrame } from './sign-in-frame.tsx';

const DEAD_NOTE =
  'It has been used, withdrawn or has expired. Ask whoever invited you for a new one. If you have already joined, sign in.';

/** Shown for a link that no longer works. */
export function DeadLink({ title, advice }: { title: string; advice: string }) {
  return (
    <SignInFrame title={title}>
      <Notice tone="warning">{advice}</Notice>
      <LinkButton to="/sign-in" variant="primary">
        Go to sign-in
      </LinkButton>
    </SignInFrame>
  );
}

interface AcceptProps {
  token: string;
  facts: InvitationFacts;
  onEntered: () => void;
  onCode: () => void;
}

function Accept({ token, facts, onEntered, onCode }: AcceptProps) {
  const form = useForm({ defaultValues: { name: '', password: '' } });
  // The link says nothing of an account with this address: whoever invited has it too.
  const [isNew, setNew] = useState(true);
  return (
    <Form
      form={form}
      onSubmit={async ({ name, password }) => {
        const { needsCode } = await acceptInvitation({
          token,
          ...(isNew ? { name: name.trim() } : {}),
          password,
        });
        if (needsCode) onCode();
        else onEntered();
      }}
    >
      <p>
        As <strong>{ROLE_TEXTS[facts.role].label}</strong> you can do the following:{' '}
        {ROLE_TEXTS[facts.role].may}
      </p>
      {/* For password managers: which account the password belongs to. */}
      <input type="hidden" name="username" autoComplete="username" value={facts.email} readOnly />
      {isNew ? (
        <TextField
          control={form.control}
          name="name"
          label="Your name"
          description="This is how your team will see you."
          autoComplete="name"
          maxLength={100}
          rules={{ required: 'Enter your name.' }}
        />
      ) : null}
      {isNew ? null : (
        <Notice tone="info" title="Join with your account">
          Joining signs it out everywhere else and removes its passkeys, which you can add again. If
          you did not create the account yourself, stop here and ask whoever runs the service to
          reset it.
        </Notice>
      )}
      <PasswordField
        control={form.control}
        name="password"
        label={isNew ? 'Choose a password' : `Password of ${facts.email}`}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        rules={{ required: isNew ? 'Choose a password.' : 'Enter your password.' }}
      />
      <Button variant="primary" type="submit" isPending={form.formState.isSubmitting}>
        Join {facts.merchant_name}
      </Button>
      <Button
        variant="secondary"
        type="button"
        onPress={() => {
          form.clearErrors();
          setNew(!isNew);
        }}
      >
        {isNew ? 'I have an account already' : 'I am new here'}
      </Button>
    </Form>
  );
}

/** /join?token=… */
export function JoinPage() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const [isAsked, setAsked] = useState(false);
  const enter = useEnter();
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => readInvitation(token),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data: facts, error } = invitation;
  if (isAsked)
    return (
      <SignInFrame title="One more step" lead="Your account is protected by two-factor sign-in.">
        <CodeStep onEntered={enter} />
      </SignInFrame>
    );
  if (error instanceof RecollectError && error.status < 429)
    return <DeadLink title="This invitation is no longer valid" advice={DEAD_NOTE} />;
  return (
    <SignInFrame
      title={facts === undefined ? 'Your invitation' : `Join ${facts.merchant_name}`}
      lead={facts === undefined ? undefined : `You were invited as ${facts.email}.`}
    >
      {facts !== undefined ? (
        <Accept {...{ token, facts }} onEntered={enter} onCode={() => setAsked(true)} />
      ) : error !== null ? (
        <ErrorState error={error} onRetry={() => void invitation.refetch()} />
      ) : (
        <Skeleton />
      )}
    </SignInFrame>
  );
}
