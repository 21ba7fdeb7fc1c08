import { useForm } from 'react-hook-form';
import { useEnter } from '../../pages/sign-in/enter.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { Logo } from '../../ui/logo.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useTitle } from '../../ui/page.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { signIn } from '../api/client.ts';

const TITLE = 'Operators’ console';

/** /sign-in */
export function SignInPage() {
  const enter = useEnter();
  const form = useForm({ defaultValues: { key: '' } });
  useTitle(TITLE);
  return (
    <main id="main" className="page lost" tabIndex={-1}>
      <p className="brand">
        <Logo /> Recollect
      </p>
      <h1 tabIndex={-1}>{TITLE}</h1>
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
          description="It begins with ro_. You stay signed in for 12 hours, in this browser alone."
          rules={{ required: 'Enter your key.' }}
        />
        <Button variant="primary" type="submit" isPending={form.formState.isSubmitting}>
          Sign in
        </Button>
      </Form>
      <Notice tone="info">
        No key yet? Another operator can create one under Operators. In the sandbox it is{' '}
        <code>operator_key</code> in <code>sandbox.json</code>.
      </Notice>
    </main>
  );
}
