import { useForm } from 'react-hook-form';
import { Link, useSearchParams } from 'react-router';
import { ssoAddress, teamIn } from '../../api/people/sso.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/fields/form.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { LogIn } from '../../ui/icons.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

function TeamField() {
  const [, setSearch] = useSearchParams();
  const form = useForm({ defaultValues: { team: '' } });
  return (
    <Form
      form={form}
      onSubmit={async ({ team }) => setSearch({ team: teamIn(team) ?? '' }, { replace: true })}
    >
      <TextField
        control={form.control}
        name="team"
        label="Your team’s sign-in address"
        description="An owner of your team finds it under Settings, Team."
        autoComplete="off"
        rules={{
          validate: (text) =>
            teamIn(text) !== null || 'Paste the address, or the id that begins with mer_.',
        }}
      />
      <Button variant="primary" type="submit">
        Continue
      </Button>
    </Form>
  );
}

/** /single-sign-on */
export function SsoPage() {
  const [search] = useSearchParams();
  const team = teamIn(search.get('team') ?? '');
  return (
    <SignInFrame title="Single sign-on" lead="Sign in with your company’s account.">
      <div className="stack">
        {team === null ? (
          <TeamField />
        ) : (
          <LinkButton variant="primary" href={ssoAddress(team, search.get('next'))}>
            <LogIn aria-hidden="true" />
            Continue to your company’s sign-in
          </LinkButton>
        )}
        <p className="quiet small">
          <Link to="/sign-in">Sign in with a password instead</Link>
        </p>
      </div>
    </SignInFrame>
  );
}
