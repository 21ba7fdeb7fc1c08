import { useSearchParams } from 'react-router';
import { Notice } from '../../ui/notice.tsx';
import { ProblemNotice, type Problems } from './problem-notice.tsx';

const PROBLEMS: Problems = {
  link: [
    'That link is no longer valid',
    'Sign-in links work once, within 24 hours. Sign in below, or ask for a new link.',
  ],
  sso_off: [
    'Your team doesn’t use single sign-on',
    'Sign in below, or check the address with an owner of your team.',
  ],
  sso_failed: [
    'Your company’s sign-in didn’t work',
    'Try again in a moment. If it keeps happening, tell an owner of your team: owners can always sign in with a password and a code.',
  ],
  sso_declined: ['You didn’t sign in', 'Your company’s sign-in page sent you back. Try again.'],
  sso_late: ['That took too long', 'Start again in this browser.'],
  sso_unverified: [
    'Your email address isn’t verified',
    'Your company’s sign-in has to confirm your email address. Ask whoever runs it.',
  ],
  sso_stranger: [
    'You aren’t on this team yet',
    'Ask an owner to invite you. If you already have an account here, open the link in the invitation first.',
  ],
  sso_other_account: [
    'This email address belongs to another account',
    'It was used with another account of your company’s sign-in before. Ask an owner to unlink it under Settings, Team.',
  ],
};

/** Explains why the user has to sign in again. */
export function SignInProblem() {
  const [search] = useSearchParams();
  if ((search.get('problem') ?? '') in PROBLEMS) return <ProblemNotice problems={PROBLEMS} />;
  if (search.has('next'))
    return <Notice tone="info">Sign in to continue where you left off.</Notice>;
  return null;
}
