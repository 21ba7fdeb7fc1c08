import { useForm } from 'react-hook-form';
import { useSearchParams } from 'react-router';
import { useEnter } from '../../pages/sign-in/enter.ts';
import { ProblemNotice, type Problems } from '../../pages/sign-in/problem-notice.tsx';
import { Wordmark } from '../../ui/brand.tsx';
import { Button } from '../../ui/button.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Form } from '../../ui/fields/form.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { LogIn } from '../../ui/icons.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useTitle } from '../../ui/page.tsx';
import { signIn, ssoAddress, useSignInWays } from '../api/client.ts';

const TITLE = 'Operators’ console';

const PROBLEMS: Problems = {
  failed: [
    'Your company’s sign-in didn’t work',
    'Try again in a moment. If it keeps happening, the service’s log says why.',
  ],
  declined: ['You didn’t sign in', 'Your company’s sign-in page sent you back. Try again.'],
  late: ['That took too long', 'Start again in this browser.'],
  unverified: [
    'Your email address isn’t verified',
    'Your company’s sign-in has to confirm your email address. Ask whoever runs it.',
  ],
  stranger: [
    'You aren’t an operator yet',
    'Ask another operator to enter your email address under Operators.',
  ],
  other_account: [
    'This email address belongs to another account',
    'It was used with another account of your company’s sign-in before. Ask another operator to set your email address again.',
  ],
};

function SsoButton() {
  const [search] = useSearchParams();
  return (
    <LinkButton variant="primary" href={ssoAddress(search.get('next'))}>
      <LogIn aria-hidden="true" />
      Sign in with your company’s account
    </LinkButton>
  );
}

function KeyForm({ isOnly }: { isOnly: boolean }) {
  const enter = useEnter();
  const form = useForm({ defaultValues: { key: '' } });
  return (
    <>
      <Form
        form={form}
        onSubmit={async ({ key }) => {
          await signIn(key);
          enter();
        }}
      >
        <TextField
          control={form.control}
          name="key"
          label="Your operator’s key"
          type="password"
          description="It begins with ro_. You stay signed in for a while, in this browser alone."
          rules={{ required: 'Enter your key.' }}
        />
        <Button
          variant={isOnly ? 'primary' : 'secondary'}
          type="submit"
          isPending={form.formState.isSubmitting}
        >
          Sign in
        </Button>
      </Form>
      <Notice tone="info" title="No key yet?">
        Two operators can send you a first key under Operators. On the service’s machine, this
        command makes the first two: <code>recollect operator create "Your Name"</code>. In the
        sandbox it is <code>operator_key</code> in <code>sandbox.json</code>.
      </Notice>
    </>
  );
}

/** /sign-in */
export function SignInPage() {
  const ways = useSignInWays();
  useTitle(TITLE);
  return (
    <main id="main" className="page lost" tabIndex={-1}>
      <p className="brand">
        <Wordmark />
      </p>
      <h1 tabIndex={-1}>{TITLE}</h1>
      <ProblemNotice problems={PROBLEMS} />
      <QueryView query={ways}>
        {({ sso, key }) => (
          <div className="stack">
            {sso ? <SsoButton /> : null}
            {key ? <KeyForm isOnly={!sso} /> : null}
          </div>
        )}
      </QueryView>
    </main>
  );
}
